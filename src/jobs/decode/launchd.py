"""Raw launchd keys: `launchd = { … }` and the conditions of `keep_alive`, checked against the table of plist keys."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from jobs.decode.reader import Reader
from jobs.decode.retell import stands
from jobs.decode.suggest import listed, nearest
from jobs.model.job import Domain
from jobs.model.launchd_keys import KEYS, PlistKey
from jobs.read.nodes import Array, Entry, Node, Scalar, Table, plain
from jobs.read.toml_tree import dotted, quoted

# Keys that the compiler writes itself, and how the manifest sets what they set.
OWNED = {
    "Label": "name the job in its header, [jobs.NAME]; the label is prefix.NAME",
    "Program": "use `run`",
    "ProgramArguments": "use `run`",
    "BundleProgram": "use `run`",
    "StartCalendarInterval": 'use `at`, such as at = "09:30", or `cron`',
    "StartInterval": 'use `every`, such as every = "30m"',
    "RunAtLoad": "use at_load = true",
    "KeepAlive": "use `keep_alive`",
    "OnDemand": "use `keep_alive`",
    "WatchPaths": "use `watch`",
    "EnvironmentVariables": "use `env`",
    "StandardInPath": "take it away: a job reads from /dev/null",
    "StandardOutPath": "use `log`",
    "StandardErrorPath": "use `log`: both streams go there",
    "WorkingDirectory": "use `cwd`",
    "Umask": 'use `umask`, such as umask = "022"',
    "ExitTimeOut": "use `kill_after`",
    "TimeOut": "use `timeout`",
    "Disabled": "use enabled = false",
    "UserName": "set `user` in [project]",
}
TRIGGERS = frozenset({"QueueDirectories", "StartOnMount", "Sockets", "MachServices", "LaunchEvents"})

_SAYS = {
    "string": "a string",
    "integer": "an integer",
    "boolean": "true or false",
    "dictionary": "a table",
    "array": "an array",
}
_KINDS = {
    "string": "string",
    "integer": "integer",
    "boolean": "boolean",
    "dictionary": "table",
    "array": "array",
}


@cache
def _index() -> dict[str, PlistKey]:
    return {key.name: key for key in KEYS}


def decode_raw(node: Node | None, domain: Domain, read: Reader) -> dict[str, Any]:
    """The raw keys of a job as plain values, after noting what is wrong with them."""
    if not isinstance(node, Table):
        return {}
    for name, entry in node.entries.items():
        if name in OWNED:
            read.findings.add(
                "M006", entry.key, f"`{name}` is written by `jobsctl build` itself", OWNED[name]
            )
        else:
            _check_key(name, entry, "", domain, read)
    _check_numbers(node, read)
    return {name: plain(entry.node) for name, entry in node.entries.items()}


def decode_conditions(node: Table, domain: Domain, read: Reader) -> dict[str, Any]:
    """The conditions of a `keep_alive` table as plain values, after noting what is wrong with them."""
    if not node.entries:
        fix = "write keep_alive = true, or a condition such as { SuccessfulExit = false }"
        read.findings.add("M004", node.span, "`keep_alive` has no condition", fix)
    for name, entry in node.entries.items():
        _check_key(name, entry, "KeepAlive.", domain, read)
    return {name: plain(entry.node) for name, entry in node.entries.items()}


def _check_key(name: str, entry: Entry, above: str, domain: Domain, read: Reader) -> None:
    """Check one key and what is inside it; `above` is the path of its table, with a dot, as the key table has it."""
    index = _index()
    key = index.get(above + name) or index.get(f"{above}<name>")
    if key is None and any(known.startswith(f"{above}<name>.") for known in index):
        _check_inside(entry.node, f"{above}<name>.", domain, read)
        return
    if key is None:
        _unknown(name, entry, above, read)
        return
    if key.status in {"ignored", "private", "deprecated"}:
        reason = {
            "ignored": "launchd has stopped reading it",
            "private": "Apple keeps it for itself",
            "deprecated": "it is outdated",
        }[key.status]
        read.findings.add("M004", entry.key, f"`{name}` has no use: {reason}", "take it away")
        return
    if (key.applies_to == "agent" and domain == "system") or (
        key.applies_to == "daemon" and domain != "system"
    ):
        only = 'domain = "system"' if key.applies_to == "daemon" else 'domain = "gui" or "user"'
        read.findings.add("M006", entry.key, f"`{name}` works only with {only}", "take it away")
        return
    if not any(_fits(one, entry.node) for one in _alternatives(key.type)):
        raw = read.findings.source.text[entry.node.span.start : entry.node.span.end]
        wanted = listed([_in_words(one) for one in _alternatives(key.type)])
        message = f"`{name}` is {stands(entry.node, raw)}, not {wanted}"
        read.findings.add("M003", entry.node.span, message, _type_fix(key, entry.node, wanted))
        return
    _check_value(key, entry.node, read)
    _check_inside(entry.node, f"{key.name}.", domain, read)


def _check_inside(node: Node, above: str, domain: Domain, read: Reader) -> None:
    """Check the keys of a table, or of the tables of an array, if the key table names any."""
    if isinstance(node, Array):
        for item in node.items:
            _check_inside(item, above, domain, read)
    elif isinstance(node, Table) and any(name.startswith(above) for name in _index()):
        for name, entry in node.entries.items():
            _check_key(name, entry, above, domain, read)


def _unknown(name: str, entry: Entry, above: str, read: Reader) -> None:
    depth = above.count(".")
    names = [
        known.removeprefix(above)
        for known in _index()
        if known.startswith(above) and known.count(".") == depth and (above or known not in OWNED)
    ]
    near = nearest(name, names)
    shown = dotted([name])
    if near is not None and near.lower() == name.lower():
        message = f"launchd spells `{shown}` in another case"
    else:
        where = f" in `{above.rstrip('.').replace('.<name>', '')}`" if above else ""
        message = f"launchd has no key `{shown}`{where}"
    owned = None if above or near is not None else nearest(name, OWNED)
    if near is not None:
        fix = f"write `{near}`"
    elif owned is not None:
        fix = OWNED[owned]
    elif above:
        fix = f"use one of {listed(names)}"
    else:
        fix = "take it away, or look for its name in launchd.plist(5)"
    read.findings.add("M002", entry.key, message, fix)


def _alternatives(text: str) -> Iterator[str]:
    """The types of `a|b<c|d>`: those between the bars outside all angle brackets."""
    depth, start = 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "<") - (letter == ">")
        if letter == "|" and depth == 0:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _fits(type_text: str, node: Node) -> bool:
    base, _, inner = (
        type_text.removesuffix(">").partition("<") if type_text.endswith(">") else (type_text, "", "")
    )
    if _KINDS.get(base) != node.kind:
        return False
    if not inner:
        return True
    items = node.items if isinstance(node, Array) else []
    if isinstance(node, Table):
        items = [entry.node for entry in node.entries.values()]
    return all(any(_fits(one, item) for one in _alternatives(inner)) for item in items)


def _in_words(type_text: str) -> str:
    base, _, inner = (
        type_text.removesuffix(">").partition("<") if type_text.endswith(">") else (type_text, "", "")
    )
    if not inner:
        return _SAYS[base]
    return f"{_SAYS[base]} of " + {"string": "strings", "integer": "integers", "boolean": "booleans"}.get(
        inner, "tables"
    )


def _type_fix(key: PlistKey, node: Node, wanted: str) -> str:
    if isinstance(node, Scalar) and isinstance(node.value, str):
        if "integer" in key.type and node.value.lstrip("-").isdecimal():
            return f"write {int(node.value)} without quotes"
        if key.type == "boolean" and node.value.lower() in {"true", "false", "yes", "no"}:
            return f"write {'true' if node.value.lower() in {'true', 'yes'} else 'false'} without quotes"
        if key.type == "array<string>":
            return f"write [{quoted(node.value)}]"
    if key.type == "boolean" and isinstance(node, Scalar) and node.value in {0, 1}:
        return f"write {str(bool(node.value)).lower()}"
    return f"write {wanted}"


def _check_value(key: PlistKey, node: Node, read: Reader) -> None:
    short = key.name.rpartition(".")[2]
    if isinstance(node, Scalar) and node.kind == "integer":
        low, high = key.minimum, key.maximum
        if (low is not None and node.value < low) or (high is not None and node.value > high):
            bounds = f"from {low} to {high}" if low is not None and high is not None else f"of {low} or more"
            message = f"`{short}` is {node.value}: it must be a number {bounds}"
            read.findings.add("M004", node.span, message, f"write a number {bounds}")
    if not key.values:
        return
    for item, text in read.strings(node):
        if text not in key.values:
            near = nearest(text, key.values)
            allowed = listed([quoted(value) for value in key.values])
            message = f"`{short}` is {quoted(text)}: it must be {allowed}"
            read.findings.add(
                "M004", item.span, message, f"write {quoted(near)}" if near else f"write one of {allowed}"
            )


def _check_numbers(node: Node, read: Reader) -> None:
    """Note numbers and dates that a plist cannot hold."""
    if isinstance(node, Table):
        for entry in node.entries.values():
            _check_numbers(entry.node, read)
    elif isinstance(node, Array):
        for item in node.items:
            _check_numbers(item, read)
    elif node.kind == "integer" and not -(2**63) <= node.value < 2**64:
        read.findings.add(
            "M008", node.span, "no plist can hold so large a number", "write a number of 64 bits"
        )
    elif node.kind in {"date", "time", "date-time"}:
        read.findings.add(
            "M008", node.span, f"a {node.kind} has no place in a job's plist", "write a string or a number"
        )
