"""What rules ask of a schedule: its times of day, and whether its zone changes its clocks."""

from __future__ import annotations

from functools import cache

from jobs.schedule.rule import Schedule


def clock_times(schedule: Schedule) -> tuple[tuple[int, int], ...]:
    """The sorted (hour, minute) pairs of a schedule; a rule of every hour gives none for itself, it is no time of day."""
    pairs = {
        (hour, minute)
        for rule in schedule.rules
        if len(rule.hours) < 24
        for hour in rule.hours
        for minute in rule.minutes
    }
    return tuple(sorted(pairs))


@cache
def changes_clock(zone: str | None) -> bool:
    """Whether a zone has summer time these years. An unknown zone, or that of an unknown machine, counts as having it."""
    if zone is None:
        return True
    from datetime import datetime
    from zoneinfo import ZoneInfo

    try:
        name = ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        return True
    months = [
        datetime(year, month, 15, 12, tzinfo=name).utcoffset()
        for year in (2026, 2027)
        for month in (1, 4, 7, 10)
    ]
    return len(set(months)) > 1
