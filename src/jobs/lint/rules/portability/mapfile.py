"""B003: `mapfile` and `readarray`, which bash 3.2 lacks."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.platform import has_fallback, is_provided, runs_on_macos
from jobs.lint.shell.tools import old_bash
from jobs.read.shell.script import Script


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each call."""
    if not old_bash(script):
        return
    for name in ("mapfile", "readarray"):
        if is_provided(script, name):
            continue
        for command in script.calls.get(name, ()):
            if runs_on_macos(script, command) and not has_fallback(script, command):
                yield Finding(
                    script.of(command.words[0]),
                    f"bash 3.2 of macOS has no {name}",
                    Fix('read in a loop: `while IFS= read -r line; do lines+=("$line"); done`'),
                )


RULE = Rule(
    code="B003",
    name="mapfile",
    title="mapfile under bash 3.2",
    subject="script",
    severity=Severity.ERROR,
    why=(
        "`mapfile` and `readarray` came with bash 4.0: not found under macOS's own bash, and the array stays empty."
    ),
    bad="""\
#!/bin/bash
mapfile -t lines < "$HOME/list"
""",
    good=(
        """\
#!/bin/bash
lines=()
while IFS= read -r line; do lines+=("$line"); done < "$HOME/list"
""",
        """\
#!/opt/homebrew/bin/bash
mapfile -t lines < "$HOME/list"
""",
    ),
    exceptions="Silent under another bash (`#!/opt/homebrew/bin/bash`), and where the script looks at BASH_VERSINFO.",
    sources=("bash, CHANGES 4.0",),
    check=check,
)
