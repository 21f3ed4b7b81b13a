"""P003: two dashes inside a comment."""

from __future__ import annotations

from jobs.diagnostics import Severity
from jobs.lint.plist_job import on_faults
from jobs.lint.rule import Rule
from jobs.lint.sample import AGENT_PATH, job

RULE = Rule(
    code="P003",
    name="dashes-in-comment",
    title="A comment holds --",
    subject="plist",
    severity=Severity.WARNING,
    why=(
        "XML does not allow two dashes inside a comment. Apple's own readers take them, plistlib, xmllint and most other tools "
        "refuse the file, so that backups, deployment tools and linters fail on a job that runs."
    ),
    bad=job("<!-- run with --limit 5 -->"),
    good=(job("<!-- run with limit 5 -->"), job("<!-- a - b -->")),
    check=on_faults("comment-dashes"),
    sources=("XML 1.0, section 2.5 Comments",),
    example_path=AGENT_PATH,
)
