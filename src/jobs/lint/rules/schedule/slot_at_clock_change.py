"""S201: a slot in the hours that clock changes touch."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.manifest_sample import manifest
from jobs.lint.rule import Context, Finding, JobFacts, Rule
from jobs.lint.slots import changes_clock, clock_times


def _check(facts: JobFacts, _context: Context) -> Iterator[Finding]:
    """The first slot between 01:00 and 02:59, in a zone that may change its clocks."""
    schedule = facts.job.schedule
    if schedule is None or not changes_clock(schedule.zone):
        return
    for hour, minute in clock_times(schedule):
        if hour in {1, 2}:
            yield Finding(
                facts.at("cron" if "cron" in facts.job.places else "at"),
                f"{hour:02d}:{minute:02d} may come twice in autumn or not at all in spring; the wrapper runs the slot once, up to an hour late",
                Fix("write a time before 01:00 or from 03:00 on, or name a timezone without summer time"),
            )
            return


RULE = Rule(
    code="S201",
    name="slot-at-clock-change",
    title="A slot that clock changes repeat or leave out",
    subject="job",
    severity=Severity.INFO,
    why="02:30 does not exist on one day in spring and comes twice on one in autumn; in America 01:30 comes twice. The slot runs once, but not at its hour.",
    bad=manifest('at = ["02:30", "12:00"]'),
    good=(
        manifest('at = "09:30"'),
        manifest('at = "02:30"\ntimezone = "Asia/Tokyo"'),
        manifest('cron = "*/15 * * * *"'),
    ),
    check=_check,
    exceptions="Jobs of every hour, and zones that never change their clocks.",
    sources=("zic(8)",),
)
