"""The manifest's own way to write times: `at = "mon-fri 09:30"`, or a table of fields that must all match."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from jobs.schedule.at_clock import CLOCK, refuse_clock, words_of
from jobs.schedule.at_fields import (
    WEEKDAY_GROUPS,
    Item,
    day_item,
    month_item,
    numbers_of,
    read_items,
    split_weeks,
    weekday_item,
)
from jobs.schedule.dates import occurs
from jobs.schedule.errors import ScheduleError
from jobs.schedule.names import MONTHS, nearest
from jobs.schedule.rule import ALL_DAYS, ALL_MONTHS, ALL_WEEKDAYS, Rule
from jobs.text import Span

TABLE_KEYS: Final = ("time", "weekday", "day", "month")
_EVERY_DAY = {"daily", "everyday", "every", "every day", "*", "any", "all", "at"}


def parse_at_text(text: str) -> Rule:
    """The rule of `"[WEEKDAYS] HH:MM"`. Raises ScheduleError.

    WEEKDAYS are English names, short or full, in any case, or 0 to 7: a list ("sat,sun"), ranges ("mon-fri", "fri-mon"
    around the end of the week), or the nth of a month ("mon#1"). Without them the time is every day's.
    """
    words = words_of(text)
    clock = CLOCK.fullmatch(words[-1].group()) if words else None
    if clock is None:
        refuse_clock(text, words)
    days, weekdays = ALL_DAYS, ALL_WEEKDAYS
    if len(words) > 1:
        start = words[0].start()
        days, weekdays = _weekdays_before(text[start : words[-2].end()], start, words[-1].group())
    return Rule((int(clock[2]),), (int(clock[1]),), days=days, weekdays=weekdays)


def _weekdays_before(names: str, offset: int, clock: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The days and weekdays that the words before a time of day mean."""
    folded = " ".join(names.lower().split())
    span = Span(offset, offset + len(names))
    if folded in _EVERY_DAY:
        raise ScheduleError(f"{names!r} is not a weekday", f'write "{clock}": alone it is every day\'s', span)
    if folded in WEEKDAY_GROUPS:
        raise ScheduleError(f"{names!r} is not a weekday", f'write "{WEEKDAY_GROUPS[folded]} {clock}"', span)
    if CLOCK.fullmatch(names):
        raise ScheduleError("an entry holds one time", f'write an array: ["{names}", "{clock}"]', span)
    if " " in folded:
        joined = re.sub(r"[,\s]+(?:and\s+|&\s*)?", ",", re.sub(r"\s*-\s*", "-", folded))
        raise ScheduleError(f"the weekdays {names!r} hold blanks", f'write "{joined} {clock}"', span)
    try:
        return split_weeks(read_items(names, "weekday", weekday_item))
    except ScheduleError as error:
        raise ScheduleError(error.message, error.fix, error.moved(offset).span or span) from None


def parse_at_table(fields: Mapping[str, object]) -> tuple[Rule, ...]:
    """The rules of a table with `time` and any of `weekday`, `day`, `month`: all keys given must match.

    One rule unless there are several times: hours with the same minutes share a rule. Raises ScheduleError.
    """
    _check_keys(fields)
    times = _times(fields["time"])
    months = read_items(fields["month"], "month", month_item) if "month" in fields else None
    days = read_items(fields["day"], "day", day_item) if "day" in fields else None
    day_set, weekdays = ALL_DAYS, ALL_WEEKDAYS
    if "weekday" in fields:
        try:
            day_set, weekdays = split_weeks(read_items(fields["weekday"], "weekday", weekday_item))
        except ScheduleError as error:
            raise error.within("weekday", error.index) from None
    if days is not None:
        if day_set != ALL_DAYS:
            raise ScheduleError(
                "the nth weekday of a month is a choice of days already: day cannot stand beside it",
                'write either weekday = "mon#1", or weekday = "mon" with day = "1-7"',
                key="day",
            )
        day_set = numbers_of(days)
    month_set = ALL_MONTHS if months is None else numbers_of(months)
    _refuse_impossible(days, day_set, months, month_set)
    return tuple(
        Rule(minutes, hours, days=day_set, months=month_set, weekdays=weekdays)
        for hours, minutes in _products(times)
    )


def _check_keys(fields: Mapping[str, object]) -> None:
    for key in fields:
        if key not in TABLE_KEYS:
            near = nearest(key, dict.fromkeys(TABLE_KEYS, 0))
            hint = f"write {near}" if near else f"use {', '.join(TABLE_KEYS)}"
            raise ScheduleError(f"unknown key {key!r} in a table of times", hint, key=key)
    if "time" not in fields:
        raise ScheduleError("the table has no time", 'add time = "HH:MM"')


def _times(value: object) -> list[tuple[int, int]]:
    """The (hour, minute) pairs of the key `time`, sorted."""
    in_array = isinstance(value, list | tuple)
    texts = list(value) if isinstance(value, list | tuple) else [value]
    if not texts:
        raise ScheduleError("time is an empty array", 'write a time of day, such as "09:30"', key="time")
    times: set[tuple[int, int]] = set()
    for index, text in enumerate(texts):
        place = index if in_array else None
        if not isinstance(text, str):
            hint = 'write the time in quotes, such as "09:30"'
            raise ScheduleError(f"time is {text!s}, not a string", hint, key="time", index=place)
        try:
            times.add(_time(text))
        except ScheduleError as error:
            raise error.within("time", place) from None
    return sorted(times)


def _time(text: str) -> tuple[int, int]:
    words = words_of(text)
    clock = CLOCK.fullmatch(words[-1].group()) if words else None
    if clock is None:
        refuse_clock(text, words)
    if len(words) > 1:
        names = Span(words[0].start(), words[-2].end())
        raise ScheduleError(
            f"time is {text!r}: it holds more than a time",
            f'write time = "{words[-1].group()}" and weekday = "{text[names.start : names.end]}"',
            names,
        )
    return int(clock[1]), int(clock[2])


def _products(times: list[tuple[int, int]]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The times as (hours, minutes) products: hours that have the same minutes go together."""
    minutes_of: dict[int, list[int]] = {}
    for hour, minute in times:
        minutes_of.setdefault(hour, []).append(minute)
    hours_of: dict[tuple[int, ...], list[int]] = {}
    for hour, minutes in minutes_of.items():
        hours_of.setdefault(tuple(minutes), []).append(hour)
    return [(tuple(hours), minutes) for minutes, hours in hours_of.items()]


def _refuse_impossible(
    days: list[Item] | None, day_set: tuple[int, ...], months: list[Item] | None, month_set: tuple[int, ...]
) -> None:
    """Raise for a day that none of the months has, and for a month that has none of the days."""
    for item in days or ():
        if not occurs(item.numbers, month_set):
            names = " or ".join(MONTHS[month - 1].capitalize() for month in month_set)
            hint = 'write day = "last" for the last day of the month'
            raise ScheduleError(f"there is no {item.text} {names}", hint, item.span, "day", item.index)
    for item in months or ():
        if not occurs(day_set, item.numbers):
            hint = 'write day = "last" for the last day of each month, or take the month away'
            shown = ", ".join(str(day) for day in day_set)
            raise ScheduleError(f"{item.text} has no day {shown}", hint, item.span, "month", item.index)
