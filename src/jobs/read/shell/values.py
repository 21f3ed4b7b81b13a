"""What words stand for: variables followed to their values, so that two spellings of one path compare equal."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.read.shell.flow import function_of
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Assignment, Command, Function, Loop, Node, Part, Word

DEFAULTING = frozenset({":-", "-", ":=", "="})
MAX_STEPS = 12


class Values:
    """The values of a script's variables, as far as they can be told without running it."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.globals: dict[str, list[tuple[Command, Assignment]]] = {}
        self.locals: dict[tuple[int, str], list[tuple[Command, Assignment]]] = {}
        self.known: dict[tuple[str, int], set[str]] = {}
        self.unknown: set[str] = set()  # set by read, for, getopts …
        scoped: set[tuple[int, str]] = set()
        for command in script.commands:
            if command.name in ("local", "typeset", "declare"):
                function = function_of(command)
                if function is not None and not any(w.shape == "-g" for w in command.arguments):
                    for name in _declared(command):
                        scoped.add((id(function), name))
            elif command.name in ("read", "mapfile", "readarray", "getopts"):
                self.unknown |= {word.shape for word in command.arguments if not word.shape.startswith("-")}
        self._inherit(scoped)
        for node in script.nodes:
            if isinstance(node, Loop) and node.variable:
                self.unknown.add(node.variable)

    def _inherit(self, scoped: set[tuple[int, str]]) -> None:
        for command in self.script.commands:
            if not command.assignments:
                continue
            function = function_of(command)
            for assignment in command.assignments:
                key = (id(function), assignment.name)
                if function is not None and key in scoped:
                    self.locals.setdefault(key, []).append((command, assignment))
                elif not command.words or command.name in (
                    "export",
                    "readonly",
                    "declare",
                    "typeset",
                    "local",
                ):
                    self.globals.setdefault(assignment.name, []).append((command, assignment))

    def assignments(self, name: str, where: Node) -> list[tuple[Command, Assignment]]:
        """The assignments that can have set a variable as it is seen at a statement."""
        function = function_of(where)
        while function is not None:
            found = self.locals.get((id(function), name))
            if found:
                return found
            function = function_of(function)
        return self.globals.get(name, [])

    def text(self, word: Word, where: Node, steps: int = 0) -> str:
        """The canonical text of a word: what is known in place, `$name` or `$(command)` for the rest."""
        return "".join(self._part(part, where, steps) for part in word.parts)

    def key(self, word: Word, where: Node) -> str:
        """The canonical text of a word that names a file: no trailing slash, no doubled ones."""
        text = re.sub(r"/(?:\./)*/*", "/", self.text(word, where))
        return text.rstrip("/") or text

    def _part(self, part: Part, where: Node, steps: int) -> str:
        if part.kind == "literal":
            return part.text
        if part.kind == "variable":
            return self._variable(part, where, steps)
        opening = "$((" if part.kind == "arithmetic" else "$("
        return f"{opening}{part.text.strip()})"

    def _variable(self, part: Part, where: Node, steps: int) -> str:
        name, operator = part.text, part.operator
        if operator and operator not in DEFAULTING:
            return f"${{{name}{operator}{part.rest}}}"
        if steps < MAX_STEPS:
            values = self._values(name, where, steps)
            if len(values) == 1:
                return next(iter(values))
            if not values and operator in DEFAULTING and part.inner:
                return "".join(self._part(inner, where, steps + 1) for inner in part.inner)
        if name.isdigit():
            function = function_of(where)
            if function is not None:
                return f"${function.name}:{name}"
        return f"${name}"

    def _values(self, name: str, where: Node, steps: int) -> set[str]:
        """The values that a variable can have; empty when they are not known.

        Computed once per name and function. A variable that is asked for while its own values are looked up
        (`LOCK="${LOCK:-/x}"`) has none at that moment, so that its default counts.
        """
        if name in self.unknown:
            return set()
        key = (name, id(function_of(where)))
        if key not in self.known:
            self.known[key] = set()
            if name.isdigit() and name != "0":
                self.known[key] = self._argument(int(name), where, steps)
            else:
                self.known[key] = self._assigned(name, where, steps)
        return self.known[key]

    def _assigned(self, name: str, where: Node, steps: int) -> set[str]:
        found: set[str] = set()
        assignments = self.assignments(name, where)
        for command, assignment in assignments[:8]:
            if assignment.append or assignment.subscript or assignment.value.array is not None:
                return set()
            text = self.text(assignment.value, command, steps + 1)
            if text or len(assignments) == 1:
                found.add(text)
        return found

    def _argument(self, position: int, where: Node, steps: int) -> set[str]:
        function = function_of(where)
        if function is None:
            return set()
        found: set[str] = set()
        for call in self.script.calls.get(function.name, ())[:8]:
            if len(call.arguments) < position or any("@" in word.variables() for word in call.arguments):
                return set()
            found.add(self.text(call.arguments[position - 1], call, steps + 1))
        return found

    def possible(self, word: Word, where: Node) -> Iterator[tuple[str, Word]]:
        """The texts that a word can have, each with the word in which it is written (the assignment's, if there)."""
        yield self.text(word, where), word
        waiting, seen = [(word, where)], {id(word)}
        while waiting:
            current, at = waiting.pop()
            for name in current.variables():
                for command, assignment in self.assignments(name, at)[:8]:
                    if id(assignment.value) not in seen:
                        seen.add(id(assignment.value))
                        yield self.text(assignment.value, command), assignment.value
                        waiting.append((assignment.value, command))


def _declared(command: Command) -> Iterator[str]:
    for assignment in command.assignments:
        yield assignment.name
    for word in command.arguments:
        if word.literal is not None and not word.literal.startswith("-"):
            yield word.literal


def values_of(script: Script) -> Values:
    """The values of a script's variables; made once."""
    return script.once("values", lambda: Values(script))


def enclosing_function(node: Node) -> Function | None:
    """The function in which a statement stands."""
    return function_of(node)
