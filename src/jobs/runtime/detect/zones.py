"""Time zones as the tools print them, and wall time to epoch without guessing at the edges of summer time."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Offset = Callable[[int], int]  # epoch → seconds east of UTC

UNIVERSAL = frozenset(
    {"UTC", "GMT", "UCT", "Z", "ETC/UTC", "ETC/GMT", "ETC/UCT", "ZULU", "ETC/ZULU", "UNIVERSAL"}
)
# `GMT+9`, as browsers print it, is nine hours east; `Etc/GMT-9`, as the zone database has it, is the same place.
FIXED = re.compile(r"(?P<etc>ETC/)?(?:GMT|UTC)(?P<sign>[+-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d{2}))?\Z")


def local_offset(epoch: int) -> int:
    """Seconds east of UTC in the zone of this process."""
    return time.localtime(epoch).tm_gmtoff


def offset_of(name: str | None) -> Offset | None:
    """The zone of that name; the process's own for None; None for a name that is no zone.

    Abbreviations (JST, PST, EST) name no zone: several places share them, and the tools print their own zone.
    """
    if name is None:
        return local_offset
    upper = name.strip().upper()
    if upper in UNIVERSAL:
        return lambda _epoch: 0
    if fixed := FIXED.match(upper):
        seconds = int(fixed["hours"]) * 3600 + int(fixed["minutes"] or 0) * 60
        east = (fixed["sign"] == "+") != bool(fixed["etc"])
        return (lambda _epoch: seconds if east else -seconds) if seconds <= 14 * 3600 else None
    if "/" not in name:
        return None
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        zone = ZoneInfo(name.strip())
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None

    def offset(epoch: int) -> int:
        shift = datetime.fromtimestamp(epoch, zone).utcoffset()
        return int(shift.total_seconds()) if shift is not None else 0

    return offset


def wall(epoch: int, offset: Offset) -> datetime:
    """The wall time of an instant, without zone."""
    return datetime.fromtimestamp(epoch, UTC).replace(tzinfo=None) + timedelta(seconds=offset(epoch))


def instant(at: datetime, offset: Offset) -> int:
    """The epoch of a wall time: the later one if it comes twice, the first instant after the gap if it never comes."""
    guess = int(at.replace(tzinfo=UTC).timestamp())
    before, after = guess - 36 * 3600, guess + 36 * 3600
    shifts = {offset(before), offset(after)}
    found = [guess - shift for shift in shifts if wall(guess - shift, offset) == at]
    if found:
        return max(found)
    low, high = before, after
    while high - low > 1:  # the instant at which the clocks change
        middle = (low + high) // 2
        low, high = (middle, high) if offset(middle) == offset(before) else (low, middle)
    return high
