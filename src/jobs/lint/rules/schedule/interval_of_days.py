"""S203: every = a day or more."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.manifest_sample import manifest
from jobs.lint.rule import Context, Finding, JobFacts, Rule


def _check(facts: JobFacts, _context: Context) -> Iterator[Finding]:
    """An interval that sleep and restarts keep from passing."""
    every = facts.job.every_s
    if every is not None and every >= 86_400:
        yield Finding(
            facts.at("every"),
            f"every = {every // 3600} hours: ticks in sleep are lost, and the count begins anew at each login",
            Fix('write a time: at = "09:30"'),
        )


RULE = Rule(
    code="S203",
    name="interval-of-days",
    title="An interval of a day or more",
    subject="job",
    severity=Severity.INFO,
    why="launchd counts an interval from the load of the job and not in sleep. A time of day is made up after sleep, an interval is not.",
    bad=manifest('every = "24h"'),
    good=(manifest('every = "6h"'), manifest('at = "09:30"')),
    check=_check,
    sources=("launchd.plist(5), StartInterval",),
)
