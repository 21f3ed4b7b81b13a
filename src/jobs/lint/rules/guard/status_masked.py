"""G002: an AI tool whose status a builtin around it replaces."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.ai_tools import ai_calls
from jobs.read.shell.script import Script
from jobs.read.shell.tree import AndOr, Block, Command, Node

MASKING = frozenset({"local", "export", "declare", "typeset", "readonly", "echo", "printf", "print"})
NOTHING = frozenset({"true", ":"})


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each call whose failure nobody can see."""
    for call in ai_calls(script):
        holder = _holder(call.command)
        if holder is not None and holder.name in MASKING:
            yield Finding(
                script.of(call.word),
                f"`{holder.name}` is good whatever {call.tool} answers: its status is lost",
                Fix(f"assign on a line of its own: `x=$({call.word.raw} …)`"),
            )
        above = call.command.parent
        if isinstance(above, AndOr) and above.operator == "||" and above.left is call.command:
            right = above.right
            if isinstance(right, Command) and right.name in NOTHING:
                yield Finding(
                    script.of(call.word),
                    f"`|| {right.name}` makes every end of {call.tool} a good one",
                    Fix("leave it out, or keep the status and end with it"),
                )


def _holder(command: Command) -> Command | None:
    """The command into which this one is substituted, if its status is the substitution's."""
    node: Node = command
    while node.parent is not None:
        above = node.parent
        if isinstance(above, Block):
            if above.items[-1] is not node:
                return None
            if above.slot == "substitution":
                return above.parent if isinstance(above.parent, Command) else None
        node = above
    return None


RULE = Rule(
    code="G002",
    name="status-masked",
    title="Status of an AI tool thrown away",
    subject="script",
    severity=Severity.WARNING,
    why=(
        "`local x=$(claude …)` and `claude … || true` are good when the tool is not: the guard and the record see a run "
        "that ended well, and a slot that was refused is never made up."
    ),
    bad="""\
#!/bin/bash
claude -p "write" > "$HOME/out.md" || true
""",
    good=(
        """\
#!/bin/bash
text=$(claude -p "write") || exit
echo "$text"
""",
        """\
#!/bin/bash
claude --version || true
""",
    ),
    sources=("POSIX sh, section 2.9.1", "bash(1), local"),
    check=check,
)
