"""L012: `pgrep` or `ps` that finds the script that asks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.operations import inner_command
from jobs.read.shell.flow import leaves, outcome
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Block, Command, Node, Pipeline, Word, commands
from jobs.read.shell.values import values_of

OWN_NAME = re.compile(r"\$0\b|\$\{0[#%/}]|\$\{?BASH_SOURCE|\$\{?ZSH_ARGZERO")
SPARES_ITSELF = re.compile(r"\$\$|\$\{?BASHPID|\$\{?PPID")
COUNT_ABOVE_ONE = re.compile(r"(-gt|>)\s*\"?[1-9]|(-ge|>=)\s*\"?[2-9]|(-lt|<)\s*\"?[2-9]|(-ne|!=)\s*\"?[1-9]")


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each search for the script's own name that decides whether it runs."""
    for command in script.commands:
        name, arguments = inner_command(command)
        if name == "pgrep":
            pattern = [word for word in arguments if not word.shape.startswith("-")]
            searches = pattern[-1:] if any(_own(script, word, command) for word in pattern[-1:]) else []
        elif (name in ("grep", "egrep", "fgrep") and _behind_ps(command)) or name == "pidof":
            searches = [word for word in arguments if _own(script, word, command)]
        else:
            continue
        if searches and _decides(script, command):
            yield Finding(
                script.of(command),
                f"`{name} {searches[0].raw}` finds the script that asks, and so it always looks as if it ran already",
                Fix("use a lock (`mkdir LOCK`, lockf) instead of a search by name"),
            )


def _own(script: Script, word: Word, command: Command) -> bool:
    if word.shape.startswith("-"):
        return False
    text = values_of(script).text(word, command)
    if OWN_NAME.search(text):
        return True
    file_name = script.path.rsplit("/", 1)[-1]
    stem = file_name.rsplit(".", 1)[0]
    plain = re.sub(r"^\[(.)\]", "", text)
    return len(stem) > 3 and plain == text and (text.rsplit("/", 1)[-1] in (file_name, stem))


def _behind_ps(command: Command) -> bool:
    pipeline = command.parent
    if not isinstance(pipeline, Pipeline):
        return False
    first = pipeline.items[0]
    return isinstance(first, Command) and inner_command(first)[0] == "ps"


def _decides(script: Script, command: Command) -> bool:
    """Whether the answer makes the script leave, and does not spare itself."""
    top: Node = command.parent if isinstance(command.parent, Pipeline) else command
    text = script.slice(top.start, top.end)
    if SPARES_ITSELF.search(text):
        return False
    out = outcome(script, top if isinstance(top, Pipeline) else command)
    if out.tested and leaves(script, out.success):
        return True
    block = top.parent
    holder = block.parent if isinstance(block, Block) else None
    if not isinstance(holder, Command):
        return False
    if holder.name in ("[", "[[", "test", "(("):
        return _test_decides(script, holder)
    names = {assignment.name for assignment in holder.assignments}
    if SPARES_ITSELF.search(script.slice(holder.start, holder.end)):
        return False
    later = (other for other in script.commands if other.start > holder.end)
    for other in later:
        read = {name for word in other.words for name in word.variables()}
        if other.name in ("[", "[[", "test", "((") and names & read:
            return _test_decides(script, other)
    return False


def _test_decides(script: Script, test: Command) -> bool:
    text = script.slice(test.start, test.end)
    if COUNT_ABOVE_ONE.search(text) or SPARES_ITSELF.search(text):
        return False
    out = outcome(script, test)
    if leaves(script, [*out.success, *out.failure]) is None:
        return False
    branch = [*out.success, *out.failure]
    return not any(
        SPARES_ITSELF.search(script.slice(c.start, c.end)) for node in branch for c in commands(node)
    )


RULE = Rule(
    code="L012",
    name="looks-for-itself",
    title="Search for the script's own name",
    subject="script",
    severity=Severity.WARNING,
    why=(
        "The script that asks is in the list of processes too, and so are the shells of its own `$(…)`: the answer is "
        "always yes and the job never runs. An editor with the file open looks the same."
    ),
    bad="""\
#!/bin/bash
pgrep -f "$0" >/dev/null && exit 0
rclone sync "$HOME/a" remote:b
""",
    good=(
        """\
#!/bin/bash
pgrep -x rclone >/dev/null && exit 0
rclone sync "$HOME/a" remote:b
""",
        """\
#!/bin/bash
others=$(pgrep -f "$0" | grep -v "^$$\\$")
[ -n "$others" ] && exit 0
rclone sync "$HOME/a" remote:b
""",
    ),
    exceptions="Silent when its own pid is left out, or when more than one hit is asked for.",
    sources=("https://github.com/masonr/PLEXiDRIVE/issues/1",),
    check=check,
)
