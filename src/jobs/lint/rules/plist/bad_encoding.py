"""P012: bytes that are not the text they claim to be."""

from __future__ import annotations

from jobs.diagnostics import Severity
from jobs.lint.plist_job import on_faults
from jobs.lint.rule import Rule
from jobs.lint.sample import AGENT_PATH, job

RULE = Rule(
    code="P012",
    name="bad-encoding",
    title="The bytes of the file are not in its encoding",
    subject="plist",
    severity=Severity.ERROR,
    why="A name with an accent saved in another encoding than the declared one makes the file unreadable, or the path wrong.",
    bad=job().replace('encoding="UTF-8"', 'encoding="mac-latin-roman"'),
    good=(job(), job("<!-- café -->")),
    check=on_faults("encoding"),
    sources=("XML 1.0, section 4.3.3 Character Encoding in Entities",),
    example_path=AGENT_PATH,
)
