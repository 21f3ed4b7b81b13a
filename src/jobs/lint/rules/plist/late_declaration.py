"""P005: something before the XML declaration."""

from __future__ import annotations

from jobs.diagnostics import Severity
from jobs.lint.plist_job import on_faults
from jobs.lint.rule import Rule
from jobs.lint.sample import AGENT_PATH, job

RULE = Rule(
    code="P005",
    name="late-declaration",
    title="The XML declaration is not the first thing in the file",
    subject="plist",
    severity=Severity.ERROR,
    why="Not even a comment or an empty line may stand before `<?xml`: strict readers refuse the file.",
    bad="<!-- see https://host.example/x -->\n" + job(),
    good=(job(), job().partition("\n")[2]),
    check=on_faults("declaration-late"),
    exceptions="A file without a declaration is right: UTF-8 is meant then.",
    sources=("XML 1.0, section 2.8 Prolog and Document Type Declaration",),
    example_path=AGENT_PATH,
)
