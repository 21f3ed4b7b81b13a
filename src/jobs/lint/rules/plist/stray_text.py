"""P010: text between the elements."""

from __future__ import annotations

from jobs.diagnostics import Severity
from jobs.lint.plist_job import on_faults
from jobs.lint.rule import Rule
from jobs.lint.sample import AGENT_PATH, job

RULE = Rule(
    code="P010",
    name="stray-text",
    title="Text stands between the elements",
    subject="plist",
    severity=Severity.ERROR,
    why="Text outside of a string, a key or a number belongs to nothing. Apple's readers refuse it; others drop it.",
    bad=job("# every morning"),
    good=(job("<!-- every morning -->"),),
    check=on_faults("stray-text"),
    exceptions="Tokens of a template that stand for whole elements, in a file whose name says that it is a template.",
    sources=("PropertyList-1.0.dtd",),
    example_path=AGENT_PATH,
)
