"""P137: LaunchOnlyOnce in a job with a schedule."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, flag, job


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """LaunchOnlyOnce beside a schedule or KeepAlive."""
    if job.is_true("LaunchOnlyOnce") and (job.scheduled or job.is_true("KeepAlive")):
        what = "a schedule" if job.scheduled else "KeepAlive"
        yield Finding(
            job.key_place("LaunchOnlyOnce"),
            f"LaunchOnlyOnce with {what}: launchd drops the job after its first run",
            Fix("remove LaunchOnlyOnce"),
        )


RULE = Rule(
    code="P137",
    name="once-on-schedule",
    title="A scheduled job that may run once only",
    subject="plist",
    severity=Severity.ERROR,
    why="launchd removes such a job after its first exit: the second time of the schedule finds nothing, and kickstart says 113.",
    bad=job(flag("LaunchOnlyOnce")),
    good=(
        job(flag("LaunchOnlyOnce"), flag("RunAtLoad"), trigger=""),
        job(flag("LaunchOnlyOnce", value=False)),
    ),
    check=on_job(_check),
    sources=("launchd.plist(5), LaunchOnlyOnce",),
    example_path=AGENT_PATH,
)
