"""E208: a log where the user of the job may not write."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from jobs.diagnostics import Fix, Severity
from jobs.lint.manifest_sample import manifest
from jobs.lint.rule import Context, Finding, JobFacts, Rule
from jobs.lint.rules.plist.unwritable_log import OF_ROOT


def _check(facts: JobFacts, _context: Context) -> Iterator[Finding]:
    """A log below a folder of root, for a job of a user."""
    job, project = facts.job, facts.manifest.project
    if project.domain != "system" and OF_ROOT.match(job.log) and not job.log.startswith("/dev/"):
        yield Finding(
            facts.at("log"),
            f'log "{job.log}": not writable by this user; the job does not start, last exit 78',
            Fix(f'write log = "{project.logs}/{PurePosixPath(job.log).name}"'),
        )


RULE = Rule(
    code="E208",
    name="job-log-unwritable",
    title="A log where the user may not write",
    subject="job",
    severity=Severity.ERROR,
    why="launchd opens the log as the user of the job. When it cannot, the job ends with status 78 before its first line.",
    bad=manifest('at = "09:30"\nlog = "/Library/Logs/MyJobs/a.log"'),
    good=(manifest('at = "09:30"\nlog = "/Users/kim/Library/Logs/MyJobs/a.log"'),),
    check=_check,
    exceptions="Jobs of the system domain, which run as root.",
    sources=("launchd.plist(5), StandardOutPath",),
)
