"""Rules compiled to whole days: which days of a month match, and at which minutes of the day.

A month is told by its number, its length and the weekday of its first day, so a schedule has at most 91 different
months, and each is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from typing import Final, TypeAlias

from jobs.schedule.dates import has_slots, month_length
from jobs.schedule.rule import LAST_DAY, Rule

DAY_MINUTES: Final = 1440
LAST_YEAR: Final = 9998  # datetime ends with 9999; an offset needs room
_EPOCH: Final = date(1970, 1, 1).toordinal()
_THURSDAY: Final = 4  # 1 January 1970

MonthDays: TypeAlias = tuple[
    tuple[int, tuple[int, ...]], ...
]  # (day of the month, minutes of the day), sorted


class Pattern:
    """The days and minutes of some rules, without any zone. Days are counted from 1 January 1970, which is 0."""

    __slots__ = ("_minutes", "_months", "_rules")

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self._rules = tuple(rule for rule in rules if has_slots(rule))
        self._minutes = tuple(
            tuple(hour * 60 + minute for hour in rule.hours for minute in rule.minutes)
            for rule in self._rules
        )
        self._months: dict[tuple[int, int, int], MonthDays] = {}

    def month(self, year: int, month: int) -> MonthDays:
        """The matching days of a month, each with its minutes of the day."""
        length = month_length(year, month)
        key = (month, length, (day_number(year, month, 1) + _THURSDAY) % 7)
        found = self._months.get(key)
        if found is None:
            found = self._months[key] = self._work_out(*key)
        return found

    def _work_out(self, month: int, length: int, first_weekday: int) -> MonthDays:
        masks = [_day_mask(rule, month, length, first_weekday) for rule in self._rules]
        days: list[tuple[int, tuple[int, ...]]] = []
        for day in range(1, length + 1):
            chosen = [minutes for mask, minutes in zip(masks, self._minutes, strict=True) if mask >> day & 1]
            if len(chosen) == 1:
                days.append((day, chosen[0]))
            elif chosen:
                days.append((day, tuple(sorted({minute for minutes in chosen for minute in minutes}))))
        return tuple(days)

    def days_from(self, day: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The matching days from a day on, in order, with their minutes; none where no rule can match."""
        if not self._rules:
            return
        start = date.fromordinal(max(1, day + _EPOCH))
        year, month = start.year, start.month
        while year <= LAST_YEAR:
            before = day_number(year, month, 1) - 1
            for number, minutes in self.month(year, month):
                if before + number >= day:
                    yield before + number, minutes
            year, month = (year + 1, 1) if month == 12 else (year, month + 1)

    def days_back(self, day: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The matching days up to and with a day, latest first, with their minutes."""
        if not self._rules:
            return
        start = date.fromordinal(max(1, day + _EPOCH))
        year, month = start.year, start.month
        while year >= 1:
            before = day_number(year, month, 1) - 1
            for number, minutes in reversed(self.month(year, month)):
                if before + number <= day:
                    yield before + number, minutes
            year, month = (year - 1, 12) if month == 1 else (year, month - 1)


def day_number(year: int, month: int, day: int) -> int:
    """The days from 1 January 1970 to a date."""
    return date(year, month, day).toordinal() - _EPOCH


def date_of(day: int) -> date:
    """The date of a day number."""
    return date.fromordinal(day + _EPOCH)


def _day_mask(rule: Rule, month: int, length: int, first_weekday: int) -> int:
    """Bit n is set when day n of such a month matches the rule."""
    if month not in rule.months:
        return 0
    by_day = by_weekday = 0
    for day in range(1, length + 1):
        if day in rule.days or (day == length and LAST_DAY in rule.days):
            by_day |= 1 << day
        if (first_weekday + day - 1) % 7 in rule.weekdays:
            by_weekday |= 1 << day
    return by_day | by_weekday if rule.either else by_day & by_weekday


@lru_cache(maxsize=1024)
def pattern_of(rules: tuple[Rule, ...]) -> Pattern:
    """The compiled pattern of some rules."""
    return Pattern(rules)
