"""E207: the keychain in a job of a background session."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.manifest_sample import manifest
from jobs.lint.rule import Context, Finding, JobFacts, Rule
from jobs.lint.rules.environment.keychain_in_background import KEYCHAIN, background_only
from jobs.model.job import ShellLine


def _check(facts: JobFacts, _context: Context) -> Iterator[Finding]:
    """A job outside of the desktop session whose command, or a script that it reaches, asks the keychain."""
    job = facts.job
    value = job.launchd.get("LimitLoadToSessionType")
    if not background_only(value) and not (value is None and facts.manifest.project.domain == "user"):
        return
    line = job.run.text if isinstance(job.run, ShellLine) else " ".join(job.run.words)
    scripts = [each.script.source.text for each in facts.reached]
    if any(KEYCHAIN.search(re.sub(r"(?m)^\s*#.*$", "", text)) for text in (line, *scripts)):
        yield Finding(
            facts.at("launchd"),
            "session Background and the keychain (security …): it ends with 36, no interaction allowed",
            Fix("leave the session Aqua, or take the secret from env_file"),
        )


RULE = Rule(
    code="E207",
    name="job-keychain-in-background",
    title="The keychain from a background session",
    subject="job",
    severity=Severity.WARNING,
    why="The login keychain is unlocked in the desktop session only. In a background session `security` answers 36.",
    bad=manifest(
        'at = "09:30"\nlaunchd = { LimitLoadToSessionType = "Background" }',
        run='"security find-generic-password -s tidy -w"',
    ),
    good=(manifest('at = "09:30"', run='"security find-generic-password -s tidy -w"'),),
    check=_check,
    sources=("launchctl(1), domains and session types",),
)
