"""B006: variables and subscripts that bash 3.2 lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.expansions import expansions
from jobs.lint.shell.platform import runs_on_macos
from jobs.lint.shell.tools import old_bash
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Part
from jobs.read.shell.values import values_of

NEW = {
    "EPOCHSECONDS": "date +%s",
    "EPOCHREALTIME": "date +%s",
    "SRANDOM": "$RANDOM",
    "BASHPID": "sh -c 'echo $PPID'",
    "BASH_ARGV0": "$0",
}


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each expansion."""
    if not old_bash(script):
        return
    for node, part in expansions(script):
        fault = _fault(part)
        if fault is not None and runs_on_macos(script, node) and not values_of(script).globals.get(part.text):
            yield Finding(script.place(part.start, part.end), *fault)


def _fault(part: Part) -> tuple[str, Fix] | None:
    if part.text in NEW and not part.operator:
        return f"${part.text} is empty in bash 3.2 of macOS", Fix(f"use `{NEW[part.text]}`")
    if part.operator == "[" and re.match(r"-\d+\]", part.rest):
        return "a negative subscript is an error in bash 3.2 of macOS", Fix(
            "count from the end: `${list[${#list[@]}-1]}`"
        )
    if part.operator == ":" and re.search(r":\s*-\s*\d+$", part.rest):
        return "a negative length is an error in bash 3.2 of macOS", Fix("cut with `${text%?}`")
    return None


RULE = Rule(
    code="B006",
    name="new-variable",
    title="A variable or subscript that bash 3.2 does not know",
    subject="script",
    severity=Severity.ERROR,
    why=(
        "`$EPOCHSECONDS`, `$EPOCHREALTIME`, `$SRANDOM` and `$BASHPID` are empty under bash 3.2, and an age computed with them is nonsense; `${list[-1]}` and `${text:0:-1}` stop the script."
    ),
    bad="""\
#!/bin/bash
start=$EPOCHSECONDS
""",
    good=(
        """\
#!/bin/bash
start=$(date +%s)
later=${EPOCHSECONDS:-$(date +%s)}
""",
        """\
#!/opt/homebrew/bin/bash
start=$EPOCHSECONDS
""",
    ),
    exceptions="Silent under another bash (`#!/opt/homebrew/bin/bash`), and where the script looks at BASH_VERSINFO.",
    sources=("bash, CHANGES 4.0 to 5.1",),
    check=check,
)
