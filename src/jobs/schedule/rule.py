"""The one form of a calendar schedule: sets of wall-clock fields."""

from __future__ import annotations

from dataclasses import dataclass

ALL_MINUTES = tuple(range(60))
ALL_HOURS = tuple(range(24))
ALL_DAYS = tuple(range(1, 32))
ALL_MONTHS = tuple(range(1, 13))
ALL_WEEKDAYS = tuple(range(7))
LAST_DAY = 0  # in `Rule.days`: the last day of the month, whichever number it has


@dataclass(frozen=True, slots=True)
class Rule:
    """Wall-clock minutes that match, in the schedule's zone.

    Every field is a sorted tuple without duplicates; the full range means "any". A date matches when its month is in
    `months` and its day and weekday match: both of them (`either` False, the manifest's `at`), or at least one
    (`either` True, cron's reading when both fields are restricted).

    `days` holds 1..31 and `LAST_DAY` (0). `weekdays` holds 0..6, 0 is Sunday. A day that a month lacks is never a
    slot of that month.
    """

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: tuple[int, ...] = ALL_DAYS
    months: tuple[int, ...] = ALL_MONTHS
    weekdays: tuple[int, ...] = ALL_WEEKDAYS
    either: bool = False


@dataclass(frozen=True, slots=True)
class Schedule:
    """The slots of a job: every minute that at least one rule matches.

    `zone` is an IANA name, or None for the zone of the machine that runs the job. A slot is named by its wall time
    (`20261201T0930`), so a wall time that comes twice in autumn is one slot (the first pass), and a wall time that
    spring leaves out is a slot at the first instant after the gap.
    """

    rules: tuple[Rule, ...]
    zone: str | None = None
