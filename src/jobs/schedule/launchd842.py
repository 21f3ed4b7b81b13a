"""When launchd-842 (OS X 10.9, the last open source) fires a calendar dictionary.

Its algorithm, told by the functions of its src/core.c: the search starts at the next whole minute of the local time of
now; it asks month, day, hour and minute in turn (cronemu and its four helpers), or the weekday (cronemu_wday), and
settles the time with mktime at the beginning of each day, month or year that it moves on to. What follows from that is
told in `launchd.py`, and held by the table of the tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from jobs.schedule.entries import ANY
from jobs.schedule.mktime import OPEN, Broken, LocalTime
from jobs.schedule.pattern import DAY_MINUTES, date_of, day_number

_BOUNDS: Final = {"Minute": (0, 59), "Hour": (0, 23), "Day": (1, 31), "Weekday": (0, 7), "Month": (0, 12)}
_HOPELESS_YEARS: Final = 12  # 29 February is at most eight years away


@dataclass(frozen=True, slots=True)
class Search:
    """One of the two searches of a dictionary: by month and day, or by weekday. `ANY` is a wildcard."""

    month: int
    day: int
    weekday: int
    hour: int
    minute: int

    def minutes(self) -> tuple[int, ...]:
        """The minutes of a day on which it fires. A wildcard minute carries over: the 61st is the next hour's first."""
        hours = range(24) if self.hour == ANY else (self.hour,)
        if self.minute != ANY:
            return tuple(hour * 60 + self.minute for hour in hours)
        carried = self.hour != ANY or self.day != ANY or self.weekday != ANY or self.month != ANY
        return tuple(range(hours[0] * 60, hours[-1] * 60 + 60 + carried))

    def days(self, first: int) -> Iterator[int]:
        """The days from `first` on, in order, on which it fires; a day that a month lacks is one of the next month's."""
        if self.weekday != ANY or (self.day == ANY and self.month == ANY):
            step = 1 if self.weekday == ANY else 7
            day = first if step == 1 else first + (self.weekday - 4 - first) % 7
            while True:
                yield day
                day += step
        start = date_of(first - 31)
        year, month = start.year, start.month
        while True:
            if self.month in (ANY, month):
                begin = day_number(year, month, 1)
                end = day_number(year + month // 12, month % 12 + 1, 1)
                for day in range(begin, end) if self.day == ANY else (begin + self.day - 1,):
                    if day >= first:
                        yield day
            year, month = year + month // 12, month % 12 + 1


def searches(dictionary: Mapping[str, int]) -> tuple[Search, ...]:
    """The searches of a dictionary: none for one that 842 drops (a value too large, or Day 0)."""
    values: dict[str, int] = {}
    for key, (low, high) in _BOUNDS.items():
        value = dictionary.get(key, ANY)
        if value > high or 0 <= value < low:
            return ()
        values[key] = ANY if value < 0 or (key == "Month" and value == 0) else value
    month, day, weekday = values["Month"], values["Day"], values["Weekday"]
    hour, minute = values["Hour"], values["Minute"]
    if weekday == ANY:
        return (Search(month, day, ANY, hour, minute),)
    by_weekday = Search(ANY, ANY, weekday % 7, hour, minute)  # the month is forgotten
    if day == ANY:
        return (by_weekday,)
    return (Search(month, day, ANY, hour, minute), by_weekday)


def next_alarm(search: Search, now: int, local: LocalTime) -> int | None:
    """The instant to which 842 sets its alarm at `now`; None for mktime's failure, which makes it fire at once."""
    time = local.broken(now)
    time.flag = OPEN
    time.minute += 1
    if search.weekday != ANY:
        while not (time.weekday == search.weekday and _hour(time, search.hour, search.minute, local)):
            _move(time, time.year, time.month, time.day + 1, local)
        return local.settle(time)
    for _ in range(_HOPELESS_YEARS):
        if _month(time, search, local):
            return local.settle(time)
        _move(time, time.year + 1, 1, 1, local)
    return None


def _move(time: Broken, year: int, month: int, day: int, local: LocalTime) -> None:
    """Move to the beginning of a day, settled."""
    time.year, time.month, time.day, time.hour, time.minute = year, month, day, 0, 0
    local.settle(time)


def _month(time: Broken, search: Search, local: LocalTime) -> bool:
    """Whether the search ends in this year; `time` moves to where."""
    if search.month != ANY:
        if search.month < time.month:
            return False
        if search.month > time.month:
            time.month, time.day, time.hour, time.minute = search.month, 1, 0, 0
        return _day(time, search, local)
    trial = time.copy()
    while not _day(trial, search, local):
        month = trial.month + 1
        _move(trial, trial.year, month, 1, local)
        if trial.month != month:
            return False
    _take(time, trial)
    return True


def _day(time: Broken, search: Search, local: LocalTime) -> bool:
    """Whether the search ends in this month; `time` moves to where."""
    if search.day != ANY:
        if search.day < time.day:
            return False
        if search.day > time.day:
            time.day, time.hour, time.minute = search.day, 0, 0
        return _hour(time, search.hour, search.minute, local)
    trial = time.copy()
    while not _hour(trial, search.hour, search.minute, local):
        day = trial.day + 1
        _move(trial, trial.year, trial.month, day, local)
        if trial.day != day:
            return False
    _take(time, trial)
    return True


def _hour(time: Broken, hour: int, minute: int, local: LocalTime) -> bool:
    """Whether the search ends on this day; `time` moves to where."""
    if hour != ANY:
        if hour < time.hour:
            return False
        if hour > time.hour:
            time.hour, time.minute = hour, 0
        return _minute(time, minute)
    trial = time.copy()
    while not _minute(trial, minute):
        following = trial.hour + 1
        trial.hour, trial.minute = following, 0
        local.settle(trial)
        if trial.hour != following:
            return False
    _take(time, trial)
    return True


def _minute(time: Broken, minute: int) -> bool:
    """Whether the search ends in this hour. A wildcard takes minute 60, too: the start of the next hour."""
    if minute == ANY:
        return True
    if minute < time.minute:
        return False
    time.minute = minute
    return True


def _take(time: Broken, trial: Broken) -> None:
    time.year, time.month, time.day = trial.year, trial.month, trial.day
    time.hour, time.minute, time.flag, time.weekday = trial.hour, trial.minute, trial.flag, trial.weekday


def alarms(search: Search, start: int, end: int, local: LocalTime) -> list[int]:
    """The instants after `start` and before `end` at which a search fires, each alarm set when the one before rings.

    Where no change of the clock lies between two alarms they are plain wall times, which saves the search.
    """
    found: list[int] = []
    now = start
    while True:
        alarm = next_alarm(search, now, local)
        while (
            alarm is None
        ):  # rings at once, and again (every ten seconds; here every minute) until the clock is past
            now += 60
            if now >= end:
                return found
            found.append(now)
            alarm = next_alarm(search, now, local)
        if alarm >= end:
            return found
        found.append(alarm)
        now = _calm(search, alarm, end, local, found)


def _calm(search: Search, now: int, end: int, local: LocalTime, found: list[int]) -> int:
    """The last alarm before the clock changes or `end`; all up to it are added to `found`."""
    clock = local.clock
    changes = clock.changes(now + 1, min(end, now + 366 * 86400))
    stop = changes[0].at if changes else min(end, now + 366 * 86400)
    offset = clock.offset(now)
    minutes = search.minutes()
    for day in search.days((now + offset) // 86400 - 1):
        base = day * DAY_MINUTES * 60 - offset
        if base >= stop:
            break
        if now < base and base + minutes[-1] * 60 < stop:
            found.extend([base + minute * 60 for minute in minutes])
        else:
            found.extend([at for minute in minutes if now < (at := base + minute * 60) < stop])
    return found[-1]
