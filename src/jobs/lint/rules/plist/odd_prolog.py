"""P013: a prolog that launchd takes and others may not."""

from __future__ import annotations

from jobs.diagnostics import Severity
from jobs.lint.plist_job import on_faults
from jobs.lint.rule import Rule
from jobs.lint.sample import AGENT_PATH, DOCTYPE, job

RULE = Rule(
    code="P013",
    name="odd-prolog",
    title="No DOCTYPE line, a malformed one, or a byte order mark",
    subject="plist",
    severity=Severity.INFO,
    why="launchd takes both; some checkers and editors do not know the file for a property list.",
    bad=job().replace(DOCTYPE, ""),
    good=(job(),),
    check=on_faults(
        "doctype-missing", "bom", "doctype-malformed", severities={"doctype-malformed": Severity.WARNING}
    ),
    sources=("plist(5)",),
    example_path=AGENT_PATH,
)
