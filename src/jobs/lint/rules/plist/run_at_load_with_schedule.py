"""P132: a start at load beside a schedule."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, flag, job, number


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """RunAtLoad in a job with calendar times."""
    if job.is_true("RunAtLoad") and job.calendar() and not job.is_true("KeepAlive"):
        yield Finding(
            job.key_place("RunAtLoad"),
            "RunAtLoad with calendar times: it runs at each login and each load too, whether or not a time was missed",
            Fix("remove RunAtLoad, unless that is meant"),
        )


RULE = Rule(
    code="P132",
    name="run-at-load-with-schedule",
    title="A scheduled job also runs at each load",
    subject="plist",
    severity=Severity.INFO,
    why="RunAtLoad is often taken for a way to make up missed times. It starts the job at every login and at every re-install.",
    bad=job(flag("RunAtLoad")),
    good=(job(flag("RunAtLoad"), trigger=number("StartInterval", 3600)), job(flag("RunAtLoad", value=False))),
    check=on_job(_check),
    exceptions="With StartInterval it gives the first run, which would otherwise come one interval later.",
    sources=("launchd.plist(5), RunAtLoad",),
    example_path=AGENT_PATH,
)
