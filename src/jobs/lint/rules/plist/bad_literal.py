"""P011: a number, date or boolean that is none."""

from __future__ import annotations

from jobs.diagnostics import Severity
from jobs.lint.plist_job import on_faults
from jobs.lint.rule import Rule
from jobs.lint.sample import AGENT_PATH, job

RULE = Rule(
    code="P011",
    name="bad-literal",
    title="An element holds text that it cannot hold",
    subject="plist",
    severity=Severity.ERROR,
    why="An `<integer>` with anything but digits, a `<date>` in another form or a `<true>` with text make the file unreadable.",
    bad=job("<key>Nice</key><integer>ten</integer>"),
    good=(job("<key>Nice</key><integer> 10 </integer>"), job("<key>Nice</key><integer>0xA</integer>")),
    check=on_faults("bad-value"),
    sources=("PropertyList-1.0.dtd",),
    example_path=AGENT_PATH,
)
