"""G001: an AI tool in a pipe, whose status the pipe hides."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.ai_tools import ai_calls
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Block, Command, Node, Pipeline


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each call whose status is lost."""
    if (
        "pipefail" in script.options
        or "PIPESTATUS" in script.source.text
        or "pipestatus" in script.source.text
    ):
        return
    for call in ai_calls(script):
        stage: Node = call.command
        while stage.parent is not None and not isinstance(stage.parent, Pipeline):
            if isinstance(stage.parent, Block) and stage.parent.slot == "substitution":
                break
            if isinstance(stage.parent, Block) and stage.parent.items[-1] is not stage:
                break
            stage = stage.parent
        pipeline = stage.parent
        if isinstance(pipeline, Pipeline) and stage is not pipeline.items[-1]:
            last = pipeline.items[-1]
            name = last.name if isinstance(last, Command) else "the last command"
            yield Finding(
                script.of(call.word),
                f"the status of this pipe is that of {name}: when {call.tool} stops at its limit, the job looks good",
                Fix("write `set -o pipefail` above (bash, zsh), or send the output to a file first"),
            )


RULE = Rule(
    code="G001",
    name="status-hidden-by-pipe",
    title="Status of an AI tool hidden by a pipe",
    subject="script",
    severity=Severity.WARNING,
    why=(
        "The status of a pipe is the status of its last command. `claude -p … | tee log` is good whenever tee is: the "
        "run that was refused counts as done, and nothing makes it up."
    ),
    bad="""\
#!/bin/bash
claude -p "write" | tee "$HOME/out.md"
""",
    good=(
        """\
#!/bin/bash
set -o pipefail
claude -p "write" | tee "$HOME/out.md"
""",
        """\
#!/bin/bash
git diff | claude -p "review" > "$HOME/out.md"
""",
    ),
    exceptions="Silent under pipefail, and where PIPESTATUS is read.",
    sources=("POSIX sh, section 2.9.2", "https://github.com/anthropics/claude-code/issues/79500"),
    check=check,
)
