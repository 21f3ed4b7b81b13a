"""L016: a lock that a crash leaves behind."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.locks import LOCKISH, SAYS_BUSY, Lock, asks_age, busy_branch, frees, locks
from jobs.lint.shell.operations import base_name, liveness
from jobs.read.shell.flow import outcome, text_of
from jobs.read.shell.script import Script


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at the taking of each lock that no trap frees and nobody takes over."""
    for lock in locks(script):
        if lock.how not in ("mkdir", "exclusive", "test-create") or lock.dated or _heals(script, lock):
            continue
        where = script.of(lock.take.command)
        if lock.removals:
            line = script.of(lock.removals[-1].command).line
            yield Finding(
                where,
                f"{lock.take.word.raw} is freed only on line {line}: after a crash, a stop or an exit before it, it is "
                "never freed and the job stays off",
                Fix(f"set `trap 'rm -rf {lock.take.word.raw}' EXIT` behind the line that takes it"),
            )
        elif _surely(script, lock):
            yield Finding(
                where,
                f"{lock.take.word.raw} is taken and never freed: the job runs once",
                Fix(f"set `trap 'rm -rf {lock.take.word.raw}' EXIT` behind the line that takes it"),
            )


def _heals(script: Script, lock: Lock) -> bool:
    if base_name(lock.take.command) in ("shlock", "lockfile", "dotlockfile"):
        return True
    if lock.how == "test-create" and lock.writes_pid:
        return True  # L004 and L005 say it
    trapped = any(trap.block is None and trap.handler is None for trap in script.traps)  # built at run time
    freed = any(frees(script, trap, lock) for trap in script.traps)
    return trapped or freed or bool(liveness(script)) or asks_age(script, lock) is not None


def _surely(script: Script, lock: Lock) -> bool:
    """Without any removal, the name or the message must say that it is a lock and no mark of work done."""
    if not LOCKISH.search(lock.key.rsplit("/", 1)[-1] + lock.take.word.raw):
        return False
    busy = outcome(script, lock.take.command).failure
    if lock.how == "test-create" and lock.tests:
        busy = busy_branch(script, lock.tests[0]) or []
    return SAYS_BUSY.search(text_of(script, busy)) is not None and not script.traps


RULE = Rule(
    code="L016",
    name="never-freed",
    title="Lock that a crash leaves behind",
    subject="script",
    severity=Severity.WARNING,
    why=(
        "A lock that is a file or a folder outlives its owner. Freed only at the end of the script it stays after "
        "`set -e`, a TERM from launchd or an error in between, and every later run finds it taken."
    ),
    bad="""\
#!/bin/sh
L="$HOME/.state/sync.lock"
mkdir "$L" 2>/dev/null || exit 0
rsync -a "$HOME/a/" "$HOME/b/"
rmdir "$L"
""",
    good=(
        """\
#!/bin/sh
L="$HOME/.state/sync.lock"
mkdir "$L" 2>/dev/null || exit 0
trap 'rmdir "$L"' EXIT
rsync -a "$HOME/a/" "$HOME/b/"
""",
        """\
#!/bin/sh
MARK="$HOME/.state/sync-$(date +%F)"
mkdir "$MARK" 2>/dev/null || exit 0
rsync -a "$HOME/a/" "$HOME/b/"
""",
    ),
    exceptions="Silent for marks of the day, and where a dead owner's lock is taken over.",
    sources=("https://github.com/GameServerManagers/LinuxGSM/issues/2916",),
    check=check,
)
