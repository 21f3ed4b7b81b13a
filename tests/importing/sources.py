"""Property lists and crontabs for the tests of the import."""

from __future__ import annotations

import plistlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from jobs.decode import load_text
from jobs.importing.assemble import NewProject, Result, assemble
from jobs.importing.cron import candidates_of
from jobs.importing.found import Candidate, Fate
from jobs.importing.plist import candidate_of
from jobs.model.launchd_keys import KEYS, PlistKey
from jobs.read.crontab import parse_crontab
from jobs.read.plist import parse_plist
from jobs.text import SourceFile

HOME = "/Users/kim"
NEW = NewProject("tools", "/Users/kim/tools", HOME, "com.kim")
FOLDER = "/Users/kim/Library/LaunchAgents"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>\n'
TAIL = "</dict></plist>\n"


def of_xml(
    body: str, *, label: str = "com.kim.x", program: str = "/bin/date", exact: bool = False
) -> Candidate:
    """The candidate of a property list with a label, a program and more."""
    run = f"<key>ProgramArguments</key><array><string>{program}</string></array>" if program else ""
    text = f"{HEAD}<key>Label</key><string>{label}</string>{run}\n{body}{TAIL}"
    return candidate_of(
        parse_plist(text.encode(), f"{FOLDER}/{label}.plist"), f"~/{label}.plist", HOME, exact=exact
    )


def of_keys(keys: Mapping[str, Any], *, binary: bool = False) -> Candidate:
    """The candidate of a property list with these keys."""
    form = plistlib.FMT_BINARY if binary else plistlib.FMT_XML
    data = plistlib.dumps(dict(keys), fmt=form, sort_keys=False)
    path = f"{FOLDER}/{keys.get('Label', 'x')}.plist"
    return candidate_of(parse_plist(data, path), path.replace(HOME, "~"), HOME)


def imported(*candidates: Candidate, existing: str | None = None, tail: Sequence[str] = ()) -> Result:
    """The candidates in a manifest; its text loads."""
    loaded = load_text(SourceFile("jobs.toml", existing)) if existing is not None else None
    result = assemble(candidates, "jobs.toml", loaded, NEW, tail=tail)
    if result.manifest is not None:
        assert load_text(SourceFile("jobs.toml", result.text)).manifest is not None
    return result


def of_crontab(text: str, *, user_column: bool = False, existing: str | None = None) -> Result:
    """A crontab in a manifest."""
    source = SourceFile("crontab", text)
    found = candidates_of(parse_crontab(source, user_column=user_column), "crontab", HOME)
    return imported(*found.candidates, existing=existing, tail=found.tail)


def told(result: Result, *fates: Fate) -> list[str]:
    """The messages of all notes, or of those with some fates."""
    notes = [note for candidate in result.candidates for note in candidate.notes]
    return [note.message for note in notes if not fates or note.fate in fates]


def lost(result: Result) -> list[str]:
    """What was not carried."""
    return told(result, Fate.LOST, Fate.REFUSED)


OWN = frozenset(
    {"Label", "Program", "ProgramArguments", "BundleProgram", "StartCalendarInterval", "KeepAlive", "StartInterval",
     "StandardErrorPath", "StandardInPath", "StandardOutPath", "EnableGlobbing", "ExitTimeOut", "Umask", "WatchPaths",
     "EnvironmentVariables", "WorkingDirectory", "OnDemand", "TimeOut", "Disabled", "RunAtLoad"}
)  # fmt: skip
RAW = tuple(
    key
    for key in KEYS
    if "." not in key.name and key.status in {"current", "discouraged", "undocumented"} and key.applies_to != "daemon"
    and key.name not in OWN
)  # fmt: skip
"""Every other key that an agent may carry."""

WORDS = (
    "a",
    "R&D",
    "<new>",
    "it's",
    'say "hi"',
    "naïve",
    "日本",
    "a b",
    "--x=1",
    "$5",
    "back\\slash",
    "#no",
    "{}",
    "tab\tx",
)


def random_plist(random: Random, number: int) -> dict[str, Any]:
    """A property list of an agent that can be carried whole; raw keys take turns, so that 200 hold each of them."""
    label = random.choice(("com.kim", "com.kim.tools", "org.other", "net.x")) + f".job{number}"
    log = f"{HOME}/Library/Logs/{label}.log"
    keys: dict[str, Any] = {
        "Label": label,
        "ProgramArguments": [
            f"{HOME}/bin/{random.choice(WORDS[:8])}",
            *random.choices(WORDS, k=random.randrange(4)),
        ],
        "StandardOutPath": log,
        "StandardErrorPath": log,
    }
    if random.random() < 0.3:
        keys["Program"] = keys["ProgramArguments"][0]
    if random.random() < 0.5:
        keys["EnvironmentVariables"] = {
            "PATH": random.choice(("/usr/bin:/bin", "/opt/homebrew/bin:/usr/bin:/bin", "relative::/x/")),
            "A": random.choice(WORDS),
            **random.choice(
                ({}, {"not-a-name": "1"}, {"JOBS_X": "2"}, {"UID": "5"}, {"LANG": "C"}, {"HOME": "/tmp/h"})
            ),
        }
    for name, values in {
        "WorkingDirectory": (f"{HOME}/R&D", "/tmp"),
        "Umask": (0, 18, 63, "022", "077"),
        "ExitTimeOut": (1, 60, 3600),
        "Disabled": (True, False),
    }.items():
        if random.random() < 0.4:
            keys[name] = random.choice(values)
    keys |= random_start(random)
    for index in range(2):
        key = RAW[(2 * number + index) % len(RAW)]
        keys[key.name] = raw_value(key, random)
    order = list(keys)
    random.shuffle(order)
    return {name: keys[name] for name in order}


def random_start(random: Random) -> dict[str, Any]:
    """What starts a job: one way, or several that go together."""
    calendar = [random_time(random) for _ in range(random.choice((1, 1, 1, 2, 3, 5)))]
    return random.choice(
        (
            {"StartCalendarInterval": calendar[0]},
            {"StartCalendarInterval": calendar},
            {"StartCalendarInterval": calendar, "RunAtLoad": True},
            {"StartCalendarInterval": calendar, "WatchPaths": ["/tmp/in", f"{HOME}/in & out"]},
            {"StartCalendarInterval": calendar, "StartInterval": 300},
            {"StartInterval": random.choice((1, 60, 90, 3600, 86400, 5000))},
            {"WatchPaths": [f"{HOME}/Dropbox/in"], "RunAtLoad": False},
            {"RunAtLoad": True},
            {"KeepAlive": True},
            {"KeepAlive": {"SuccessfulExit": False, "PathState": {"/tmp/x y": True}}, "RunAtLoad": True},
            {"KeepAlive": {"Crashed": True, "OtherJobEnabled": {"com.x": False}}},
        )
    )


def random_time(random: Random) -> dict[str, int]:
    """A dictionary of StartCalendarInterval that has its Minute."""
    time = {"Minute": random.randrange(60)}
    bounds = {"Hour": (0, 23), "Day": (1, 31), "Weekday": (0, 7), "Month": (1, 12)}
    for name, chance in (("Hour", 0.85), ("Day", 0.25), ("Weekday", 0.4), ("Month", 0.15)):
        if random.random() < chance:
            time[name] = random.randint(*bounds[name])
    if "Month" in time and "Day" in time:
        time["Day"] = min(time["Day"], 28)
    return time


def raw_value(key: PlistKey, random: Random) -> Any:
    """A value of the type that a key has."""
    kind = key.type.split("|")[0]
    if key.values:
        return random.choice(key.values)
    if kind == "boolean":
        return random.random() < 0.5
    if kind == "integer":
        return random.randint(max(key.minimum or 0, 0), min(key.maximum or 99, 99))
    if kind.startswith("array"):
        return ["/tmp/a & b", "x"]
    if kind == "dictionary<integer>":
        return {"NumberOfFiles": 1024, "Core": 0}
    if kind.startswith("dictionary"):
        return (
            {"a.b": {"c d": {"deep": [1, "x"]}}}
            if "dictionary<dictionary" in kind
            else {"hw.model": ["Mac1,1"]}
        )
    return f"text & {random.choice(WORDS)}"


def write_list(folder: Path, keys: Mapping[str, Any], *, binary: bool = False) -> Path:
    """A property list on disk."""
    path = folder / f"{keys['Label']}.plist"
    path.write_bytes(plistlib.dumps(dict(keys), fmt=plistlib.FMT_BINARY if binary else plistlib.FMT_XML))
    return path
