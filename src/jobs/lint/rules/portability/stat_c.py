"""B013: `stat -c`, which BSD stat lacks."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.tools import option, unguarded
from jobs.read.shell.script import Script


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each call."""
    for _name, command, arguments in unguarded(script, "stat"):
        word = option(arguments, r"-[L]*c.*|--(format|printf|terse|file-system|dereference)(=.*)?")
        if word is not None:
            yield Finding(
                script.of(command),
                f"BSD stat of macOS has no `{word.raw.split('=')[0]}`",
                Fix("use `stat -f %m FILE` (time), `%z` (size), `%Lp` (mode), `%Su` (owner)"),
            )


RULE = Rule(
    code="B013",
    name="stat-c",
    title="stat -c on macOS",
    subject="script",
    severity=Severity.WARNING,
    why=(
        "BSD stat formats with -f. `stat -c %Y FILE || echo 0` is always 0 on a Mac: an age computed from it never grows, and stale locks are never found."
    ),
    bad="""\
#!/bin/bash
age=$(( $(date +%s) - $(stat -c %Y "$1" || date +%s) ))
""",
    good=(
        """\
#!/bin/bash
mtime=$(stat -f %m "$1" 2>/dev/null || stat -c %Y "$1")
""",
        """\
#!/bin/bash
mtime=$(stat -c %Y "$1" 2>/dev/null || stat -f %m "$1")
""",
    ),
    exceptions="Silent where the call is reached elsewhere than on macOS, has another way beside it (`A || B`), or names a tool of another folder.",
    sources=(
        "https://github.com/calionauta/stelow/issues/5",
        "stat(1)",
    ),
    check=check,
)
