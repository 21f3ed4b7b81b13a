"""B016: `grep -P`, which BSD grep lacks."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.tools import option, unguarded
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Word


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each call."""
    for name, command, arguments in unguarded(script, "grep", "egrep", "fgrep", "zgrep"):
        word = option(_options(arguments), r"-[a-zA-Z]*P[a-zA-Z]*|--perl-regexp")
        if word is not None:
            yield Finding(
                script.of(command),
                f"BSD {name} of macOS has no `{word.raw}`",
                Fix("use -E, sed, or `perl -ne`"),
            )


def _options(arguments: tuple[Word, ...]) -> tuple[Word, ...]:
    """The arguments without the values of options."""
    return tuple(
        word
        for before, word in zip((None, *arguments), arguments, strict=False)
        if before is None or before.shape not in ("-e", "-f", "-m", "-A", "-B", "-C")
    )


RULE = Rule(
    code="B016",
    name="grep-p",
    title="grep -P on macOS",
    subject="script",
    severity=Severity.ERROR,
    why=(
        'BSD grep knows no Perl patterns: it prints its usage and ends with 2, which an `if grep` takes for "not found".'
    ),
    bad="""\
#!/bin/bash
version=$(grep -oP "(?<=version )[0-9.]+" "$1")
""",
    good=(
        """\
#!/bin/bash
version=$(sed -n "s/.*version \\([0-9.]*\\).*/\\1/p" "$1")
""",
        """\
#!/bin/bash
ggrep -P "a(?=b)" "$1"
""",
    ),
    exceptions="Silent where the call is reached elsewhere than on macOS, has another way beside it (`A || B`), or names a tool of another folder.",
    sources=("grep(1)",),
    check=check,
)
