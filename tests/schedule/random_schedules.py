"""Schedules at random, most of them like people's: a few times a day, some restrictions of the date."""

from __future__ import annotations

from random import Random

from jobs.schedule.dates import has_slots
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


def random_schedule(random: Random) -> Schedule:
    """A schedule of one to three rules that has slots."""
    return Schedule(tuple(random_rule(random) for _ in range(random.choice([1, 1, 1, 2, 3]))))


def random_rule(random: Random) -> Rule:
    """A rule that has slots."""
    while True:
        days = _some(random, ALL_DAYS, whole=0.6)
        if random.random() < 0.08:
            days = (LAST_DAY,) if days == ALL_DAYS else (LAST_DAY, *days)
        weekdays = _some(random, ALL_WEEKDAYS, whole=0.6)
        minutes = _minutes(random)
        hours = _some(random, ALL_HOURS, whole=0.04)
        rule = Rule(
            minutes,
            hours[:1] if minutes == ALL_MINUTES else hours,
            days,
            _some(random, ALL_MONTHS, whole=0.75),
            weekdays,
            either=random.random() < 0.3 and days != ALL_DAYS and weekdays != ALL_WEEKDAYS,
        )
        if has_slots(rule):
            return rule


def _minutes(random: Random) -> tuple[int, ...]:
    kind = random.random()
    if kind < 0.9:
        return tuple(sorted(random.sample(ALL_MINUTES, random.choice([1, 1, 1, 2]))))
    if kind < 0.995:
        return tuple(range(random.randrange(5), 60, random.choice([10, 15, 20])))
    return ALL_MINUTES


def _some(random: Random, every: tuple[int, ...], whole: float) -> tuple[int, ...]:
    kind = random.random()
    if kind < whole:
        return every
    if kind < whole + (1 - whole) * 0.75:
        return tuple(sorted(random.sample(every, random.choice([1, 1, 2, 3]))))
    first = random.randrange(len(every))
    return every[first : random.randint(first + 1, len(every))]
