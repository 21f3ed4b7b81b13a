"""Every expansion of a variable in a script, with the statement in which it stands."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.read.shell.script import Script
from jobs.read.shell.tree import Case, Command, Loop, Node, Part, Word


def expansions(script: Script) -> tuple[tuple[Node, Part], ...]:
    """The variables that are expanded, those in arithmetic and in here-documents too."""
    return script.once("expansions", lambda: tuple(_all(script)))


def _all(script: Script) -> Iterator[tuple[Node, Part]]:
    for node in script.nodes:
        for word in _words(node):
            for part in word.all_parts():
                if part.kind == "variable":
                    yield node, part


def _words(node: Node) -> Iterator[Word]:
    if isinstance(node, Command):
        yield from node.all_words()
    else:
        for redirect in node.redirects:
            yield redirect.target
    if isinstance(node, Case):
        yield node.subject
        for patterns, _block, _ending in node.items:
            yield from patterns
    if isinstance(node, Loop):
        yield from node.values
    for redirect in node.redirects:
        if redirect.document is not None and redirect.document.expands:
            yield redirect.document.body
