"""Cron expressions, read as Vixie cron reads them.

Five fields, names, lists, ranges, steps, and @daily and its like. Day of month and day of week: a date must match both
when either field begins with `*` (so `*/2` counts as unrestricted here, and still restricts), and at least one of them
otherwise: crontab(5), and the flags DOM_STAR and DOW_STAR of cron's entry.c and cron.c.

Narrower than some crons on purpose, always with a fix: `5/15` (cronie counts to the end, Vixie refuses it), a step that
passes the end of its range, ranges that go down, full names, and what only Quartz, Jenkins or a crontab's line knows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from jobs.schedule.cron_refusals import refuse_expression, refuse_foreign
from jobs.schedule.dates import has_slots
from jobs.schedule.errors import ScheduleError, refuse_long
from jobs.schedule.names import MONTH_NUMBERS, MONTHS, SHORT_MONTHS, SHORT_WEEKDAYS, WEEKDAY_NUMBERS, nearest
from jobs.schedule.rule import ALL_DAYS, ALL_WEEKDAYS, Rule
from jobs.text import Span


@dataclass(frozen=True, slots=True)
class Field:
    """One of the five fields: its name for people, its bounds, and the names that stand for numbers."""

    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()  # of low, low + 1, …


FIELDS: Final = (
    Field("minute", 0, 59),
    Field("hour", 0, 23),
    Field("day of month", 1, 31),
    Field("month", 1, 12, SHORT_MONTHS),
    Field("day of week", 0, 7, SHORT_WEEKDAYS),
)

MACROS: Final = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}

_PART = re.compile(r"(?P<first>\*|[0-9a-zA-Z]+)(?:-(?P<last>[0-9a-zA-Z]+))?(?:/(?P<step>[0-9]+))?")


def parse_cron(text: str) -> tuple[Rule, ...]:
    """The rules (today always one) of a cron expression. Raises ScheduleError."""
    refuse_long(text)
    macro = MACROS.get(text.strip().lower())
    words = list(re.finditer(r"\S+", macro or text))
    if len(words) != len(FIELDS):
        refuse_expression(text, words, MACROS)
    minutes, hours, days, months, weekdays = (
        _numbers(field, word.group(), word.start()) for field, word in zip(FIELDS, words, strict=True)
    )
    weekdays = tuple(sorted({number % 7 for number in weekdays}))
    either = not (words[2].group().startswith("*") or words[4].group().startswith("*"))
    if either and (days == ALL_DAYS or weekdays == ALL_WEEKDAYS):
        days, weekdays, either = (
            ALL_DAYS,
            ALL_WEEKDAYS,
            False,
        )  # "1-31" beside "mon" is every day, with or without mon
    rule = Rule(minutes, hours, days, months, weekdays, either=either)
    if not has_slots(rule):
        names = " or ".join(MONTHS[month - 1].capitalize() for month in months)
        raise ScheduleError(
            f"there is no day {words[2].group()} in {names}",
            'for the last day of a month write at = { time = "…", day = "last", month = … }',
            Span(words[2].start(), words[2].end()),
        )
    return (rule,)


def _numbers(field: Field, text: str, offset: int) -> tuple[int, ...]:
    """The numbers of one field, sorted; `offset` is its place in the expression."""
    found: set[int] = set()
    start = offset
    for part in text.split(","):
        span = Span(start, start + len(part))
        if not part:
            at = max(offset, start - 1)
            raise ScheduleError(
                f"a comma with nothing beside it in {text!r}", "take it away", Span(at, at + 1)
            )
        match = _PART.fullmatch(part)
        if match is None or (match["first"] == "*" and match["last"]):
            refuse_foreign(field.name, part, span)
            raise ScheduleError(
                f"{part!r} is not a {field.name}",
                f"write numbers from {field.low} to {field.high}, a-b, or */n",
                span,
            )
        found.update(_part(field, match, span))
        start += len(part) + 1
    return tuple(sorted(found))


def _part(field: Field, match: re.Match[str], span: Span) -> range:
    """The numbers of one part: `*`, `a`, `a-b`, each range with `/n`."""
    text = match.group()
    step = 1
    if match["first"] == "*":
        first, last = field.low, 6 if field.high == 7 else field.high
    else:
        first = _number(field, match, "first", span)
        last = first if match["last"] is None else _number(field, match, "last", span)
        if match["last"] is not None and last < first:
            raise ScheduleError(
                f"the range {text!r} goes down", _upward(field, first, last, match["step"]), span
            )
    if match["step"] is not None:
        step = int(match["step"])
        where = Span(span.start + match.start("step"), span.start + match.end("step"))
        if step == 0:
            raise ScheduleError("a step of 0 never moves", "write a step of 1 or more", where)
        if match["first"] != "*" and match["last"] is None:
            hint = f"write {first}-{field.high}/{step} for every {step} from there to the end"
            if step > field.high - first:
                hint = f"write {first}"
            raise ScheduleError(f"{text!r} has a step but no range: crons differ on it", hint, span)
        if step > last - first:
            hint = f"write {first}, which is all that it means"
            if field.name in {"minute", "hour"} and match["first"] == "*" and step > 1:
                unit = "m" if field.name == "minute" else "h"
                hint += f'; for every {step}{unit} use every = "{step}{unit}"'
            raise ScheduleError(f"the step {step} passes the end of {first}-{last}", hint, where)
    return range(first, last + 1, step)


def _number(field: Field, match: re.Match[str], group: str, span: Span) -> int:
    """The number that a word of a part stands for."""
    word = match[group]
    where = Span(span.start + match.start(group), span.start + match.end(group))
    if word.isdigit():
        number = int(word)
        if field.low <= number <= field.high:
            return number
        hint = f"write a number from {field.low} to {field.high}"
        if (field.name, number) == ("hour", 24):
            hint = "write 0: midnight begins the day"
        elif (field.name, number) == ("minute", 60):
            hint = "write 0"
        raise ScheduleError(f"there is no {field.name} {word}", hint, where)
    if word.lower() in field.names:
        return field.low + field.names.index(word.lower())
    refuse_foreign(field.name, match.group(), span)
    full = {**WEEKDAY_NUMBERS, **MONTH_NUMBERS}
    if field.names:
        near = word.lower() if word.lower() in full else nearest(word, dict.fromkeys(field.names, 0))
        hint = f"write {near[:3]}" if near and near[:3] in field.names else f"use {', '.join(field.names)}"
    else:
        hint = f"write a number from {field.low} to {field.high}"
    raise ScheduleError(f"{word!r} is not a {field.name}", hint, where)


def _upward(field: Field, first: int, last: int, step: str | None) -> str:
    """What to write for a range that goes down."""
    if step is not None:
        return "write it as a list of numbers"
    if field.high == 7 and last == 0:
        return f"write {first}-7: 7 is Sunday, too"
    high = 6 if field.high == 7 else field.high
    head = str(first) if first == high else f"{first}-{high}"
    tail = str(last) if last == field.low else f"{field.low}-{last}"
    return f"write {head},{tail}"
