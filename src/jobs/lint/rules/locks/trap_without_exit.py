"""L009: a signal handler that frees the lock and carries on."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.locks import LOCKISH, frees, locks
from jobs.lint.shell.operations import reached_commands, removals_in_trap
from jobs.read.shell.flow import exiting_functions
from jobs.read.shell.script import Script, Trap

ENDING_SIGNALS = {"TERM": 143, "INT": 130, "HUP": 129, "QUIT": 131}


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each such trap."""
    known = locks(script)
    for trap in script.traps:
        signals = [signal for signal in trap.signals if signal in ENDING_SIGNALS]
        if not signals or trap.block is None or _ends(script, trap):
            continue
        freed = [each for lock in known for each in frees(script, trap, lock)]
        freed += [each for each in removals_in_trap(script, trap) if LOCKISH.search(each.key + each.word.raw)]
        if freed:
            status = ENDING_SIGNALS[signals[0]]
            yield Finding(
                script.of(trap.command),
                f"after {signals[0]} this handler frees {freed[0].word.raw} and the script goes on without the lock",
                Fix(f"end the handler with `exit {status}`, and leave the freeing to the EXIT trap"),
            )


def _ends(script: Script, trap: Trap) -> bool:
    exiting = exiting_functions(script)
    for command in reached_commands(script, trap):
        if command.name in ("exit", "exec", "return") or command.name in exiting:
            return True
        if command.name in ("kill", "/bin/kill") and any(
            "$" in word.variables() for word in command.arguments
        ):
            return True
    return False


RULE = Rule(
    code="L009",
    name="trap-without-exit",
    title="Signal handler that frees the lock and carries on",
    subject="script",
    severity=Severity.WARNING,
    why=(
        "A handler replaces the signal's own effect: when it returns, the script continues with the next command. "
        "launchd stops a job with TERM; the lock is then free while the script still works."
    ),
    bad="""\
#!/bin/sh
L="$HOME/.state/sync.lock"
mkdir "$L" 2>/dev/null || exit 0
cleanup() { rmdir "$L"; }
trap cleanup EXIT INT TERM
rsync -a "$HOME/a/" "$HOME/b/"
""",
    good=(
        """\
#!/bin/sh
L="$HOME/.state/sync.lock"
mkdir "$L" 2>/dev/null || exit 0
trap 'rmdir "$L"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
rsync -a "$HOME/a/" "$HOME/b/"
""",
        """\
#!/bin/sh
L="$HOME/.state/sync.lock"
mkdir "$L" 2>/dev/null || exit 0
cleanup() { rmdir "$L"; trap - TERM; kill -TERM $$; }
trap cleanup TERM
trap 'rmdir "$L"' EXIT
rsync -a "$HOME/a/" "$HOME/b/"
""",
    ),
    sources=("https://github.com/gaia-react/gaia/issues/1717", "POSIX sh, trap"),
    check=check,
)
