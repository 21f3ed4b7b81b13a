"""The reader against another grammar, tree-sitter-bash, where that one understands the text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from jobs.read.shell import read_script
from tests.lint.script_findings import cases

PARSER = Parser(Language(tree_sitter_bash.language()))
TEXTS = {f"{case.code}-{case.kind}-{case.name}": case.text for case in cases() if case.code[0] in "LGE"}
NOT_COMMANDS = frozenset({"export", "local", "declare", "readonly", "typeset", "unset", "[", "[[", "((", ""})


def names(node: Node) -> Iterator[str]:
    """The names of the simple commands that the grammar finds."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if each.type == "command_name" and each.text is not None:
            yield each.text.decode()
        waiting += each.children


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_both_find_the_same_commands(text: str) -> None:
    root = PARSER.parse(text.encode()).root_node
    if root.has_error:
        return
    mine = [
        command.words[0].raw
        for command in read_script("a.sh", text).commands
        if command.words and command.words[0].raw not in NOT_COMMANDS
    ]
    assert sorted(mine) == sorted(name for name in names(root) if name not in NOT_COMMANDS)
