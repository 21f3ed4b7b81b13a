"""B009: lines that end in CR LF."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Edit, Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.read.shell.script import Script
from jobs.text import Span


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """One finding for a script with such lines, at the first of them."""
    text = script.source.text
    at = text.find("\r\n")
    if at < 0 or script.fixed is not None or script.tree.start != 0:
        return
    edits = []
    while at >= 0:
        edits.append(Edit(script.path, Span(at, at + 1), ""))
        at = text.find("\r\n", at + 1)
    first = edits[0].span.start
    yield Finding(
        script.place(first, first + 1),
        f"{len(edits)} lines end in CR LF: the shell takes the CR for a part of the last word",
        Fix("end lines in LF alone", tuple(edits), safe=True),
    )


RULE = Rule(
    code="B009",
    name="crlf-line-ends",
    title="Lines that end in CR LF",
    subject="script",
    severity=Severity.ERROR,
    why=(
        "A CR behind the `#!` line makes the interpreter unknown (127), and behind a command an unknown command or a file "
        "whose name ends in CR. It comes from an editor or a checkout on Windows."
    ),
    bad="#!/bin/sh\r\necho hello\r\n",
    good=("#!/bin/sh\necho hello\n", "#!/bin/sh\nprintf 'a\\r\\n'\n"),
    sources=("POSIX sh, section 2.3",),
    check=check,
)
