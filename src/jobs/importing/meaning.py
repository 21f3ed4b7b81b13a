"""What a job means: read from a property list as launchd.plist(5) has it, and from a compiled job."""

from __future__ import annotations

import plistlib
import posixpath
import re
from collections.abc import Mapping
from typing import Any, Final

from jobs.decode.launchd import OWNED
from jobs.importing.calendar import BOUNDS, rule_of
from jobs.importing.command import SHELL, unwrapped
from jobs.importing.found import Meaning
from jobs.model.job import Argv, Job
from jobs.model.launchd_keys import BY_NAME
from jobs.read.plist_value import PlistValue
from jobs.schedule.rule import Rule

LAUNCHD_PATH: Final = "/usr/bin:/bin:/usr/sbin:/sbin"
BASE: Final = ("HOME", "USER", "LOGNAME")
NULL: Final = "/dev/null"


def plain(value: PlistValue) -> Any:
    """The value without places; a date or data is None, which nothing carries."""
    if value.kind == "dictionary":
        return {entry.key: plain(entry.value) for entry in value.entries}
    if value.kind == "array":
        return [plain(item) for item in value.items]
    return None if value.kind in {"date", "data", "uid"} else value.value


def meaning_of_plist(root: Mapping[str, Any]) -> Meaning:
    """What launchd makes of a property list: wrong types are ignored, absent keys have launchd's defaults."""
    environment = root.get("EnvironmentVariables")
    env = {key: value for key, value in _table(environment).items() if isinstance(value, str)}
    words = [word for word in _array(root.get("ProgramArguments")) if isinstance(word, str)]
    program = root.get("Program")
    if isinstance(program, str) and program:
        words = [program, *words[1:]]
    argv, more = unwrapped(words)
    env |= more
    path = env.pop("PATH", LAUNCHD_PATH)
    kept = root.get("KeepAlive", root.get("OnDemand") is False)
    return Meaning(
        argv=(_path(argv[0]) if argv and "/" in argv[0] else argv[0] if argv else "", *argv[1:]),
        cwd=_path(_text(root, "WorkingDirectory") or "/"),
        path=path,
        env=env,
        output=_stream(root, "StandardOutPath"),
        errors=_stream(root, "StandardErrorPath"),
        umask=_umask(root.get("Umask")),
        rules=_rules(root.get("StartCalendarInterval")),
        every_s=root["StartInterval"]
        if _is_int(root.get("StartInterval")) and root["StartInterval"] > 0
        else None,
        watch=tuple(_path(path) for path in _array(root.get("WatchPaths")) if isinstance(path, str)),
        at_load=root.get("RunAtLoad") is True,
        keep_alive=kept if kept is True or (isinstance(kept, Mapping) and kept) else False,
        kill_after_s=root["ExitTimeOut"]
        if _is_int(root.get("ExitTimeOut")) and root["ExitTimeOut"] >= 0
        else None,
        enabled=root.get("Disabled") is not True,
        raw={
            key: value
            for key, value in root.items()
            if _is_raw(key) and not (key == "EnableGlobbing" and value is False)
        },
    )


def meaning_of_job(job: Job, plist: bytes) -> Meaning:
    """What a compiled job means: launchd's part from its property list, the wrapper's from the record it is made of."""
    root = plistlib.loads(plist)
    words = job.run.words if isinstance(job.run, Argv) else (SHELL, "-c", job.run.text)
    argv, more = unwrapped(words)
    env = dict(root["EnvironmentVariables"]) | dict(job.env) | more
    argv = (_path(argv[0]) if "/" in argv[0] else argv[0], *argv[1:])
    kept = root.get("KeepAlive", False)
    return Meaning(
        argv=argv,
        cwd=job.cwd,
        path=env.pop("PATH"),
        env=env,
        output=root["StandardOutPath"],
        errors=root["StandardErrorPath"],
        umask=root.get("Umask", 0o022),
        rules=job.schedule.rules if job.schedule else (),
        zone=job.schedule.zone if job.schedule else None,
        every_s=root.get("StartInterval"),
        watch=tuple(root.get("WatchPaths", ())),
        at_load=root.get("RunAtLoad", False),
        keep_alive=kept,
        kill_after_s=job.kill_after_s,
        enabled=job.enabled,
        raw={key: value for key, value in root.items() if _is_raw(key)},
    )


def _umask(value: Any) -> int:
    number = value if _is_int(value) else strtoul(value) if isinstance(value, str) else None
    return number if number is not None and 0 <= number <= 0o777 else 0o022


def _is_raw(key: str) -> bool:
    """Whether a key is one that the `launchd` table would carry."""
    known = BY_NAME.get(key)
    return key not in OWNED and known is not None and known.status not in {"ignored", "deprecated", "private"}


def _rules(value: Any) -> tuple[Rule, ...]:
    """The rules of the dictionaries whose five keys are integers in their bounds."""
    rules = []
    for dictionary in [value] if isinstance(value, Mapping) else _array(value):
        fields = {key: number for key, number in _table(dictionary).items() if key in BOUNDS}
        good = all(
            _is_int(number) and BOUNDS[key][0] <= number <= BOUNDS[key][1] for key, number in fields.items()
        )
        if isinstance(dictionary, Mapping) and good:
            rules.append(rule_of(fields))
    return tuple(rules)


def _path(text: str) -> str:
    joined = posixpath.normpath(posixpath.join("/", text))
    return joined[1:] if joined.startswith("//") else joined


def _stream(root: Mapping[str, Any], key: str) -> str:
    path = _path(_text(root, key) or NULL)
    return "" if path == NULL else path


def _text(root: Mapping[str, Any], key: str) -> str | None:
    value = root.get(key)
    return value if isinstance(value, str) else None


def _array(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def strtoul(text: str) -> int | None:
    """The number in a text, in the notation of C: a leading 0 is octal, 0x is hexadecimal."""
    found = re.fullmatch(r"\s*(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)\s*", text)
    if found is None:
        return None
    digits = found[1].lower()
    return int(
        digits, 16 if digits.startswith("0x") else 8 if digits.startswith("0") and len(digits) > 1 else 10
    )
