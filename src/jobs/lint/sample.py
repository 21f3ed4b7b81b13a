"""Small property lists for the rules' own examples: a clean job around the lines that matter."""

from __future__ import annotations

LABEL = "com.example.tidy"
PROGRAM = "/usr/local/bin/tidy"
AGENT_PATH = f"/Users/kim/Library/LaunchAgents/{LABEL}.plist"
DAEMON_PATH = f"/Library/LaunchDaemons/{LABEL}.plist"

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
DOCTYPE = (
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n'
)
HEAD = DECLARATION + DOCTYPE
DAILY = "<key>StartCalendarInterval</key><dict><key>Hour</key><integer>9</integer><key>Minute</key><integer>30</integer></dict>"


def wrapped(body: str) -> str:
    """A property list whose dictionary holds `body`."""
    return f'{HEAD}<plist version="1.0">\n<dict>\n{body}\n</dict>\n</plist>\n'


def job(*lines: str, argv: tuple[str, ...] = (PROGRAM,), trigger: str = DAILY) -> str:
    """A daily job with more lines in its dictionary; `argv` goes in as it stands, so that faults can be shown."""
    words = "".join(f"    <string>{word}</string>\n" for word in argv)
    body = [
        f"  <key>Label</key><string>{LABEL}</string>",
        f"  <key>ProgramArguments</key>\n  <array>\n{words}  </array>",
        *(f"  {line}" for line in (*lines, trigger) if line),
    ]
    return wrapped("\n".join(body))


def calendar(*entries: str) -> str:
    """A job at the given times; an entry is written `Hour=9 Minute=30`."""
    return job(trigger=times(*entries))


def times(*entries: str) -> str:
    """The StartCalendarInterval lines for entries such as `Hour=9 Minute=30`."""
    dictionaries = [
        "<dict>"
        + "".join(
            f"<key>{name}</key><integer>{value}</integer>"
            for name, _, value in (pair.partition("=") for pair in entry.split())
        )
        + "</dict>"
        for entry in entries
    ]
    inside = dictionaries[0] if len(dictionaries) == 1 else f"<array>{''.join(dictionaries)}</array>"
    return f"<key>StartCalendarInterval</key>{inside}"


def key(name: str, value: str) -> str:
    """A key with a string."""
    return f"<key>{name}</key><string>{value}</string>"


def flag(name: str, value: bool = True) -> str:
    """A key with a boolean."""
    return f"<key>{name}</key><{'true' if value else 'false'}/>"


def number(name: str, value: int) -> str:
    """A key with an integer."""
    return f"<key>{name}</key><integer>{value}</integer>"


def environment(**variables: str) -> str:
    """The EnvironmentVariables lines."""
    return f"<key>EnvironmentVariables</key><dict>{''.join(key(name, value) for name, value in variables.items())}</dict>"
