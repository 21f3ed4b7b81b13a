"""B004: `|&`, `&>>`, `;&` and coproc, which bash 3.2 lacks."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.tools import old_bash
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Case, Pipeline


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each operator; a syntax error strikes on macOS wherever the line stands."""
    if not old_bash(script):
        return
    for node in script.nodes:
        if isinstance(node, Pipeline):
            for operator, at in node.operators:
                if operator == "|&":
                    yield _finding(script, at, at + 2, "|&", "write `2>&1 |`")
        if isinstance(node, Case):
            for _patterns, block, ending in node.items:
                if ending in (";&", ";;&"):
                    yield _finding(
                        script, block.start, block.end, ending, "repeat the commands in both branches"
                    )
        for redirect in node.redirects:
            if redirect.operator == "&>>":
                yield _finding(script, redirect.start, redirect.end, "&>>", "write `>> FILE 2>&1`")
    for command in script.calls.get("coproc", ()):
        yield _finding(script, command.start, command.start + 6, "coproc", "use a named pipe (`mkfifo`)")


def _finding(script: Script, start: int, end: int, what: str, instead: str) -> Finding:
    return Finding(script.place(start, end), f"`{what}` is a syntax error in bash 3.2 of macOS", Fix(instead))


RULE = Rule(
    code="B004",
    name="new-operator",
    title="An operator that bash 3.2 does not know",
    subject="script",
    severity=Severity.ERROR,
    why=(
        "`|&`, `&>>`, `;&`, `;;&` and `coproc` came with bash 4.0. bash 3.2 stops at the whole script with a syntax error, before its first command."
    ),
    bad="""\
#!/bin/bash
make |& tee "$HOME/build.log"
""",
    good=(
        """\
#!/bin/bash
make 2>&1 | tee "$HOME/build.log"
make >> "$HOME/build.log" 2>&1
""",
        """\
#!/bin/zsh
make |& tee "$HOME/build.log"
""",
    ),
    exceptions="Silent under another bash (`#!/opt/homebrew/bin/bash`), and where the script looks at BASH_VERSINFO.",
    sources=("bash, CHANGES 4.0",),
    check=check,
)
