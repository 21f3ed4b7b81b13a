"""A schedule said in words: one form for whatever way it was written."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from jobs.schedule.names import MONTHS, WEEKDAYS
from jobs.schedule.rule import (
    ALL_DAYS,
    ALL_HOURS,
    ALL_MINUTES,
    ALL_MONTHS,
    ALL_WEEKDAYS,
    LAST_DAY,
    Rule,
    Schedule,
)

_FEW_TIMES = 6
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth")


def in_words(schedule: Schedule) -> str:
    """A schedule in words, such as `Monday to Friday at 09:30 and 18:00 (Asia/Tokyo)`."""
    groups: dict[str, list[Rule]] = {}
    for rule in schedule.rules:
        groups.setdefault(_dates(rule), []).append(rule)
    text = "; ".join(_group(dates, rules) for dates, rules in groups.items())
    return f"{text} ({schedule.zone})" if schedule.zone else text


def rule_in_words(rule: Rule) -> str:
    """A rule in words."""
    return _group(_dates(rule), [rule])


def _group(dates: str, rules: list[Rule]) -> str:
    """Rules of the same dates in words: a few times of day in one list, else each for itself."""
    if len(rules) > 1:
        clock = {(hour, minute) for rule in rules for hour in rule.hours for minute in rule.minutes}
        if len(clock) <= _FEW_TIMES:
            times = [f"at {_join([f'{hour:02d}:{minute:02d}' for hour, minute in sorted(clock)])}"]
        else:
            times = list(dict.fromkeys(_times(rule) for rule in rules))
    else:
        times = [_times(rules[0])]
    if not dates:
        return "; ".join(text if text.startswith("every") else f"every day {text}" for text in times)
    return "; ".join(f"{dates}, {text}" if text.startswith("every") else f"{dates} {text}" for text in times)


def _times(rule: Rule) -> str:
    """The times of day: `at 09:30`, or what begins with `every`."""
    step = _step(rule.minutes)
    if rule.hours == ALL_HOURS:
        if rule.minutes == ALL_MINUTES:
            return "every minute"
        return f"every {step} minutes" if step else f"every hour at {_past(rule.minutes)}"
    if len(rule.hours) * len(rule.minutes) <= _FEW_TIMES:
        return f"at {_join([f'{hour:02d}:{minute:02d}' for hour in rule.hours for minute in rule.minutes])}"
    first, last = rule.hours[0], rule.hours[-1]
    run = rule.hours == tuple(range(first, last + 1))
    if rule.minutes == ALL_MINUTES or step:
        every = "every minute" if rule.minutes == ALL_MINUTES else f"every {step} minutes"
        if run:
            return f"{every} from {first:02d}:00 to {last:02d}:{rule.minutes[-1]:02d}"
        return f"{every} of {_hours(rule.hours)}"
    stride = _stride(rule.hours)
    if stride and len(rule.minutes) == 1:
        every = "every hour" if stride == 1 else f"every {stride} hours"
        minute = rule.minutes[0]
        return f"{every} from {first:02d}:{minute:02d} to {last:02d}:{minute:02d}"
    return f"every hour at {_past(rule.minutes)} in {_hours(rule.hours)}"


def _hours(hours: tuple[int, ...]) -> str:
    return f"the hours {_ranges([f'{hour:02d}' for hour in hours], hours)}"


def _past(minutes: tuple[int, ...]) -> str:
    return _ranges([f":{minute:02d}" for minute in minutes], minutes)


def _step(minutes: tuple[int, ...]) -> int | None:
    """The n of a full `*/n` that divides the hour."""
    step = 60 // len(minutes)
    return step if 1 < step < 60 and minutes == tuple(range(0, 60, step)) else None


def _stride(numbers: tuple[int, ...]) -> int | None:
    """The distance of numbers that have one between them all; there are two at least."""
    distance = numbers[1] - numbers[0] if len(numbers) > 1 else 0
    even = all(after - before == distance for before, after in pairwise(numbers))
    return distance if distance and even else None


def _dates(rule: Rule) -> str:
    """The dates, or nothing for every day."""
    months = "" if rule.months == ALL_MONTHS else f" in {_join_names(rule.months, MONTHS, offset=1)}"
    any_day, any_weekday = rule.days == ALL_DAYS, rule.weekdays == ALL_WEEKDAYS
    if any_day and any_weekday:
        return f"every day{months}" if months else ""
    if any_day:
        return f"{_weekdays(rule.weekdays)}{months}"
    if any_weekday:
        return f"{_days(rule.days)}{months or ' of the month'}"
    if rule.either:
        return f"{_days(rule.days)}{months or ' of the month'} or {_weekdays(rule.weekdays)}{months}"
    week = _week(rule.days)
    if week:
        return f"the {week} {_join_names(rule.weekdays, WEEKDAYS)}{months or ' of the month'}"
    days = _days(rule.days).replace(" and ", " or ")
    return f"{_weekdays(rule.weekdays)} if it is {days}{months or ' of the month'}"


def _week(days: tuple[int, ...]) -> str | None:
    """Which of its name in a month a weekday is, when it falls on such days."""
    for number in range(1, 6):
        if days == tuple(range(7 * number - 6, min(7 * number, 31) + 1)):
            return _ORDINALS[number]
    return None


def _weekdays(weekdays: tuple[int, ...]) -> str:
    if len(weekdays) == 1:
        return f"every {WEEKDAYS[weekdays[0]].capitalize()}"
    return _join_names(weekdays, WEEKDAYS)


def _days(days: tuple[int, ...]) -> str:
    numbers = tuple(day for day in days if day != LAST_DAY)
    parts = [f"day {_ranges([str(day) for day in numbers], numbers)}"] if numbers else []
    return _join(parts + ["the last day"] * (LAST_DAY in days))


def _join_names(numbers: tuple[int, ...], names: tuple[str, ...], offset: int = 0) -> str:
    """Names of numbers, runs of three and more as ranges; a week is told from Monday on."""
    if names is WEEKDAYS:
        numbers = tuple(sorted(numbers, key=lambda number: (number - 1) % 7))
        places: tuple[int, ...] = tuple((number - 1) % 7 for number in numbers)
    else:
        places = numbers
    return _ranges([names[number - offset].capitalize() for number in numbers], places)


def _ranges(words: Sequence[str], places: tuple[int, ...]) -> str:
    """Words joined, runs of three and more neighbours as `a to b`."""
    parts: list[str] = []
    start = 0
    for end in range(1, len(places) + 1):
        if end < len(places) and places[end] == places[end - 1] + 1:
            continue
        run = words[start:end]
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else run
        start = end
    return _join(parts)


def _join(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def duration_in_words(seconds: int) -> str:
    """A duration in its two greatest units, such as `5 h 12 min` or `3 d`; less than a minute in seconds."""
    seconds = abs(seconds)
    if seconds < 60:
        return f"{seconds} s"
    minutes = seconds // 60
    days, rest = divmod(minutes, 1440)
    hours, minutes = divmod(rest, 60)
    units = [(days, "d"), (hours, "h"), (minutes, "min")]
    while not units[0][0]:
        units.pop(0)
    return " ".join(f"{count} {unit}" for count, unit in units[:2] if count)
