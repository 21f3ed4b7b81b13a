"""G003: `$?` behind an `if` that says nothing about the condition."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Block, Command, If, Word, commands


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each `$?` right behind an `if` without else."""
    for node in script.nodes:
        if not isinstance(node, If) or node.otherwise is not None or len(node.arms) != 1:
            continue
        block = node.parent
        if not isinstance(block, Block) or node.index + 1 >= len(block.items):
            continue
        condition, branch = node.arms[0]
        last = condition.items[-1] if condition.items else None
        if isinstance(last, Command) and last.name in ("[", "[[", "test", "(("):
            continue
        following = block.items[node.index + 1]
        word = _status(following)
        if word is not None and branch.items:
            yield Finding(
                script.of(word),
                "`$?` is the status of the `if`: 0 when its condition failed, never the failure itself",
                Fix("keep it where it is known: `if command; then …; else status=$?; fi`"),
            )


def _status(node: object) -> Word | None:
    """The word that reads `$?` first, when the statement begins with reading it."""
    if not isinstance(node, Command | If):
        return None
    first = next(commands(node), None)
    if first is None:
        return None
    for word in first.all_words():
        if "?" in word.variables():
            return word
    return None


RULE = Rule(
    code="G003",
    name="status-after-if",
    title="Status read behind an if",
    subject="script",
    severity=Severity.WARNING,
    why=(
        "When the condition of an `if` without `else` fails, the `if` itself is good: `$?` behind it is 0 after a failure. "
        "Retries and reports that hang on it never come."
    ),
    bad="""\
#!/bin/bash
if launchctl bootstrap "gui/$UID" "$1"; then
  echo "loaded"
fi
status=$?
exit "$status"
""",
    good=(
        """\
#!/bin/bash
if launchctl bootstrap "gui/$UID" "$1"; then
  status=0
else
  status=$?
fi
exit "$status"
""",
        """\
#!/bin/bash
launchctl bootstrap "gui/$UID" "$1"
status=$?
""",
    ),
    sources=("POSIX sh, section 2.9.4.3", "https://github.com/openclaw/openclaw/issues/110213"),
    check=check,
)
