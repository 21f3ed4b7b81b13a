"""P001: a file that no XML parser reads."""

from __future__ import annotations

from jobs.diagnostics import Severity
from jobs.lint.plist_job import on_faults
from jobs.lint.rule import Rule
from jobs.lint.sample import AGENT_PATH, job, key

RULE = Rule(
    code="P001",
    name="malformed-xml",
    title="The property list is not well-formed XML",
    subject="plist",
    severity=Severity.ERROR,
    why="launchd refuses a file that it cannot parse, and at login it does so without a word: the job is simply not there.",
    bad=job(key("WorkingDirectory", "/usr/local/var")).replace(
        "</string>\n  <key>Start", "</strin>\n  <key>Start"
    ),
    good=(job(key("WorkingDirectory", "/usr/local/var")),),
    check=on_faults("syntax", "angle-bracket", mended=("angle-bracket",)),
    sources=(
        "launchd.plist(5), DESCRIPTION: the file must be a property list",
        "XML 1.0, section 2.1 Well-Formed XML Documents",
    ),
    example_path=AGENT_PATH,
)
