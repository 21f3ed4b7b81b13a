"""U003: a comment that names no rule that is there."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.read.shell.script import Script


def check(_script: Script, _context: Context) -> Iterator[Finding]:
    """Nothing: `jobs.lint.suppress` finds these, when all other findings are known."""
    return iter(())


RULE = Rule(
    code="U003",
    name="unknown-ignore",
    title="Ignore comment for a rule that is not there",
    subject="script",
    severity=Severity.WARNING,
    why="A code with a slip ignores nothing, and looks as if it did.",
    bad="""\
#!/bin/bash
make # jobs: ignore[B0111] runs in a container
""",
    good=(
        """\
#!/bin/bash
make -j "$(nproc)" # jobs: ignore[B011] runs in a container
""",
    ),
    check=check,
)
