"""L015: a taken lock answered with a failure."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.locks import Lock, busy_branch, descriptor_commands, locks
from jobs.read.shell.flow import leaves, outcome
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Node

FINE = frozenset({"0", "75"})


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each exit with a failure that means "somebody else runs"."""
    for lock in locks(script):
        for branch in _busy(script, lock):
            leave = leaves(script, branch)
            if leave is None or leave.kind != "exit" or not leave.status.isdigit() or leave.status in FINE:
                continue
            yield Finding(
                script.of(leave.command),
                f"status {leave.status} for a lock that is taken: launchd counts it as a failure, and under KeepAlive it "
                "starts the job again every ten seconds",
                Fix("end with 0 (or 75, EX_TEMPFAIL) and one line in the log"),
            )
            break


def _busy(script: Script, lock: Lock) -> Iterator[list[Node]]:
    if lock.how == "descriptor":
        for command in descriptor_commands(script):
            yield outcome(script, command).failure
    elif lock.how == "test-create":
        for test in lock.tests:
            yield busy_branch(script, test) or []
    elif lock.how in ("mkdir", "exclusive"):
        for take in lock.takes:
            yield outcome(script, take.command).failure


RULE = Rule(
    code="L015",
    name="busy-as-failure",
    title="A taken lock answered with a failure status",
    subject="script",
    severity=Severity.INFO,
    why=(
        "That another run holds the lock is no failure of this one. launchd shows it as one, KeepAlive answers it with "
        "a new start every ten seconds, and monitoring wakes somebody."
    ),
    bad="""\
#!/bin/sh
L="$HOME/.state/sync.lock"
mkdir "$L" 2>/dev/null || { echo "already running"; exit 1; }
trap 'rmdir "$L"' EXIT
rsync -a "$HOME/a/" "$HOME/b/"
""",
    good=(
        """\
#!/bin/sh
L="$HOME/.state/sync.lock"
mkdir "$L" 2>/dev/null || { echo "already running"; exit 0; }
trap 'rmdir "$L"' EXIT
rsync -a "$HOME/a/" "$HOME/b/"
""",
    ),
    sources=("https://github.com/KiwiCanopy/KiwiDesk/issues/1072", "launchd.plist(5), KeepAlive"),
    check=check,
)
