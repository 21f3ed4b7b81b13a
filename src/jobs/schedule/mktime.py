"""Local times with an open or a fixed summer-time flag, turned into instants as mktime(3) of Apple's Libc does it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final

from jobs.schedule.pattern import date_of, day_number
from jobs.schedule.wall import WallClock, wall_clock

OPEN: Final = -1  # the flag: find out whether summer time holds
_SEARCH_S: Final = 400 * 86400


@dataclass(slots=True)
class Broken:
    """A local time in parts that need not be in range, like C's struct tm. Months are 1 to 12, weekday 0 is Sunday."""

    year: int
    month: int
    day: int
    hour: int
    minute: int
    flag: int = OPEN  # 1 summer time, 0 not
    weekday: int = 0

    def copy(self) -> Broken:
        """The same parts, to be changed apart."""
        return Broken(self.year, self.month, self.day, self.hour, self.minute, self.flag, self.weekday)


class LocalTime:
    """The two ways between instants and local times of one zone."""

    def __init__(self, zone: str | tzinfo) -> None:
        self.clock: WallClock = wall_clock(zone)
        self._flags: dict[int, int] = {}
        self._instants: dict[tuple[int, int], int | None] = {}

    def broken(self, instant: int) -> Broken:
        """The local time at an instant; seconds are dropped."""
        days, seconds = divmod(self.clock.reading(instant), 86400)
        day = date_of(days)
        weekday = (days + 4) % 7
        return Broken(
            day.year, day.month, day.day, seconds // 3600, seconds % 3600 // 60, self._flag(instant), weekday
        )

    def settle(self, time: Broken) -> int | None:
        """The instant of a local time, whose parts are brought into range; None, and no change, where there is none.

        With an open flag a time that spring leaves out has none, and one that comes twice is its first pass. With a
        flag that does not hold at that time, the time is read by the clock that the flag means.
        """
        year, month = divmod(time.year * 12 + time.month - 1, 12)
        reading = (
            (day_number(year, month + 1, 1) + time.day - 1) * 86400 + time.hour * 3600 + time.minute * 60
        )
        key = (reading, time.flag)
        if key not in self._instants:
            self._instants[key] = self._instant(reading, time.flag)
        instant = self._instants[key]
        if instant is not None:
            settled = self.broken(instant)
            time.year, time.month, time.day = settled.year, settled.month, settled.day
            time.hour, time.minute = settled.hour, settled.minute
            time.flag, time.weekday = settled.flag, settled.weekday
        return instant

    def _instant(self, reading: int, flag: int) -> int | None:
        """The instant at which the clock shows a reading, the flag permitting."""
        near = {self.clock.offset(reading + hours * 3600) for hours in (-30, -15, 0, 15, 30)}
        shown = sorted(reading - offset for offset in near if self.clock.offset(reading - offset) == offset)
        fitting = [instant for instant in shown if flag in (OPEN, self._flag(instant))]
        if fitting:
            return fitting[0]
        if flag == OPEN:
            return None
        changes = self.clock.changes(reading - _SEARCH_S, reading + _SEARCH_S)
        for change in reversed(changes):
            for at, offset in ((change.at, change.after), (change.at - 1, change.before)):
                if self._flag(at) == flag:
                    return reading - offset
        return None

    def _flag(self, instant: int) -> int:
        """1 when summer time holds at an instant, else 0."""
        clock = self.clock
        known = self._flags.get(instant)
        if known is None:
            known = self._flags[instant] = int(bool(datetime.fromtimestamp(instant, clock.zone).dst()))
        return known
