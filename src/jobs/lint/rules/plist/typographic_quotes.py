"""P004: curly quotes in the XML declaration."""

from __future__ import annotations

from jobs.diagnostics import Severity
from jobs.lint.plist_job import on_faults
from jobs.lint.rule import Rule
from jobs.lint.sample import AGENT_PATH, job

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'

RULE = Rule(
    code="P004",
    name="typographic-quotes",
    title="Typographic quotes in the first lines",
    subject="plist",
    severity=Severity.ERROR,
    why="Text copied from a web page often has curly quotes. The declaration is then no declaration, and the file cannot be read.",
    bad=job().replace(_DECLARATION, "<?xml version=”1.0” encoding=”UTF-8”?>"),
    good=(job(), job("<!-- the “tidy” job -->")),
    check=on_faults("declaration-quotes", mended=("declaration-quotes",)),
    exceptions="Curly quotes in comments and strings are text like any other.",
    sources=("XML 1.0, section 2.8 Prolog and Document Type Declaration",),
    example_path=AGENT_PATH,
)
