"""P002: an ampersand that is not written as an entity."""

from __future__ import annotations

from jobs.diagnostics import Severity
from jobs.lint.plist_job import on_faults
from jobs.lint.rule import Rule
from jobs.lint.sample import AGENT_PATH, job, key

RULE = Rule(
    code="P002",
    name="raw-ampersand",
    title="A raw & stands in the text",
    subject="plist",
    severity=Severity.ERROR,
    why=(
        "In XML an ampersand begins an entity. A folder called R&D put in as it is makes the whole file unreadable, and the "
        "job stops without a message."
    ),
    bad=job(key("WorkingDirectory", "/usr/local/R&D")),
    good=(
        job(key("WorkingDirectory", "/usr/local/R&amp;D")),
        job(key("WorkingDirectory", "<![CDATA[/usr/local/R&D]]>")),
    ),
    check=on_faults("ampersand", "entity-unknown", mended=("ampersand",)),
    exceptions="The five entities of XML, character references and CDATA sections are right.",
    sources=("XML 1.0, section 2.4 Character Data and Markup",),
    example_path=AGENT_PATH,
)
