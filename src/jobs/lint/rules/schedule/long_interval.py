"""S113: an interval of a day or more."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, number

DAY_S = 86_400


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """A StartInterval that sleep, logout or a restart keeps from ever passing."""
    value = job.get("StartInterval")
    if value is None or job.interval is None or job.interval < DAY_S or job.calendar():
        return
    late = (
        "the first run is that long after each load"
        if not job.is_true("RunAtLoad")
        else "the count begins anew at each load"
    )
    yield Finding(
        value.place,
        f"StartInterval {job.interval} is {_days(job.interval)}: ticks in sleep are lost, and {late}",
        Fix("write StartCalendarInterval with Hour and Minute"),
        Severity.INFO if job.is_true("RunAtLoad") else None,
    )


def _days(seconds: int) -> str:
    days = seconds / DAY_S
    return "a day" if days == 1 else f"{days:.3g} days"


RULE = Rule(
    code="S113",
    name="long-interval",
    title="An interval that sleep and restarts never let pass",
    subject="plist",
    severity=Severity.WARNING,
    why=(
        "The interval counts from the load of the job, at login or start, and stands still in sleep. A laptop that restarts daily "
        "never reaches 86400 seconds. Calendar times are made up after sleep."
    ),
    bad=job(trigger=number("StartInterval", 86400)),
    good=(job(trigger=number("StartInterval", 3600)), job()),
    check=on_job(_check),
    exceptions="With RunAtLoad the job runs at least at each login: information only.",
    sources=("launchd.plist(5), StartInterval: fires missed in sleep are lost",),
    example_path=AGENT_PATH,
)
