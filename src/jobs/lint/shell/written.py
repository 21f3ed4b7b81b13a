"""The words of a script that do something: what echo prints and what strings say is left out."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.read.shell.script import Script
from jobs.read.shell.tree import Command, Loop, Word

TALKING = frozenset(
    [
        "echo",
        "printf",
        "print",
        "log",
        "info",
        "warn",
        "warning",
        "error",
        "die",
        "fail",
        "say",
        "notice",
        "debug",
        "msg",
        "usage",
        "osascript",
        "logger",
    ]
)


def written_words(script: Script) -> Iterator[Word]:
    """The words of commands, assignments, redirects and loops, in the order of the text."""
    for node in script.nodes:
        if isinstance(node, Command):
            talks = node.name in TALKING or node.name.startswith(("log_", "print_", "echo_"))
            words = node.words[:1] if talks else node.words
            yield from words
            for assignment in node.assignments:
                yield assignment.value
                yield from assignment.value.array or ()
        elif isinstance(node, Loop):
            yield from node.values
        for redirect in node.redirects:
            yield redirect.target
