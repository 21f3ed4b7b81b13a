"""S205: a day that some months lack."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.manifest_sample import manifest
from jobs.lint.rule import Context, Finding, JobFacts, Rule
from jobs.schedule.rule import ALL_DAYS, LAST_DAY
from jobs.schedule.rule import Rule as Times

_SHORTEST = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _skips(times: Times) -> bool:
    """Whether every day of a rule is missing in one of its months, so that the month has no slot at all."""
    if times.days == ALL_DAYS or LAST_DAY in times.days or times.either:
        return False
    return any(min(times.days) > _SHORTEST[month - 1] for month in times.months)


def _check(facts: JobFacts, _context: Context) -> Iterator[Finding]:
    """A schedule that leaves out a month for want of the day."""
    schedule = facts.job.schedule
    for times in schedule.rules if schedule is not None else ():
        if _skips(times):
            day = min(times.days)
            yield Finding(
                facts.at("cron" if "cron" in facts.job.places else "at"),
                f"day {day} is not in every month of the schedule: those months have no slot",
                Fix('write day = "last" for the end of the month'),
            )
            return


RULE = Rule(
    code="S205",
    name="day-not-in-every-month",
    title="A day that some months do not have",
    subject="job",
    severity=Severity.INFO,
    why="Day 31 gives seven slots a year. Whoever means the end of the month writes so.",
    bad=manifest('at = { time = "07:00", day = 31 }'),
    good=(manifest('at = { time = "07:00", day = "last" }'), manifest('at = { time = "07:00", day = 28 }')),
    check=_check,
    sources=("crontab(5)",),
)
