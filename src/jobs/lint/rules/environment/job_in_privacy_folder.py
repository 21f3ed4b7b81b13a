"""E205: a job's folders that need a privacy right."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.job_paths import job_texts
from jobs.lint.manifest_sample import manifest
from jobs.lint.rule import Context, Finding, JobFacts, Rule
from jobs.lint.well_known_paths import PRIVATE


def _check(facts: JobFacts, _context: Context) -> Iterator[Finding]:
    """Each protected folder once a job, with the keys that name it."""
    seen: dict[str, list[str]] = {}
    for key, text in job_texts(facts):
        for found in PRIVATE.finditer(text):
            keys = seen.setdefault(found.group("folder"), [])
            if key not in keys:
                keys.append(key)
    for folder, keys in seen.items():
        yield Finding(
            facts.at(keys[0]),
            f"{folder} in {', '.join(keys)}: the job needs a privacy right to read it, and no window asks for one",
            Fix(f"move it out of {folder}, or give the job's program Full Disk Access"),
        )


RULE = Rule(
    code="E205",
    name="job-in-privacy-folder",
    title="A job in a folder that needs a privacy right",
    subject="job",
    severity=Severity.WARNING,
    why="macOS guards Documents, Desktop, Downloads and cloud folders; a job of launchd has no app that could ask for the right.",
    bad=manifest('at = "09:30"\ncwd = "/Users/kim/Documents/work"'),
    good=(manifest('at = "09:30"\ncwd = "/Users/kim/work"'),),
    check=_check,
    exceptions="Folders of the same names elsewhere.",
    sources=("launchd.plist(5), CAVEATS",),
)
