"""L002: a lock that is looked for and made in two steps."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.locks import Lock, busy_branch, locks
from jobs.lint.shell.operations import Operation, liveness
from jobs.read.shell.script import Script


def deciding_test(script: Script, lock: Lock) -> Operation | None:
    """The test of existence that decides whether the lock is free."""
    for test in lock.tests:
        if test.at < lock.take.at and busy_branch(script, test) is not None:
            return test
    return None


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each test whose answer is too old when the lock is made."""
    if liveness(script):
        return  # L005 and L007 judge those
    for lock in locks(script):
        test = deciding_test(script, lock)
        if lock.how == "test-create" and not lock.writes_pid and test is not None:
            line = script.of(lock.take.command).line
            yield Finding(
                script.of(test.command),
                f"the lock {test.word.raw} is tested here and made on line {line}: not atomic, two starters can both pass",
                Fix(
                    "take it in one step that fails when it is there: `mkdir LOCK`, `ln -s`, or `>` under `set -C`"
                ),
            )


RULE = Rule(
    code="L002",
    name="test-then-create",
    title="Lock tested first and made afterwards",
    subject="script",
    severity=Severity.ERROR,
    why=(
        "Between the test and the creation another starter passes the same test. At a wake after sleep, and when a "
        "catch-up meets the schedule, two starts fall into the same moment regularly."
    ),
    bad="""\
#!/bin/sh
LOCK="$HOME/.state/backup.lock"
if [ -f "$LOCK" ]; then
  echo "busy"
  exit 0
fi
trap 'rm -f "$LOCK"' EXIT
touch "$LOCK"
restic backup "$HOME"
""",
    good=(
        """\
#!/bin/sh
LOCK="$HOME/.state/backup.lock"
if ! mkdir "$LOCK" 2>/dev/null; then
  echo "busy"
  exit 0
fi
trap 'rmdir "$LOCK"' EXIT
restic backup "$HOME"
""",
        """\
#!/bin/sh
# uninstall
LOCK="$HOME/.state/backup.lock"
[ -f "$LOCK" ] && rm -f "$LOCK"
[ -f pnpm-lock.yaml ] || exit 0
""",
        """\
#!/bin/sh
DONE="$HOME/.state/migrated"
[ -f "$DONE" ] && exit 0
migrate && touch "$DONE"
""",
    ),
    exceptions="A marker that is made when the work is done, and stays, is no lock.",
    sources=(
        "https://github.com/GameServerManagers/LinuxGSM/issues/2916",
        "https://mywiki.wooledge.org/BashFAQ/045",
    ),
    check=check,
)
