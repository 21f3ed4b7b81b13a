"""P136: a debugging aid left in."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, flag, job


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """WaitForDebugger or Debug set to true."""
    if job.is_true("WaitForDebugger"):
        yield Finding(
            job.key_place("WaitForDebugger"),
            "WaitForDebugger: the job starts suspended and waits for ever",
            Fix("remove it"),
        )
    if job.is_true("Debug"):
        yield Finding(
            job.key_place("Debug"),
            "Debug only makes launchd log more about the job",
            Fix("remove it"),
            Severity.INFO,
        )


RULE = Rule(
    code="P136",
    name="debug-leftover",
    title="A debugging aid was left in",
    subject="plist",
    severity=Severity.ERROR,
    why="A job that waits for a debugger never does anything, and its label stays busy: no later start happens.",
    bad=job(flag("WaitForDebugger")),
    good=(job(), job(flag("WaitForDebugger", value=False))),
    check=on_job(_check),
    sources=("launchd.plist(5), WaitForDebugger, Debug",),
    example_path=AGENT_PATH,
)
