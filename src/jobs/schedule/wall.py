"""A zone's wall clock as a table: when it reaches a reading for the first time.

The clock of a zone runs, jumps ahead (spring, or a day left out as in Apia in 2011) and jumps back (autumn). A reading
that comes twice counts at its first pass; a reading that is jumped over is reached at the end of the jump. Both follow
from one statement: a reading is reached when the greatest reading so far is not less than it.

Readings are seconds since 1970-01-01T00:00 on the wall; instants are epoch seconds (UTC).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final, NamedTuple

_YEAR: Final = 366 * 86400
# Two changes of one zone were never closer than four days (Freetown, September 1939): a test looks at every zone.
_PROBE: Final = 3 * 86400
_ZERO: Final = timedelta(0)
_OLDEST: Final = -62135596800 + _YEAR  # year 2; datetime begins with year 1
_NEWEST: Final = 253402300800 - _YEAR  # the end of year 9998


class Change(NamedTuple):
    """A change of a zone's offset: at the instant `at`, from `before` to `after` seconds east of UTC."""

    at: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run of readings, `start` to before `end`, that are reached one second after the other with one offset."""

    start: int
    end: int
    offset: int


class WallClock:
    """The wall clock of one zone; its table grows as far as it is asked."""

    __slots__ = ("_begins", "_from", "_offsets", "_tops", "_until", "zone")

    def __init__(self, zone: tzinfo) -> None:
        self.zone = zone
        self._from = self._until = 0  # the instants that the table covers
        self._begins: list[int] = []  # of each stretch of one offset; the first is the table's own beginning
        self._offsets: list[int] = []
        self._tops: list[int] = []  # the greatest reading up to the end of each stretch but the last

    def offset(self, instant: int) -> int:
        """The seconds east of UTC at an instant."""
        self._cover(instant, instant)
        return self._offsets[bisect_right(self._begins, instant) - 1]

    def reading(self, instant: int) -> int:
        """What the clock shows at an instant."""
        return instant + self.offset(instant)

    def reached(self, instant: int) -> int:
        """The reading of which all lower ones were reached before an instant, while it and later ones were not."""
        self._cover(instant - 1, instant)
        index = bisect_left(self._begins, instant) - 1
        shown = instant + self._offsets[index]
        return max(shown, self._tops[index - 1]) if index else shown

    def instant(self, reading: int) -> int:
        """The first instant at which the clock has reached a reading."""
        index = self._index(reading)
        return max(self._begins[index], reading - self._offsets[index])

    def stretch(self, reading: int) -> Stretch:
        """The run of readings around one; empty (start = end) for a reading that is jumped over."""
        index = self._index(reading)
        offset = self._offsets[index]
        start = self._begins[index] + offset
        if index:
            start = max(start, self._tops[index - 1])
        if reading < start:
            return Stretch(reading, reading, offset)
        end = self._tops[index] if index < len(self._tops) else self._until + offset
        return Stretch(start, end, offset)

    def changes(self, start: int, end: int) -> tuple[Change, ...]:
        """The changes of the offset at instants from `start` to before `end`."""
        self._cover(start - 1, end)
        first = max(1, bisect_left(self._begins, start))
        last = bisect_left(self._begins, end)
        return tuple(
            Change(self._begins[index], self._offsets[index - 1], self._offsets[index])
            for index in range(first, last)
        )

    def _index(self, reading: int) -> int:
        """The number of the stretch in which a reading is reached."""
        # No clock is more than a day from UTC; two days more hold whatever jump is near.
        self._cover(reading - 3 * 86400, reading + 3 * 86400)
        return bisect_right(self._tops, reading)

    def _cover(self, start: int, end: int) -> None:
        """Let the table cover the instants from `start` to `end`."""
        if self._from <= start and end < self._until:
            return
        start, end = max(start, _OLDEST), min(end, _NEWEST)
        first = min(start - _YEAR, self._from) if self._begins else start - _YEAR
        last = max(end + _YEAR, self._until) if self._begins else end + _YEAR
        if not self._begins:
            found = self._probe(first, last)
        else:
            known = list(zip(self._begins[1:], self._offsets[1:], strict=True))
            early = self._probe(first, self._from) if first < self._from else [(first, self._offsets[0])]
            late = self._probe(self._until, last)[1:] if last > self._until else []
            found = [*early, *known, *late]
        self._from, self._until = first, last
        self._begins = [begin for begin, _ in found]
        self._offsets = [offset for _, offset in found]
        top = -(1 << 62)
        self._tops = []
        for begin, offset in zip(self._begins[1:], self._offsets, strict=False):
            top = max(top, begin + offset)
            self._tops.append(top)

    def _probe(self, start: int, end: int) -> list[tuple[int, int]]:
        """The (instant, offset) pairs at `start` and at each change up to and with `end`."""
        offset = _offset_at(self.zone, start)
        found = [(start, offset)]
        at = start
        while at < end:
            ahead = min(at + _PROBE, end)
            if _offset_at(self.zone, ahead) == offset:
                at = ahead
                continue
            low, high = at, ahead
            while high - low > 1:
                middle = (low + high) // 2
                if _offset_at(self.zone, middle) == offset:
                    low = middle
                else:
                    high = middle
            at, offset = high, _offset_at(self.zone, high)
            found.append((at, offset))
        return found


def _offset_at(zone: tzinfo, instant: int) -> int:
    instant = max(_OLDEST - _YEAR // 2, min(instant, _NEWEST + _YEAR // 2))
    offset = datetime.fromtimestamp(instant, zone).utcoffset() or _ZERO
    return offset.days * 86400 + offset.seconds


@lru_cache(maxsize=256)
def wall_clock(zone: str | tzinfo) -> WallClock:
    """The wall clock of an IANA name or a zone. Raises KeyError for a name that is not there."""
    if not isinstance(zone, str):
        return WallClock(zone)
    if zone == "UTC":
        return WallClock(UTC)
    from zoneinfo import ZoneInfo

    return WallClock(ZoneInfo(zone))
