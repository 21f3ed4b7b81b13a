"""U002: a comment that ignores nothing."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.read.shell.script import Script


def check(_script: Script, _context: Context) -> Iterator[Finding]:
    """Nothing: `jobs.lint.suppress` finds these, when all other findings are known."""
    return iter(())


RULE = Rule(
    code="U002",
    name="unused-ignore",
    title="Ignore comment that ignores nothing",
    subject="script",
    severity=Severity.WARNING,
    why="The fault is gone and the comment stays: it would hide the next one.",
    bad="""\
#!/bin/bash
make # jobs: ignore[B011] runs in a container
""",
    good=(
        """\
#!/bin/bash
make -j "$(nproc)" # jobs: ignore[B011] runs in a container
""",
    ),
    check=check,
)
