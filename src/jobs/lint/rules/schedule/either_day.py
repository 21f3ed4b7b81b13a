"""S204: cron's day of the month or weekday."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.manifest_sample import manifest
from jobs.lint.rule import Context, Finding, JobFacts, Rule


def _check(facts: JobFacts, _context: Context) -> Iterator[Finding]:
    """A cron line with both day fields restricted."""
    schedule = facts.job.schedule
    if schedule is not None and any(rule.either for rule in schedule.rules):
        yield Finding(
            facts.at("cron"),
            "day of month and weekday in one cron line: either matches, as in cron",
            Fix('write at = { time = "…", weekday = "…", day = "…" } if both must match'),
        )


RULE = Rule(
    code="S204",
    name="either-day",
    title="A cron line whose days are joined by or",
    subject="job",
    severity=Severity.WARNING,
    why="`0 4 13 * 5` is not Friday the 13th: it is every 13th and every Friday.",
    bad=manifest('cron = "0 7 13 * 5"'),
    good=(manifest('cron = "0 7 13 * *"'), manifest('at = { time = "07:00", weekday = "fri", day = 13 }')),
    check=_check,
    sources=("crontab(5): the day of a command's execution",),
)
