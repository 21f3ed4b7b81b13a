"""B007: an empty array under `set -u`, which bash 3.2 takes for unset."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.expansions import expansions
from jobs.lint.shell.platform import runs_on_macos
from jobs.lint.shell.tools import old_bash
from jobs.read.shell.flow import premises
from jobs.read.shell.script import Script
from jobs.read.shell.tree import AndOr, Case, Function, If, Loop, Node, commands
from jobs.read.shell.values import values_of


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at the first such expansion of each array."""
    if "u" not in script.options or not old_bash(script):
        return
    seen: set[str] = set()
    guarded = [
        part
        for _node, part in expansions(script)
        if re.match(r"[@*]\]:?[-+]", part.rest) and part.operator == "["
    ]
    for node, part in expansions(script):
        name = part.text
        if part.operator != "[" or part.rest not in ("@]", "*]") or name in seen:
            continue
        if any(other.start < part.start < other.end for other in guarded):
            continue
        if (
            _may_be_empty(script, name, node)
            and not _looked_at(script, name, node)
            and runs_on_macos(script, node)
        ):
            seen.add(name)
            yield Finding(
                script.place(part.start, part.end),
                f"{name} may be empty here: under `set -u` bash 3.2 stops with an unbound variable",
                Fix(f'write `${{{name}[@]+"${{{name}[@]}}"}}`'),
            )


def _may_be_empty(script: Script, name: str, node: Node) -> bool:
    assignments = values_of(script).assignments(name, node)
    if not assignments or not all(assignment.value.array is not None for _command, assignment in assignments):
        return False
    empty = [each for _command, each in assignments if not each.append and not each.value.array]
    others = [(command, each) for command, each in assignments if each.append or each.value.array]
    return bool(empty) and all(_conditional(command, node) for command, _each in others)


def _conditional(command: Node, node: Node) -> bool:
    around = {id(above) for above in node.ancestors()}
    return any(
        isinstance(above, If | Loop | Case | AndOr | Function) and id(above) not in around
        for above in command.ancestors()
    )


def _looked_at(script: Script, name: str, node: Node) -> bool:
    return any(
        part.kind == "variable" and part.text == name
        for premise in premises(script, node)
        for command in commands(premise.condition)
        for word in command.all_words()
        for part in word.all_parts()
    )


RULE = Rule(
    code="B007",
    name="empty-array",
    title="Empty array under set -u in bash 3.2",
    subject="script",
    severity=Severity.WARNING,
    why=(
        'Until bash 4.4 an empty array counts as unset: under `set -u` `"${list[@]}"` stops the script when nothing was added to it.'
    ),
    bad="""\
#!/bin/bash
set -u
args=()
if [ -n "$1" ]; then args+=("$1"); fi
work "${args[@]}"
""",
    good=(
        """\
#!/bin/bash
set -u
args=()
if [ -n "$1" ]; then args+=("$1"); fi
work ${args[@]+"${args[@]}"}
""",
        """\
#!/bin/bash
set -u
args=(-v)
if [ -n "$1" ]; then args+=("$1"); fi
work "${args[@]}"
""",
    ),
    exceptions="Silent under another bash (`#!/opt/homebrew/bin/bash`), and where the script looks at BASH_VERSINFO.",
    sources=("bash, CHANGES 4.4",),
    check=check,
)
