"""S111: times at night and at no other."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.calendar_entry import entries
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, calendar

NIGHT = range(6)


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """A job whose every time is before 06:00 and that nothing else starts."""
    each = list(entries(job))
    hours = [entry.fields.get("Hour", -1) for entry in each]
    others = ("StartInterval", "WatchPaths", "QueueDirectories")
    if (
        not hours
        or any(hour not in NIGHT for hour in hours)
        or any(job.get(name) is not None for name in others)
    ):
        return
    if job.is_true("RunAtLoad") or job.is_true("KeepAlive"):
        return
    yield Finding(
        each[0].value.place,
        "runs at night only (before 06:00): a Mac that is off or logged out then never runs it, and nobody is told",
        Fix("add a time of day, or check for missed runs"),
    )


RULE = Rule(
    code="S111",
    name="night-only",
    title="The job runs at night only",
    subject="plist",
    severity=Severity.INFO,
    why="launchd makes up a time that passed in sleep, but not one that passed while the Mac was off or nobody was logged in.",
    bad=calendar("Hour=4 Minute=0"),
    good=(calendar("Hour=4 Minute=0", "Hour=12 Minute=0"), calendar("Hour=9 Minute=0")),
    check=on_job(_check),
    sources=("launchd.plist(5), StartCalendarInterval", "Apple, Scheduling Timed Jobs: powered off"),
    example_path=AGENT_PATH,
)
