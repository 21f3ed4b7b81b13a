"""G204: a guarded job whose skipped slots nobody makes up."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.manifest_sample import manifest
from jobs.lint.rule import Context, Finding, JobFacts, Rule


def check(facts: JobFacts, _context: Context) -> Iterator[Finding]:
    """A finding for a guarded job with slots and no catch-up."""
    job = facts.job
    if not job.guards or job.schedule is None or not job.enabled:
        return
    if job.catchup is None:
        yield Finding(
            facts.at("catchup"),
            f"job {job.name!r} is guarded and `catchup` is off: a slot that the guard skips is lost",
            Fix("leave `catchup` out, or say in `about` that a lost slot does not matter"),
        )
    elif facts.manifest.catchup is None:
        yield Finding(
            facts.place,
            f"job {job.name!r} is guarded and the manifest has no `[catchup]`: nothing makes its skipped slots up",
            Fix("add a `[catchup]` table"),
        )


RULE = Rule(
    code="G204",
    name="never-made-up",
    title="Guarded job that cannot be caught up",
    subject="job",
    severity=Severity.INFO,
    why="A guard skips the slots of an outage. What was skipped comes back only when the catch-up may start the job.",
    bad=manifest('at = "09:30"\nguard = "claude"\ncatchup = false', run="\"claude -p 'write' > out.md\"")
    + '\n[catchup]\nevery = "15m"\n\n[guards.claude]\ntool = "claude"\n',
    good=(
        manifest('at = "09:30"\nguard = "claude"', run="\"claude -p 'write' > out.md\"")
        + '\n[catchup]\nevery = "15m"\n\n[guards.claude]\ntool = "claude"\n',
        manifest('every = "30m"\nguard = "claude"', run="\"claude -p 'write' > out.md\"")
        + '\n[guards.claude]\ntool = "claude"\n',
    ),
    check=check,
)
