"""A property list held against the table of keys: every key in it, at any depth that the table knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from jobs.model.launchd_keys import BY_NAME, PlistKey
from jobs.read.plist_value import PlistEntry, PlistFile, PlistValue

_OTHER_OWNER = "StartCalendarInterval"  # its sub-keys are judged as times, by the rules on schedules

ARTICLES = {"integer": "an integer", "array": "an array"}


@dataclass(frozen=True, slots=True)
class Seen:
    """A key in a list. `name` is the dotted name in the table, `shown` the same with the user's own names."""

    name: str
    shown: str
    entry: PlistEntry
    known: PlistKey | None


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A value that is not of the type that its key asks for."""

    value: PlistValue
    shown: str
    wanted: str


def seen(root: PlistValue) -> Iterator[Seen]:
    """Every key of the list, parents first."""
    for entry in root.entries:
        yield from _below(entry, entry.key, entry.key)


def siblings(name: str) -> tuple[str, ...]:
    """The last parts of the keys that the table has beside a dotted name."""
    parent = name.rpartition(".")[0]
    return _children(parent)


@cache
def _children(parent: str) -> tuple[str, ...]:
    return tuple(
        key.rpartition(".")[2]
        for key in BY_NAME
        if key.rpartition(".")[0] == parent and not key.endswith(">")
    )


@cache
def _named(parent: str) -> bool:
    """Whether the table has keys below names of the user's choice."""
    return any(key.startswith(f"{parent}.<name>.") for key in BY_NAME)


def _below(entry: PlistEntry, name: str, shown: str) -> Iterator[Seen]:
    known = BY_NAME.get(name)
    yield Seen(name, shown, entry, known)
    if known is None or name == _OTHER_OWNER:
        return
    value = entry.value
    if _named(name):
        for named in value.entries:
            inner = named.value.items if named.value.kind == "array" else (named.value,)
            for each in inner:
                for below in each.entries:
                    yield from _below(below, f"{name}.<name>.{below.key}", f"{shown}.{named.key}.{below.key}")
    elif _children(name) and value.kind == "dictionary":
        for below in value.entries:
            yield from _below(below, f"{name}.{below.key}", f"{shown}.{below.key}")


def mismatches(file: PlistFile, one: Seen) -> Iterator[Mismatch]:
    """The values at or below a key that are not of its type."""
    if one.known is not None and one.known.type != "private" and one.name != _OTHER_OWNER:
        yield from _compare(file, one.entry.value, one.known.type, one.shown)


def _compare(file: PlistFile, value: PlistValue, wanted: str, shown: str) -> Iterator[Mismatch]:
    if value.text is not None and file.filler is not None and file.filler.search(value.text):
        return  # what it becomes is not known yet
    choices = _choices(wanted)
    for kind, inner in choices:
        if kind != value.kind:
            continue
        if not inner:
            return
        if value.kind == "array":
            for number, item in enumerate(value.items):
                yield from _compare(file, item, inner, f"{shown}[{number}]")
        for entry in value.entries:
            yield from _compare(file, entry.value, inner, f"{shown}.{entry.key}")
        return
    yield Mismatch(value, shown, _words(choices))


@cache
def _choices(wanted: str) -> tuple[tuple[str, str], ...]:
    """The kinds of a type with what they hold: `a|array<b>` gives (a, ""), (array, b)."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(wanted):
        depth += (char == "<") - (char == ">")
        if char == "|" and not depth:
            parts.append(wanted[start:at])
            start = at + 1
    parts.append(wanted[start:])
    pairs = []
    for part in parts:
        kind, bracket, inner = part.partition("<")
        pairs.append((kind, inner[:-1] if bracket else ""))
    return tuple(pairs)


def _words(choices: tuple[tuple[str, str], ...]) -> str:
    """A type in words: `a string or an array of strings`."""
    words = []
    for kind, inner in choices:
        word = ARTICLES.get(kind, f"a {kind}")
        if inner and kind == "array":
            word += " of " + " or ".join(_plural(each) for each, _ in _choices(inner))
        words.append(word)
    return " or ".join(words)


def _plural(kind: str) -> str:
    return "dictionaries" if kind == "dictionary" else f"{kind}s"
