"""L008: a trap that removes the lock, set before the lock is held."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.locks import Lock, frees, locks
from jobs.lint.shell.operations import EXISTS, Operation
from jobs.read.shell.flow import function_of, leaves, outcome, premises
from jobs.read.shell.script import Script, Trap
from jobs.read.shell.tree import Command, commands
from jobs.read.shell.values import values_of


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each trap that fires in the one that did not get the lock."""
    for lock in locks(script):
        if lock.how in ("mkdir-p", "create"):
            continue
        for trap in script.traps:
            if "EXIT" in trap.signals and _armed_before(script, trap, lock) and _fires(script, trap, lock):
                yield Finding(
                    script.of(trap.command),
                    f"the trap is set before {lock.take.word.raw} is held: the one that does not get the lock removes it",
                    Fix("set the trap on the line behind the one that takes the lock"),
                )


def _armed_before(script: Script, trap: Trap, lock: Lock) -> bool:
    taken = lock.tests[0].at if lock.how == "test-create" and lock.tests else lock.take.at
    if function_of(trap.command) is not function_of(lock.take.command):
        function = function_of(lock.take.command)
        calls = script.calls.get(function.name, []) if function is not None else []
        if not calls or function_of(trap.command) is not None:
            return False
        taken = calls[0].start
    return trap.command.start < taken


def _fires(script: Script, trap: Trap, lock: Lock) -> bool:
    frees_it = [each for each in frees(script, trap, lock) if not _asks_first(script, each, lock)]
    if not frees_it:
        return False
    deciding: list[Command] = [take.command for take in lock.takes]
    if lock.how == "test-create":
        deciding = [test.command for test in lock.tests]
    if lock.how == "descriptor":
        from jobs.lint.shell.locks import descriptor_commands

        deciding = list(descriptor_commands(script))
    for command in deciding:
        out = outcome(script, command)
        branch = out.failure if lock.how != "test-create" else [*out.failure, *out.success]
        leave = leaves(script, branch)
        if leave is not None and leave.kind == "exit" and not _disarmed(branch):
            return True
        if out.ends_script and lock.how != "test-create":
            return True
    return False


def _disarmed(branch: list[Command] | list) -> bool:  # type: ignore[type-arg]
    return any(command.name == "trap" for node in branch for command in commands(node))


def _asks_first(script: Script, removal: Operation, lock: Lock) -> bool:
    """Whether the handler asks whether the lock is its own, or removes what is only named once it is held."""
    for premise in premises(script, removal.command):
        for command in commands(premise.condition):
            only_exists = command.name in ("[", "[[", "test") and any(
                word.literal in EXISTS for word in command.arguments
            )
            if not only_exists:
                return True
    values = values_of(script)
    for name in removal.word.variables():
        later = [
            command.start
            for command, assignment in values.assignments(name, removal.command)
            if assignment.value.raw not in ("", '""', "''")
        ]
        if later and min(later) > lock.take.at:
            return True
    return False


RULE = Rule(
    code="L008",
    name="trap-before-lock",
    title="Trap that frees the lock set before the lock is held",
    subject="script",
    severity=Severity.ERROR,
    why=(
        "An EXIT trap fires in every start, in the ones that find the lock taken as well. The loser then removes the "
        "winner's lock, and the next start runs beside the winner."
    ),
    bad="""\
#!/bin/sh
L="$HOME/.state/sync.lock"
trap 'rmdir "$L"' EXIT
mkdir "$L" 2>/dev/null || exit 0
rsync -a "$HOME/a/" "$HOME/b/"
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
L="$HOME/.state/sync.lock"
held=
cleanup() { [ -n "$held" ] && rmdir "$L"; }
trap cleanup EXIT
mkdir "$L" 2>/dev/null || exit 0
held=1
rsync -a "$HOME/a/" "$HOME/b/"
""",
    ),
    exceptions="Silent when the handler asks whether the lock is its own.",
    sources=("https://github.com/airvzxf/ftp-deployment-action/issues/188",),
    check=check,
)
