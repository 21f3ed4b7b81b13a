"""E206: a job's paths on another volume."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.job_paths import job_texts
from jobs.lint.manifest_sample import manifest
from jobs.lint.rule import Context, Finding, JobFacts, Rule
from jobs.lint.well_known_paths import VOLUME


def _check(facts: JobFacts, _context: Context) -> Iterator[Finding]:
    """Each volume once a job; a watch on one is meant to wait for it."""
    told: set[str] = set()
    for key, text in job_texts(facts):
        found = VOLUME.search(text) if key != "watch" else None
        if found is not None and found.group() not in told:
            told.add(found.group())
            yield Finding(
                facts.at(key),
                f"{found.group()} in {key} is an external volume: needs a privacy right, may be absent",
                Fix(
                    "keep the program and its log on the system volume, and test in the job that the volume can be read"
                ),
            )


RULE = Rule(
    code="E206",
    name="job-on-external-volume",
    title="A job with paths on another volume",
    subject="job",
    severity=Severity.WARNING,
    why="A volume may not be mounted at login, and a job of launchd needs a privacy right for it: it hangs where a terminal does not.",
    bad=manifest('at = "09:30"\ncwd = "/Volumes/Ext/data"'),
    good=(manifest('at = "09:30"\ncwd = "/Users/kim/data"'),),
    check=_check,
    exceptions="watch.",
    sources=("launchd.plist(5), CAVEATS",),
)
