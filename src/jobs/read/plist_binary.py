"""Binary property lists: plistlib reads, this bounds and places what it found."""

from __future__ import annotations

import datetime as dt
from typing import Any

from jobs.read.plist_value import Kind, PlistEntry, PlistFault, PlistValue
from jobs.text import Place

MAX_DEPTH = 128
MAX_VALUES = 50_000
_TRAILER = 32


class _TooBigError(Exception):
    """The list holds more than any job needs, or turns back into itself."""


def read_binary(data: bytes, path: str) -> tuple[PlistValue | None, tuple[PlistFault, ...]]:
    """The root and the faults. Every place is line 1: a binary file has no lines."""
    import plistlib

    place = Place(path, 1, 1, 1, 1)
    # The object count is bounded first: plistlib makes a table of that size before it looks at any object.
    if len(data) < _TRAILER + 8 or int.from_bytes(data[-24:-16], "big") > len(data):
        return None, (_damaged(place),)
    try:
        plain = plistlib.loads(data, fmt=plistlib.FMT_BINARY)
    except (plistlib.InvalidFileException, ValueError, TypeError, OverflowError, IndexError, KeyError):
        return None, (_damaged(place),)
    except (RecursionError, MemoryError):
        return None, (_too_big(place),)
    try:
        return _Converter(place).convert(plain, 0), ()
    except _TooBigError:
        return None, (_too_big(place),)


def _damaged(place: Place) -> PlistFault:
    return PlistFault(
        "binary", "binary property list is damaged", place, "make it anew: plutil -convert binary1 FILE"
    )


def _too_big(place: Place) -> PlistFault:
    return PlistFault("limit", f"more than {MAX_VALUES} values, or nested deeper than {MAX_DEPTH}", place)


class _Converter:
    """Turns plain values into placed ones and counts them: shared objects may unfold without end."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.left = MAX_VALUES

    def convert(self, plain: Any, depth: int) -> PlistValue:
        self.left -= 1
        if self.left < 0 or depth > MAX_DEPTH:
            raise _TooBigError
        if isinstance(plain, dict):
            entries = tuple(
                PlistEntry(str(key), self.place, self.convert(value, depth + 1))
                for key, value in plain.items()
            )
            return PlistValue("dictionary", self.place, entries=entries)
        if isinstance(plain, list):
            items = tuple(self.convert(item, depth + 1) for item in plain)
            return PlistValue("array", self.place, items=items)
        return PlistValue(*_scalar(plain, self.place))


def _scalar(plain: Any, place: Place) -> tuple[Kind, Place, str | int | float | bool | None]:
    """The arguments of a scalar's record."""
    if isinstance(plain, bool):
        return "boolean", place, plain
    if isinstance(plain, int):
        return "integer", place, plain
    if isinstance(plain, float):
        return "real", place, plain
    if isinstance(plain, str):
        return "string", place, plain
    if isinstance(plain, dt.datetime):
        return "date", place, plain.isoformat()
    if isinstance(plain, bytes):
        return "data", place, plain.hex()
    return "uid", place, None
