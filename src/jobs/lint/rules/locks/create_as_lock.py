"""L003: `touch`, `>` or `ln -sf` whose status is read as "I have the lock"."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.locks import locks
from jobs.read.shell.script import Script


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each creation that cannot fail and decides who runs."""
    for lock in locks(script):
        if lock.how == "create":
            for take in lock.takes:
                yield Finding(
                    script.of(take.command),
                    f"this succeeds when {take.word.raw} is there already: everybody gets this lock",
                    Fix(
                        "use a step that fails when the lock is there: `mkdir LOCK`, `ln -s`, or `>` under `set -C`"
                    ),
                )


RULE = Rule(
    code="L003",
    name="create-as-lock",
    title="A creation that never fails taken for a lock",
    subject="script",
    severity=Severity.ERROR,
    why="`touch`, `>`, `cp` and `ln -sf` succeed whether or not the file was there: their status says nothing about others.",
    bad="""\
#!/bin/sh
LOCK="$HOME/.state/sync.lock"
touch "$LOCK" || { echo "already running"; exit 0; }
trap 'rm -f "$LOCK"' EXIT
rsync -a "$HOME/a/" "$HOME/b/"
""",
    good=(
        """\
#!/bin/sh
LOCK="$HOME/.state/sync.lock"
( set -C; : > "$LOCK" ) 2>/dev/null || { echo "already running"; exit 0; }
trap 'rm -f "$LOCK"' EXIT
rsync -a "$HOME/a/" "$HOME/b/"
""",
        """\
#!/bin/sh
LOG="$HOME/Library/Logs/sync.log"
touch "$LOG" || { echo "cannot write the log" >&2; exit 1; }
""",
    ),
    sources=("POSIX sh, section 2.7.2: set -C makes > fail on a file that exists",),
    check=check,
)
