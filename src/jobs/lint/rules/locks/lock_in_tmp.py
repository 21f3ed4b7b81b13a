"""L011: a lock or a mark of the day in a folder that macOS empties."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.locks import DATE, locks
from jobs.lint.shell.operations import Operation, inner_command, operations
from jobs.read.shell.flow import leaves, outcome
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Command, Word
from jobs.read.shell.values import values_of

FINER = re.compile(r"%[sMSNTcR]|%I|%H%M")
WHOLE = re.compile(r"/?(?:private/)?tmp/?")
NAMED = re.compile(r"(?:/)tmp|TMPDIR")
EMPTIED = re.compile(r"^(/private)?/tmp(/|$)|^\$\{?TMPDIR\b|^\$TMPDIR")


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at the place where each such path is written."""
    seen: set[int] = set()
    for word, command, what in _candidates(script):
        hits = [
            written
            for text, written in values_of(script).possible(word, command)
            if EMPTIED.match(text) and not WHOLE.fullmatch(text)
        ]
        written = next((each for each in hits if NAMED.search(each.raw)), hits[0] if hits else None)
        if written is not None and id(written) not in seen:
            seen.add(id(written))
            yield Finding(
                script.of(written),
                f"{what} {written.raw} lies in a folder that macOS empties: at boot, and after three days without "
                "use even when it is held",
                Fix('keep it in "$HOME/Library/Application Support/NAME"'),
            )


def _candidates(script: Script) -> Iterator[tuple[Word, Command, str]]:
    for lock in locks(script):
        if lock.how not in ("mkdir-p", "create"):  # no locks at all: L001 and L003 come first
            yield lock.take.word, lock.take.command, "the lock"
    for command in script.commands:
        name, arguments = inner_command(command)
        if name in ("lockf", "flock", "shlock", "setlock", "lockfile"):
            plain = [
                word for word in arguments if not word.shape.startswith("-") and not word.shape.isdigit()
            ]
            if plain:
                yield plain[0], command, "the lock"
    for each in _day_marks(script):
        yield each.word, each.command, "the mark of the day"


def _day_marks(script: Script) -> Iterator[Operation]:
    made = {
        each.key for each in operations(script) if each.kind in ("create", "mkdir", "mkdir-p", "exclusive")
    }
    for each in operations(script):
        if each.kind != "test" or each.key not in made or not DATE.search(each.key) or FINER.search(each.key):
            continue
        out = outcome(script, each.command)
        if leaves(script, out.failure if each.negated else out.success) or (each.negated and out.success):
            yield each


RULE = Rule(
    code="L011",
    name="lock-in-tmp",
    title="Lock or mark of the day in /tmp",
    subject="script",
    severity=Severity.WARNING,
    why=(
        "macOS clears /tmp at boot and removes what was not used for three days every night; $TMPDIR likewise. A mark "
        'that says "ran today" is gone after a reboot and the job runs twice; a lock that is held for days is deleted '
        "under its owner."
    ),
    bad="""\
#!/bin/sh
LOCK=/tmp/sync.lock
mkdir "$LOCK" 2>/dev/null || exit 0
trap 'rmdir "$LOCK"' EXIT
rsync -a "$HOME/a/" "$HOME/b/"
""",
    good=(
        """\
#!/bin/sh
LOCK="$HOME/Library/Application Support/sync/lock"
mkdir "$LOCK" 2>/dev/null || exit 0
trap 'rmdir "$LOCK"' EXIT
rsync -a "$HOME/a/" /tmp/b/
""",
    ),
    sources=(
        "https://github.com/DeusData/codebase-memory-mcp/issues/2178",
        "com.apple.tmp_cleaner, 110.clean-tmps, dirhelper(8)",
    ),
    check=check,
)
