"""Dictionaries of StartCalendarInterval as tuples: merging them, and dropping what others cover."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Final, NamedTuple

ANY: Final = -1  # the key is missing: every value matches


class Entry(NamedTuple):
    """One dictionary of StartCalendarInterval; `ANY` for a key that it lacks. Weekday 0 is Sunday."""

    month: int = ANY
    day: int = ANY
    weekday: int = ANY
    hour: int = ANY
    minute: int = ANY

    def dictionary(self) -> dict[str, int]:
        """The keys and values as they stand in a plist."""
        names = ("Month", "Day", "Weekday", "Hour", "Minute")
        return {name: value for name, value in zip(names, self, strict=True) if value != ANY}


_RANGES: Final = (range(1, 13), range(1, 32), range(7), range(24), range(60))


def reduced(entries: Iterable[Entry]) -> set[Entry]:
    """The entries that fire as often, and are as few, as wildcards and coverage allow."""
    found = without_covered(entries)
    while True:
        merged = _merged_once(found)
        if merged == found:
            return found
        found = without_covered(merged)


def without_covered(entries: Iterable[Entry]) -> set[Entry]:
    """The entries that no more general entry covers."""
    found = set(entries)
    return {entry for entry in found if not is_covered(entry, found - {entry})}


def is_covered(entry: Entry, others: set[Entry]) -> bool:
    """Whether one of the others is the entry itself or has wildcards where the entry has values."""
    choices = [(value,) if value == ANY else (value, ANY) for value in entry]
    return any(Entry(*values) in others for values in product(*choices))


def _merged_once(entries: set[Entry]) -> set[Entry]:
    """The entries with one wildcard in place of each full range of one field."""
    for axis, values in enumerate(_RANGES):
        groups: dict[Entry, set[int]] = {}
        for entry in entries:
            if entry[axis] != ANY:
                groups.setdefault(_with(entry, axis, ANY), set()).add(entry[axis])
        full = {general for general, seen in groups.items() if len(seen) == len(values)}
        if full:
            return {entry for entry in entries if _with(entry, axis, ANY) not in full} | full
    return entries


def _with(entry: Entry, axis: int, value: int) -> Entry:
    values = list(entry)
    values[axis] = value
    return Entry(*values)
