"""How a run ended, in words: exit statuses and signals as launchd and shells use them. Pure."""

from __future__ import annotations

from jobs.system.launchd_answers import read_raw_status

EXITS: dict[int, str] = {
    66: "its cwd or env_file is missing",
    69: "the state folder cannot be used",
    75: "stopped by the provider's limit",
    78: "launchd could not start it: a path, a right or a log folder (EX_CONFIG)",
    124: "timeout",
    126: "found, but not executable or not readable (rights?)",
    127: "command not found: look at the job's PATH",
    143: "stopped by TERM",
}
SIGNALS: dict[int, str] = {
    1: "HUP",
    2: "INT",
    3: "QUIT",
    4: "ILL",
    5: "TRAP",
    6: "ABRT",
    8: "FPE",
    9: "KILL",
    10: "BUS",
    11: "SEGV",
    13: "PIPE",
    14: "ALRM",
    15: "TERM",
    24: "XCPU",
}


def signal_name(number: int) -> str:
    """KILL, TERM and so on; the number where it has no common name on macOS."""
    return SIGNALS.get(number, str(number))


def describe_exit(code: int | None, signal: int | None = None) -> str:
    """The end in words: `exit 127: command not found…`, `killed by KILL`, `never ran`."""
    if signal is not None:
        return f"killed by signal {signal} ({signal_name(signal)})"
    if code is None:
        return "never ran"
    if code < 0:
        return describe_exit(None, -code)
    if code == 0:
        return "exit 0"
    if code > 255:  # the raw wait status that `launchctl list LABEL` shows: 32512 is exit 127
        return describe_exit(*read_raw_status(code))
    text = EXITS.get(code)
    if text is None and 128 < code < 160:
        text = f"a command in it was killed by signal {code - 128} ({signal_name(code - 128)})"
    return f"exit {code}: {text}" if text else f"exit {code}"
