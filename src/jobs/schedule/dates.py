"""Facts of the calendar: lengths of months, and whether a rule has any day at all."""

from __future__ import annotations

from jobs.schedule.rule import LAST_DAY, Rule

LONGEST = (0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)  # by month number; February in a leap year
LENGTHS = (0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)  # in a common year


def is_leap(year: int) -> bool:
    """Whether a year of the Gregorian calendar has 29 February."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def month_length(year: int, month: int) -> int:
    """The number of days of a month."""
    return LONGEST[2] if month == 2 and is_leap(year) else LENGTHS[month]


def occurs(days: tuple[int, ...], months: tuple[int, ...]) -> bool:
    """Whether one of the months has one of the days in some year."""
    return bool(days and months) and (
        LAST_DAY in days or min(days) <= max(LONGEST[month] for month in months)
    )


def has_slots(rule: Rule) -> bool:
    """Whether a rule matches any minute in any year."""
    if not (rule.minutes and rule.hours and rule.months):
        return False
    by_day = occurs(rule.days, rule.months)
    return by_day or bool(rule.weekdays) if rule.either else by_day and bool(rule.weekdays)
