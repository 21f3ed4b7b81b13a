"""S202: a job whose slots are all at night."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.manifest_sample import manifest
from jobs.lint.rule import Context, Finding, JobFacts, Rule
from jobs.lint.slots import clock_times


def _check(facts: JobFacts, _context: Context) -> Iterator[Finding]:
    """A schedule before 06:00 only, of a job that nothing makes up."""
    job = facts.job
    if job.schedule is None or job.at_load or job.keep_alive is not None or job.watch:
        return
    if job.catchup is not None and "missed" in job.catchup.reasons:
        return
    times = clock_times(job.schedule)
    if times and all(hour < 6 for hour, _ in times):
        yield Finding(
            facts.at("cron" if "cron" in job.places else "at"),
            "runs at night only (before 06:00): slots are lost while the Mac is off or nobody is logged in",
            Fix('add a time of day, or write catchup = { for = ["guard", "missed"] }'),
        )


RULE = Rule(
    code="S202",
    name="slots-at-night-only",
    title="Every slot is at night",
    subject="job",
    severity=Severity.INFO,
    why="launchd makes up what passed in sleep, not what passed while the Mac was off or nobody was logged in.",
    bad=manifest('at = "04:30"'),
    good=(manifest('at = ["04:30", "12:30"]'), manifest('at = "04:30"\ncatchup = { for = ["missed"] }')),
    check=_check,
    exceptions="Jobs whose missed slots are caught up.",
    sources=("launchd.plist(5), StartCalendarInterval",),
)
