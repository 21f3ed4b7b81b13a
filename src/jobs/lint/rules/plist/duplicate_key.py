"""P007: one key twice in a dictionary."""

from __future__ import annotations

from jobs.diagnostics import Severity
from jobs.lint.plist_job import on_faults
from jobs.lint.rule import Rule
from jobs.lint.sample import AGENT_PATH, job, number

RULE = Rule(
    code="P007",
    name="duplicate-key",
    title="A key comes twice in one dictionary",
    subject="plist",
    severity=Severity.ERROR,
    why="Only one of the two values counts, and readers do not agree on which. The other one is lost without a word.",
    bad=job(number("Nice", 5), number("Nice", 10)),
    good=(job(number("Nice", 10)),),
    check=on_faults("duplicate-key"),
    exceptions="The same key in two different dictionaries is right.",
    sources=("PropertyList-1.0.dtd, element dict",),
    example_path=AGENT_PATH,
)
