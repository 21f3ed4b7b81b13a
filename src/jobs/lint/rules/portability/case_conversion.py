"""B002: `${x,,}`, `${x^^}` and `${x@Q}`, which bash 3.2 lacks."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.expansions import expansions
from jobs.lint.shell.platform import runs_on_macos
from jobs.lint.shell.tools import old_bash
from jobs.read.shell.script import Script


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each expansion."""
    if not old_bash(script):
        return
    for node, part in expansions(script):
        operator = part.operator.lstrip("!#")
        newer = operator in (",", ",,", "^", "^^") or operator.startswith("@")
        if newer and runs_on_macos(script, node):
            yield Finding(
                script.place(part.start, part.end),
                f"`{script.slice(part.start, part.end)}` is a bad substitution in bash 3.2 of macOS",
                Fix("use `tr` for the case and `printf %q` for quoting"),
            )


RULE = Rule(
    code="B002",
    name="case-conversion",
    title="Change of case in an expansion under bash 3.2",
    subject="script",
    severity=Severity.ERROR,
    why=(
        "`${name,,}`, `${name^^}` came with bash 4.0 and `${name@Q}` with 4.4. bash 3.2 stops with a bad substitution."
    ),
    bad="""\
#!/bin/bash
echo "${USER,,}"
""",
    good=(
        """\
#!/bin/bash
echo "$USER" | tr "[:upper:]" "[:lower:]"
""",
        """\
#!/opt/homebrew/bin/bash
echo "${USER,,}"
""",
    ),
    exceptions="Silent under another bash (`#!/opt/homebrew/bin/bash`), and where the script looks at BASH_VERSINFO.",
    sources=(
        "https://github.com/vaniacer/sshto/issues/21",
        "bash, CHANGES 4.0 and 4.4",
    ),
    check=check,
)
