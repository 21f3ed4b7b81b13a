"""Weekdays, days and months as `at` takes them: numbers, names, ranges, lists."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from jobs.schedule.errors import ScheduleError, refuse_long
from jobs.schedule.names import (
    MONTH_NUMBERS,
    SHORT_MONTHS,
    SHORT_WEEKDAYS,
    WEEKDAY_NUMBERS,
    nearest,
)
from jobs.schedule.rule import ALL_DAYS, ALL_WEEKDAYS, LAST_DAY
from jobs.text import Span

WEEKDAY_GROUPS: Final = {
    "weekday": "mon-fri",
    "weekdays": "mon-fri",
    "workdays": "mon-fri",
    "weekend": "sat,sun",
    "weekends": "sat,sun",
}
_NTH = re.compile(r"(?P<name>[a-z]+|[0-9])#(?P<nth>[0-9]{1,2}|last)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a list: the numbers that it stands for, its text, and its place.

    `span` is its place in the string that holds it (None for a TOML number), `index` the string's in its array.
    """

    numbers: tuple[int, ...]
    text: str
    span: Span | None
    index: int | None = None
    weeks: int | None = None  # the n of "mon#n"


def numbers_of(items: list[Item]) -> tuple[int, ...]:
    """All numbers of the items, sorted."""
    return tuple(sorted({number for item in items for number in item.numbers}))


def read_items(value: object, key: str, read: Callable[[str, Span | None], Item]) -> list[Item]:
    """The items of a key's value: a string with commas, a number, or an array of both. Raises ScheduleError."""
    in_array = isinstance(value, list | tuple)
    entries = list(value) if isinstance(value, list | tuple) else [value]
    if not entries:
        raise ScheduleError(f"{key} is an empty array", f"leave the key out for any {key}", key=key)
    items: list[Item] = []
    for index, entry in enumerate(entries):
        place = index if in_array else None
        try:
            for text, span in _split(entry, key):
                item = read(text, span)
                items.append(Item(item.numbers, text, span, place, item.weeks))
        except ScheduleError as error:
            raise error.within(key, place) from None
    return items


def _split(entry: object, key: str) -> list[tuple[str, Span | None]]:
    """The parts of one entry between its commas."""
    if isinstance(entry, int) and not isinstance(entry, bool):
        return [(str(entry), None)]
    if not isinstance(entry, str):
        shown = "a boolean" if isinstance(entry, bool) else f"a {type(entry).__name__}"
        raise ScheduleError(f"{key} is {shown}", "write a number, a string, or an array of them")
    refuse_long(entry)
    if not entry.strip():
        raise ScheduleError(
            f"{key} is an empty string", f"leave the key out for any {key}", Span(0, len(entry))
        )
    if re.search(r"\s", entry):
        joined = re.sub(r"[,\s]+", ",", re.sub(r"\s*-\s*", "-", entry.strip()))
        raise ScheduleError(f"{entry!r} holds blanks", f'write "{joined}"', Span(0, len(entry)))
    parts: list[tuple[str, Span | None]] = []
    start = 0
    for text in entry.split(","):
        span = Span(start, start + len(text))
        if not text:
            raise ScheduleError(
                f"{entry!r} has a comma with nothing beside it",
                "take the comma away",
                Span(max(0, start - 1), max(1, start)),
            )
        parts.append((text, span))
        start += len(text) + 1
    return parts


def weekday_item(text: str, span: Span | None) -> Item:
    """The weekdays of a name, a number, a range (also around the end of the week), or a "mon#1"."""
    nth = _NTH.fullmatch(text)
    if nth is not None:
        weekday = _weekday(nth["name"], part(span, 0, len(nth["name"])))
        return Item((weekday,), text, span, weeks=_week(nth, span))
    start, dash, end = text.partition("-")
    if not start and end:  # a negative TOML number
        raise ScheduleError(f"there is no weekday {text}", "use a name, or 0 to 7 (0 and 7 are Sunday)", span)
    first = _weekday(start, part(span, 0, len(start)))
    if not dash:
        return Item((first,), text, span)
    last = _weekday(end, part(span, len(start) + 1, len(text)))
    if (start, end) == ("0", "7"):
        return Item(ALL_WEEKDAYS, text, span)
    if first == last:
        raise ScheduleError(f"the range {text!r} begins and ends with one day", f'write "{start}"', span)
    return Item(tuple((first + step) % 7 for step in range((last - first) % 7 + 1)), text, span)


def _week(nth: re.Match[str], span: Span | None) -> int:
    name, which = nth["name"], nth["nth"].lower()
    where = part(span, len(name) + 1, len(nth.group()))
    if which == "last":
        hint = f'write "{name}#4" for the fourth one, or day = "last" for the last day of the month'
        raise ScheduleError(f"the last {name} of a month has no form here", hint, where)
    if not 1 <= int(which) <= 5:
        raise ScheduleError(f"no month has a {name} number {which}", f'write "{name}#1" to "{name}#5"', where)
    return int(which)


def _weekday(text: str, span: Span | None) -> int:
    number = WEEKDAY_NUMBERS.get(text.lower())
    if number is not None:
        return number
    if re.fullmatch(r"[0-7]", text):
        return int(text) % 7
    if re.fullmatch(r"[0-9]+", text):
        raise ScheduleError(f"there is no weekday {text}", "use a name, or 0 to 7 (0 and 7 are Sunday)", span)
    if text.lower() in WEEKDAY_GROUPS:
        raise ScheduleError(f"{text!r} is not a weekday", f'write "{WEEKDAY_GROUPS[text.lower()]}"', span)
    near = nearest(text, WEEKDAY_NUMBERS)
    hint = f'write "{near}"' if near else f"use {', '.join(SHORT_WEEKDAYS)}"
    raise ScheduleError(f"{text!r} is not a weekday", hint, span)


def month_item(text: str, span: Span | None) -> Item:
    """The months of a name, a number, or a range; "nov-feb" goes around the end of the year."""
    start, dash, end = text.partition("-")
    if not start and end:
        raise ScheduleError(f"there is no month {text}", "use a name, or 1 to 12", span)
    first = _month(start, part(span, 0, len(start)))
    if not dash:
        return Item((first,), text, span)
    last = _month(end, part(span, len(start) + 1, len(text)))
    if first == last:
        raise ScheduleError(f"the range {text!r} begins and ends with one month", f'write "{start}"', span)
    return Item(tuple((first - 1 + step) % 12 + 1 for step in range((last - first) % 12 + 1)), text, span)


def _month(text: str, span: Span | None) -> int:
    number = MONTH_NUMBERS.get(text.lower())
    if number is not None:
        return number
    if re.fullmatch(r"[0-9]+", text):
        if 1 <= int(text) <= 12:
            return int(text)
        raise ScheduleError(f"there is no month {text}", "use a name, or 1 to 12", span)
    near = nearest(text, MONTH_NUMBERS)
    hint = f'write "{near}"' if near else f"use {', '.join(SHORT_MONTHS)}"
    raise ScheduleError(f"{text!r} is not a month", hint, span)


def day_item(text: str, span: Span | None) -> Item:
    """The days of a number, a range of numbers, or "last"."""
    if text.lower() == "last":
        return Item((LAST_DAY,), text, span)
    start, dash, end = text.partition("-")
    if not start and end:
        hint = 'write "last" for the last day; other days cannot be counted from the end'
        raise ScheduleError(f"there is no day {text} in a month", hint, span)
    if dash and end.lower() == "last":
        hint = f'write "{start}-31": days that a month lacks are left out'
        raise ScheduleError(f"the range {text!r} ends with a word", hint, span)
    first = _day(start, part(span, 0, len(start)))
    if not dash:
        return Item((first,), text, span)
    last = _day(end, part(span, len(start) + 1, len(text)))
    if first >= last:
        hint = f'write "{first}"' if first == last else f'write "{first}-31,1-{last}"'
        raise ScheduleError(f"the range of days {text!r} does not go up", hint, span)
    return Item(tuple(range(first, last + 1)), text, span)


def _day(text: str, span: Span | None) -> int:
    if re.fullmatch(r"[0-9]+", text):
        if 1 <= int(text) <= 31:
            return int(text)
        raise ScheduleError(f"there is no day {text} in a month", 'use 1 to 31, or "last"', span)
    hint = 'use 1 to 31, a range such as "1-7", or "last"'
    if text.lower() in WEEKDAY_NUMBERS:
        hint = f'write weekday = "{text}"'
    raise ScheduleError(f"{text!r} is not a day of the month", hint, span)


def split_weeks(items: list[Item]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The days and the weekdays of weekday items: "mon#2" is a Monday among the days 8 to 14."""
    if all(item.weeks is None for item in items):
        return ALL_DAYS, numbers_of(items)
    weeks_of: dict[int, set[int | None]] = {}
    for item in items:
        weeks_of.setdefault(item.numbers[0], set()).add(item.weeks)
    weeks = weeks_of[items[0].numbers[0]]
    if any(None in others or others != weeks for others in weeks_of.values()):
        raise ScheduleError(
            "weekdays of different weeks of the month cannot share an entry",
            "write an entry of its own for each: at is an array",
        )
    return tuple(day for day in ALL_DAYS if (day - 1) // 7 + 1 in weeks), numbers_of(items)


def part(span: Span | None, start: int, end: int) -> Span | None:
    """A part of a span, by offsets from its start."""
    return None if span is None else Span(span.start + start, span.start + end)
