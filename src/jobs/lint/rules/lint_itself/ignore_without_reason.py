"""U004: a comment that says not why."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.read.shell.script import Script


def check(_script: Script, _context: Context) -> Iterator[Finding]:
    """Nothing: `jobs.lint.suppress` finds these, when all other findings are known."""
    return iter(())


RULE = Rule(
    code="U004",
    name="ignore-without-reason",
    title="Ignore comment without a reason",
    subject="script",
    severity=Severity.WARNING,
    why="The next reader cannot tell a judged exception from a silenced nuisance.",
    bad="""\
#!/bin/bash
make -j "$(nproc)" # jobs: ignore[B011]
""",
    good=(
        """\
#!/bin/bash
make -j "$(nproc)" # jobs: ignore[B011] runs in a container
""",
    ),
    check=check,
)
