"""U001: a script, or a part of one, that could not be read."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.read.shell.script import Script

OF_ANOTHER_SHELL = frozenset({"macos-zsh", "env-zsh"})


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at the first faults; what a zsh script may hold beyond this reader weighs less."""
    milder = Severity.INFO if script.shell in OF_ANOTHER_SHELL else None
    for fault in script.faults[:3]:
        start = script.place(fault.start, fault.end)
        first = script.source.line(start.line)
        place = script.place(fault.start, fault.start + max(1, len(first) - start.column + 1))
        yield Finding(
            place,
            f"not understood: {fault.message}; nothing is said about this part",
            Fix("try it with `sh -n FILE`; when that is content, report it"),
            milder,
        )


RULE = Rule(
    code="U001",
    name="not-understood",
    title="Script that could not be read",
    subject="script",
    severity=Severity.WARNING,
    why="What cannot be read cannot be called clean. Silence would look like praise.",
    bad="""\
#!/bin/sh
if [ -d "$1" ]; then
  echo "there"
""",
    good=(
        """\
#!/bin/sh
if [ -d "$1" ]; then
  echo "there"
fi
""",
    ),
    exceptions="Only a hint for zsh, whose grammar is read as far as it is bash's.",
    check=check,
)
