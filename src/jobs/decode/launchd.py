"""The raw `launchd` table: checked against the table of plist keys."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any

from jobs.decode.node import Node, nearest
from jobs.decode.structure import kind_of
from jobs.decode.values import carried
from jobs.model.launchd_keys import BY_NAME, PlistKey

OWNED: Mapping[str, str] = {
    "Label": "`prefix` in [project] and the job's name",
    "Program": "`run`",
    "ProgramArguments": "`run`",
    "BundleProgram": "`run`",
    "StartCalendarInterval": "`at` or `cron`",
    "StartInterval": "`every`",
    "RunAtLoad": "`at_load`",
    "KeepAlive": "`keep_alive`",
    "OnDemand": "`keep_alive`",
    "WatchPaths": "`watch`",
    "EnvironmentVariables": "`env`",
    "StandardOutPath": "`log`",
    "StandardErrorPath": "`log`",
    "StandardInPath": "nothing: a job's input is empty",
    "WorkingDirectory": "`cwd`",
    "Umask": "`umask`",
    "ExitTimeOut": "`kill_after`",
    "Disabled": "`enabled`",
    "UserName": "`user` in [project]",
    "TimeOut": "`timeout`",
    "RootDirectory": "nothing: the wrapper lies outside of it",
}
"""Keys that the compiler writes, and what to set in the manifest instead."""

PLAIN = {"string": str, "integer": int, "boolean": bool, "dictionary": dict, "array": list}


def decode_launchd(own: Node, defaults: Node | None) -> dict[str, Any]:
    """The raw keys of a job, those of the defaults first."""
    merged: dict[str, Any] = {}
    for parent in (defaults, own):
        node = parent.child("launchd") if parent is not None else None
        for key in node or ():
            if node is not None and node.get(key) is not None and _is_good(node, key):
                merged[key] = node.get(key)
    return merged


def _is_good(node: Node, key: str) -> bool:
    known = BY_NAME.get(key)
    if key in OWNED:
        node.report(key, "M006", f"{key} is written by the compiler", f"set {OWNED[key]}")
    elif known is None or known.status == "private":
        top = [name for name, entry in BY_NAME.items() if "." not in name and entry.status != "private"]
        same = next((name for name in top if name.lower() == key.lower()), None)
        near = same or nearest(key, top)
        todo = f"write {near}" if near else "see launchd.plist(5) for the keys"
        node.problems.report((*node.path, key), "M002", f"launchd knows no key {key}", todo, key=True)
    elif known.status in {"ignored", "deprecated"}:
        node.report(key, "M004", f"{key} does nothing any more", "remove it")
    else:
        return _fits(node, key, known, node.data[key])
    return False


def _fits(node: Node, key: str, known: PlistKey, value: Any) -> bool:
    kind = kind_of(value)
    wanted = [word.split("<")[0] for word in known.type.split("|")]
    if not any(type(value) is PLAIN.get(word) for word in wanted):
        names = " or ".join({"dictionary": "table"}.get(word, word) for word in wanted)
        node.report(
            key,
            "M003",
            f"{key} is a{'n' if kind[0] in 'aei' else ''} {kind}, but must be a {names}".replace(
                "a array", "an array"
            ).replace("a integer", "an integer"),
            "write a value of that type: launchd would ignore this one without a word",
        )
        return False
    if known.values and isinstance(value, str) and value not in known.values:
        near = nearest(value, known.values)
        listed = ", ".join(f'"{entry}"' for entry in known.values)
        node.report(
            key,
            "M004",
            f'{key} is "{value}", but must be one of {listed}',
            f'write {key} = "{near or known.values[0]}"',
        )
        return False
    low, high = known.minimum, known.maximum
    if (
        isinstance(value, int)
        and not isinstance(value, bool)
        and ((low is not None and value < low) or (high is not None and value > high))
    ):
        node.report(key, "M004", f"{key} is {value}, outside of {low} to {high}", "correct it")
        return False
    return _carried(node, key, value)


def _carried(node: Node, key: str, value: Any) -> bool:
    """Whether a plist can hold a value: texts without control characters, no dates of TOML's."""
    if isinstance(value, str):
        return carried(node, key, value)
    if isinstance(value, Mapping):
        return all(carried(node, key, name) and _carried(node, key, entry) for name, entry in value.items())
    if isinstance(value, list):
        return all(_carried(node, key, entry) for entry in value)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        node.report(
            key, "M004", f"{key} holds {value}, which is too large for a plist", "use a smaller number"
        )
        return False
    if isinstance(value, (date, datetime, time)):
        node.report(key, "M003", f"{key} holds a date or time, which launchd has no use for", "remove it")
        return False
    return True
