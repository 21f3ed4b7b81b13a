"""S112: an interval and calendar times in one job."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, DAILY, job, number


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """StartInterval beside StartCalendarInterval."""
    if job.interval is not None and job.calendar():
        yield Finding(
            job.key_place("StartInterval"),
            f"StartInterval {job.interval} with StartCalendarInterval: both fire, independently",
            Fix("keep one of them"),
        )


RULE = Rule(
    code="S112",
    name="two-schedules",
    title="Two schedules in one job",
    subject="plist",
    severity=Severity.WARNING,
    why="The two do not restrict each other: the job runs at its times and at each interval, counted from its load.",
    bad=job(number("StartInterval", 3600)),
    good=(job(trigger=DAILY), job(trigger=number("StartInterval", 3600))),
    check=on_job(_check),
    sources=("launchd.plist(5), StartInterval and StartCalendarInterval",),
    example_path=AGENT_PATH,
)
