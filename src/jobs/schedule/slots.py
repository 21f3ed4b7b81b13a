"""Which slots a schedule has, and when they are due. Pure: the time and the machine's zone are passed in.

A slot is named by its wall time in the schedule's zone. It is due at the first instant at which that zone's clock has
reached its wall time: a time that comes twice in autumn is due at its first pass, once; a time that spring leaves out
is due when the clock jumps over it. Two slots of one jump are due together and stay two slots.

`zone` is everywhere the machine's zone: it counts for schedules that name none.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, tzinfo
from itertools import islice
from typing import Final, NamedTuple

from jobs.schedule.pattern import DAY_MINUTES, date_of, day_number, pattern_of
from jobs.schedule.rule import Schedule
from jobs.schedule.wall import WallClock, wall_clock

GRACE_S: Final = 30  # a timer may fire a moment early
_WALL_EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001 - a reading of a wall clock has no zone


class Slot(NamedTuple):
    """A minute for which a job is due. Slots sort by wall time, which sorts their instants too.

    `wall` counts minutes from 1970-01-01T00:00 on the wall of the schedule's zone; `instant` is epoch seconds (UTC).
    """

    wall: int
    instant: int

    @property
    def id(self) -> str:
        """The name in records and claims, such as `20261201T0930`."""
        return slot_id(self.wall)

    @property
    def time(self) -> datetime:
        """The wall time, without a zone."""
        return _WALL_EPOCH + timedelta(minutes=self.wall)


def slot_id(wall: int) -> str:
    """The name of a slot by its wall minute."""
    day, minute = divmod(wall, DAY_MINUTES)
    date = date_of(day)
    return f"{date.year:04d}{date.month:02d}{date.day:02d}T{minute // 60:02d}{minute % 60:02d}"


def wall_of(id_: str) -> int:
    """The wall minute of a slot's name. Raises ValueError for what is no such name."""
    if len(id_) != 13 or id_[8] != "T" or not (id_[:8] + id_[9:]).isdecimal() or not id_.isascii():
        raise ValueError(f"{id_!r} is not the name of a slot")
    hour, minute = int(id_[9:11]), int(id_[11:])
    if hour > 23 or minute > 59:
        raise ValueError(f"{id_!r} is not the name of a slot")
    return day_number(int(id_[:4]), int(id_[4:6]), int(id_[6:8])) * DAY_MINUTES + hour * 60 + minute


def clock_of(schedule: Schedule, zone: str | tzinfo) -> WallClock:
    """The wall clock that a schedule goes by."""
    return wall_clock(schedule.zone or zone)


def slot_named(schedule: Schedule, id_: str, zone: str | tzinfo) -> Slot:
    """The slot of a name, whether or not the schedule has it. Raises ValueError for what is no such name."""
    wall = wall_of(id_)
    return Slot(wall, clock_of(schedule, zone).instant(wall * 60))


def slots_between(schedule: Schedule, start: int, end: int, zone: str | tzinfo) -> list[Slot]:
    """The slots due at instants from `start` to before `end`, in order."""
    if end <= start:
        return []
    clock = clock_of(schedule, zone)
    # A slot's wall time is below a reading exactly when its instant is before the instant that reaches it.
    first, stop = _wall_minute(clock, start), _wall_minute(clock, end)
    found: list[Slot] = []
    for slot in _slots_from(schedule, clock, first):
        if slot.wall >= stop:
            break
        found.append(slot)
    return found


def next_slots(schedule: Schedule, after: int, zone: str | tzinfo) -> Iterator[Slot]:
    """The slots due later than the instant `after`, in order, without end (until the year 9998)."""
    clock = clock_of(schedule, zone)
    return _slots_from(schedule, clock, _wall_minute(clock, after + 1))


def next_slot(schedule: Schedule, after: int, zone: str | tzinfo) -> Slot | None:
    """The first slot due later than the instant `after`."""
    return next(next_slots(schedule, after, zone), None)


def previous_slots(schedule: Schedule, before: int, zone: str | tzinfo) -> Iterator[Slot]:
    """The slots due earlier than the instant `before`, latest first."""
    clock = clock_of(schedule, zone)
    last = _wall_minute(clock, before) - 1
    for day, minutes in pattern_of(schedule.rules).days_back(last // DAY_MINUTES):
        base = day * DAY_MINUTES
        for minute in reversed(minutes):
            wall = base + minute
            if wall <= last:
                yield Slot(wall, clock.instant(wall * 60))


def previous_slot(schedule: Schedule, before: int, zone: str | tzinfo) -> Slot | None:
    """The last slot due earlier than the instant `before`."""
    return next(previous_slots(schedule, before, zone), None)


def newest_due(schedule: Schedule, now: int, zone: str | tzinfo, grace_s: int = GRACE_S) -> Slot | None:
    """The newest slot that is due at `now`, or will be within `grace_s` seconds."""
    return previous_slot(schedule, now + grace_s + 1, zone)


def is_slot(schedule: Schedule, wall: int) -> bool:
    """Whether a wall minute is a slot of the schedule."""
    day, minute = divmod(wall, DAY_MINUTES)
    found = next(pattern_of(schedule.rules).days_from(day), None)
    return found is not None and found[0] == day and minute in found[1]


def first_slots(schedule: Schedule, after: int, zone: str | tzinfo, count: int) -> list[Slot]:
    """The first `count` slots due later than the instant `after`."""
    return list(islice(next_slots(schedule, after, zone), count))


def _wall_minute(clock: WallClock, instant: int) -> int:
    """The first wall minute that is reached at `instant` or later."""
    return -(-clock.reached(instant) // 60)


def _slots_from(schedule: Schedule, clock: WallClock, first: int) -> Iterator[Slot]:
    """The slots from a wall minute on, in order."""
    start = end = offset = 0  # of the stretch of the wall clock in which all readings have one offset
    for day, minutes in pattern_of(schedule.rules).days_from(first // DAY_MINUTES):
        base = day * DAY_MINUTES
        if base < first:
            minutes = tuple(minute for minute in minutes if base + minute >= first)  # noqa: PLW2901 - the first day only
        if not start <= base * 60 < end:
            stretch = clock.stretch(base * 60)
            start, end, offset = stretch.start, stretch.end, stretch.offset
        if start <= base * 60 and (base + DAY_MINUTES) * 60 <= end:
            for minute in minutes:
                yield Slot(base + minute, (base + minute) * 60 - offset)
        else:
            for minute in minutes:
                yield Slot(base + minute, clock.instant((base + minute) * 60))
