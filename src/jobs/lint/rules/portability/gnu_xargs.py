"""B018: options of xargs that BSD lacks."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.tools import unguarded
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Word


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each call."""
    for _name, command, arguments in unguarded(script, "xargs"):
        word = _gnu(arguments)
        if word is not None:
            yield Finding(
                script.of(command),
                f"BSD xargs of macOS has no `{word.raw}`",
                Fix("separate by NUL: `tr '\\n' '\\0' | xargs -0`"),
            )


def _gnu(arguments: tuple[Word, ...]) -> Word | None:
    takes_value = frozenset({"-I", "-n", "-P", "-L", "-s", "-E", "-J", "-R", "-S"})
    skip = False
    for word in arguments:
        text = word.shape
        if skip:
            skip = False
        elif text in takes_value:
            skip = True
        elif not text.startswith("-"):
            return None
        elif text.startswith(("--", "-d", "-a")) or text == "-i":
            return word
    return None


RULE = Rule(
    code="B018",
    name="gnu-xargs",
    title="GNU xargs on macOS",
    subject="script",
    severity=Severity.ERROR,
    why=("BSD xargs has no -d, no -a and no long options: it prints its usage and runs nothing."),
    bad="""\
#!/bin/bash
cut -f1 "$1" | xargs -d "\\n" rm
""",
    good=(
        """\
#!/bin/bash
find "$1" -print0 | xargs -0 -n 1 rm
""",
        """\
#!/bin/bash
cut -f1 "$1" | tr "\\n" "\\0" | xargs -0 -r rm
""",
    ),
    exceptions="Silent where the call is reached elsewhere than on macOS, has another way beside it (`A || B`), or names a tool of another folder.",
    sources=("xargs(1)",),
    check=check,
)
