"""L001: `mkdir -p` whose status is read as "I have the lock"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Edit, Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.locks import locks
from jobs.lint.shell.operations import Operation
from jobs.read.shell.script import Script
from jobs.text import Span


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each `mkdir -p` that decides who runs."""
    for lock in locks(script):
        if lock.how == "mkdir-p":
            for take in lock.takes:
                message = (
                    f"`mkdir -p {take.word.raw}` succeeds when the folder is there: everybody gets this lock"
                )
                yield Finding(script.of(take.command), message, fix(script, take))


def fix(script: Script, take: Operation) -> Fix:
    """What to write instead; the edit takes the option out."""
    text = "leave out `-p`, make the parent folder with a `mkdir -p` of its own, and test the status"
    for word in take.command.arguments:
        if script.fixed is None and re.fullmatch(r"-p|--parents", word.shape):
            edit = Edit(script.path, Span(word.start, word.end + 1), "")
            return Fix(text, (edit,))
    return Fix(text)


RULE = Rule(
    code="L001",
    name="mkdir-p-as-lock",
    title="`mkdir -p` taken for a lock",
    subject="script",
    severity=Severity.ERROR,
    why=(
        "`mkdir` without `-p` fails when the folder is there, in one step, and so only one starter wins. With `-p` it "
        "succeeds for everybody: the lock never keeps anybody out, and nothing shows it until two runs collide."
    ),
    bad="""\
#!/bin/sh
LOCK="$HOME/.state/sync.lock"
mkdir -p "$LOCK" || exit 0
trap 'rm -rf "$LOCK"' EXIT
rsync -a "$HOME/a/" "$HOME/b/"
""",
    good=(
        """\
#!/bin/sh
LOCK="$HOME/.state/sync.lock"
mkdir -p "$HOME/.state"
mkdir "$LOCK" 2>/dev/null || exit 0
trap 'rmdir "$LOCK"' EXIT
rsync -a "$HOME/a/" "$HOME/b/"
""",
        """\
#!/bin/bash
LOCK_DIR="$HOME/.state/locks"
if ! mkdir -p "$LOCK_DIR"; then exit 1; fi
exec 9>"$LOCK_DIR/sync.lock"
/usr/bin/lockf -s -t 0 9 || exit 0
rsync -a "$HOME/a/" "$HOME/b/"
""",
    ),
    exceptions="`mkdir -p` that makes the folder in which locks lie is right, and the most frequent form by far.",
    sources=("POSIX mkdir, option -p", "https://mywiki.wooledge.org/BashFAQ/045"),
    check=check,
)
