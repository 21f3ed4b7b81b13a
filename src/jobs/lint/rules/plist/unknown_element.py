"""P008: an element that property lists do not have."""

from __future__ import annotations

from jobs.diagnostics import Severity
from jobs.lint.plist_job import on_faults
from jobs.lint.rule import Rule
from jobs.lint.sample import AGENT_PATH, job

RULE = Rule(
    code="P008",
    name="unknown-element",
    title="An element that property lists do not have",
    subject="plist",
    severity=Severity.ERROR,
    why="Property lists know ten elements, all in lower case. With `<int>`, `<True/>` or `<bool>` the file is refused.",
    bad=job("<key>Nice</key><int>10</int>"),
    good=(job("<key>Nice</key><integer>10</integer>"), job("<key>RunAtLoad</key><false></false>")),
    check=on_faults("unknown-element"),
    sources=("PropertyList-1.0.dtd",),
    example_path=AGENT_PATH,
)
