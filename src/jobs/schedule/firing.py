"""A model of what launchd fires, and of which slots the wrappers then run. For tests and for simulation.

Two readings of StartCalendarInterval: the manual's, as careful as can be (a time that spring leaves out never fires),
and that of launchd-842. On top of either, a Mac that sleeps: launchd makes one fire of all that it slept through.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from enum import Enum
from typing import TypeAlias

from jobs.schedule.launchd842 import alarms, searches
from jobs.schedule.mktime import LocalTime
from jobs.schedule.rule import ALL_DAYS, ALL_HOURS, ALL_MINUTES, ALL_MONTHS, ALL_WEEKDAYS, Rule, Schedule
from jobs.schedule.slots import GRACE_S, Slot, slots_between
from jobs.schedule.wall import wall_clock

Dictionary: TypeAlias = Mapping[str, int]


class Reading(Enum):
    """A way to understand StartCalendarInterval."""

    MANUAL = "manual"  # launchd.plist(5)
    RELEASE_842 = "842"


@dataclass(frozen=True, slots=True)
class Run:
    """A start that ran a slot."""

    slot: Slot
    fired: int  # epoch seconds

    @property
    def late_s(self) -> int:
        """The seconds between the slot's instant and its run; negative for a timer that was early."""
        return self.fired - self.slot.instant


def fires(
    dictionaries: Iterable[Dictionary], start: int, end: int, zone: str | tzinfo, reading: Reading
) -> list[int]:
    """The instants after `start` and before `end` at which launchd starts a job that was loaded at `start`, sorted."""
    if reading is Reading.MANUAL:
        return _fires_by_manual(dictionaries, start, end, zone)
    local = LocalTime(zone)
    found: set[int] = set()
    for dictionary in dictionaries:
        parts = searches(dictionary)
        if len(parts) == 1:
            found.update(alarms(parts[0], start, end, local))
        elif parts:
            # Both searches are made anew at each alarm; between changes of the clock that changes nothing.
            for part in parts:
                found.update(alarms(part, start, end, local))
    return sorted(found)


def _fires_by_manual(
    dictionaries: Iterable[Dictionary], start: int, end: int, zone: str | tzinfo
) -> list[int]:
    clock = wall_clock(zone)
    schedule = Schedule(tuple(_rule(dictionary) for dictionary in dictionaries))
    gaps = {change.at for change in clock.changes(start, end) if change.after > change.before}
    return sorted(
        {
            slot.instant
            for slot in slots_between(schedule, start + 1, end, zone)
            if slot.instant not in gaps or clock.reading(slot.instant) == slot.wall * 60
        }
    )


def _rule(dictionary: Dictionary) -> Rule:
    """A dictionary as the manual tells it: a missing key matches all, Day and Weekday are OR."""

    def field(name: str, every: tuple[int, ...]) -> tuple[int, ...]:
        return (dictionary[name],) if name in dictionary else every

    weekdays = tuple(weekday % 7 for weekday in field("Weekday", ALL_WEEKDAYS))
    return Rule(
        field("Minute", ALL_MINUTES),
        field("Hour", ALL_HOURS),
        field("Day", ALL_DAYS),
        field("Month", ALL_MONTHS),
        weekdays,
        either="Day" in dictionary and "Weekday" in dictionary,
    )


def asleep(times: Sequence[int], sleeps: Iterable[tuple[int, int]]) -> list[int]:
    """The fires of a Mac that sleeps: those within a sleep (begin, end) become one at its end."""
    found: list[int] = []
    rest = 0
    for begin, end in sorted(sleeps):
        first, after = bisect_left(times, begin, rest), bisect_left(times, end, rest)
        found += times[rest:first]
        if first < after:
            found.append(end)
        rest = after
    return sorted({*found, *times[rest:]})


def runs(slots: Sequence[Slot], times: Iterable[int], grace_s: int = GRACE_S) -> list[Run]:
    """The runs that the wrapper makes of fires: at each, the newest slot that is due, unless it or a later one ran."""
    found: list[Run] = []
    due, ran, count = 0, 0, len(slots)  # how many are due, and up to how many ran or were passed over
    for time in times:
        while due < count and slots[due].instant <= time + grace_s:
            due += 1
        if due > ran:
            ran = due
            found.append(Run(slots[due - 1], time))
    return found
