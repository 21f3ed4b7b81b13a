"""L010: a second trap for the same signal that drops the first one's freeing of the lock."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.locks import Lock, frees, locks
from jobs.read.shell.script import Script, Trap
from jobs.read.shell.tree import Group, If, Node


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each trap that replaces the lock's."""
    for lock in locks(script):
        first: Trap | None = None
        for trap in script.traps:
            if "EXIT" not in trap.signals:
                continue
            if frees(script, trap, lock):
                first = trap
            elif first is not None and _replaces(first, trap, lock):
                line = script.of(first.command).line
                yield Finding(
                    script.of(trap.command),
                    f"this replaces the trap of line {line}: {lock.take.word.raw} is no longer freed",
                    Fix("put both into one function and set one trap for it"),
                )
                first = None


def _replaces(first: Trap, second: Trap, lock: Lock) -> bool:
    if second.block is None or second.handler in ("-", ""):
        return False  # reset on purpose, or built from the old one
    around = {id(above) for above in first.command.ancestors()}
    for above in second.command.ancestors():
        if isinstance(above, Group) and above.subshell and id(above) not in around:
            return False
        if above.slot == "substitution" and id(above) not in around:
            return False
    if _in_other_arm(first.command, second.command):
        return False
    return not any(first.command.start < removal.at < second.command.start for removal in lock.removals)


def _in_other_arm(first: Node, second: Node) -> bool:
    arms = {id(above.parent): id(above) for above in first.ancestors() if isinstance(above.parent, If)}
    return any(
        id(above.parent) in arms and arms[id(above.parent)] != id(above)
        for above in second.ancestors()
        if above.parent is not None
    )


RULE = Rule(
    code="L010",
    name="trap-overwritten",
    title="Trap of the lock replaced by a later one",
    subject="script",
    severity=Severity.WARNING,
    why="A shell keeps one handler per signal: a second `trap … EXIT` does not add to the first, it takes its place.",
    bad="""\
#!/bin/bash
L="$HOME/.state/sync.lock"
mkdir "$L" 2>/dev/null || exit 0
trap 'rmdir "$L"' EXIT
TMP=$(mktemp)
trap 'rm -f "$TMP"' EXIT
rsync -a "$HOME/a/" "$HOME/b/"
""",
    good=(
        """\
#!/bin/bash
L="$HOME/.state/sync.lock"
mkdir "$L" 2>/dev/null || exit 0
trap 'rmdir "$L"' EXIT
TMP=$(mktemp)
trap 'rm -f "$TMP"; rmdir "$L"' EXIT
rsync -a "$HOME/a/" "$HOME/b/"
""",
        """\
#!/bin/bash
L="$HOME/.state/sync.lock"
mkdir "$L" 2>/dev/null || exit 0
trap 'rmdir "$L"' EXIT
( TMP=$(mktemp); trap 'rm -f "$TMP"' EXIT; rsync -a "$HOME/a/" "$TMP" )
""",
    ),
    sources=("https://github.com/MetaMask/metamask-mobile/issues/30565",),
    check=check,
)
