r"""Reading scripts: lists, pipelines and blocks, a recursive descent over bash's grammar and most of zsh's.

Why not the grammar of others: tree-sitter-bash gives up on whole files that run every day (`for i do`, `<<\\END`,
a `~` in a test), and takes two lines for one command where a line holds two assignments. A test compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from jobs.read.shell.compounds import CASE_END, CLOSERS, RESERVED, CompoundReader
from jobs.read.shell.lines import Fault
from jobs.read.shell.tree import AndOr, Block, Command, Node, Not, Pipeline
from jobs.read.shell.words import NotUnderstoodError

FUNCTION = re.compile(r"([^\s;&|<>()$`\"'\\#=]+)[ \t]*\([ \t]*\)")
MAX_FAULTS = 20


def ends_script(node: Node) -> bool:
    """Whether nothing behind this statement is ever run."""
    if not isinstance(node, Command) or node.background:
        return False
    return node.name == "exit" or (node.name == "exec" and len(node.words) > 1)


class Reader(CompoundReader):
    """A cursor that reads whole scripts."""

    def __init__(self, text: str, base: int = 0, depth: int = 0) -> None:
        super().__init__(text, base, depth)
        self.floor = depth
        self.salvaged: Sequence[Node] = ()
        self.statement_start = 0

    # blocks

    def nested(self, text: str, base: int) -> Block:
        """The statements of a text inside of the text."""
        reader = Reader(text, base, self.depth)
        block = reader.program()
        self.faults += reader.faults
        return block

    def program(self) -> Block:
        """All statements. A statement that cannot be read is a fault; reading goes on at the next line.

        What stands behind a plain `exit` or `exec PROGRAM` is never run, so nothing there is a fault.
        """
        start = self.at
        items: list[Node] = []
        while self.at < len(self.text):
            begin = self.at
            try:
                items += self.block("").items
                self.lines()
                if self.at < len(self.text):
                    self._stop(f"unexpected {self._here()!r}")
            except NotUnderstoodError as error:
                items += self.salvaged
                if any(map(ends_script, items)) or not self._recover(error, begin):
                    break
        return Block(start + self.base, len(self.text) + self.base, items)

    def _stop(self, message: str) -> NoReturn:
        raise NotUnderstoodError(self.at + self.base, message)

    def _recover(self, error: NotUnderstoodError, begin: int) -> bool:
        """Note a fault and go to the line behind the statement's first; False when there are too many."""
        self.depth, self.waiting = self.floor, []
        resume = self._resume(max(begin, self.statement_start))
        full = len(self.faults) >= MAX_FAULTS
        at = max(0, min(error.start - self.base, len(self.text)))
        end = len(self.text) if full else max(resume, at)
        self.faults.append(Fault(at + self.base, end + self.base, str(error)))
        self.at = resume
        return not full

    def _resume(self, start: int) -> int:
        end = self.text.find("\n", start)
        return len(self.text) if end < 0 else end + 1

    def block(self, closing: str) -> Block:
        """Statements up to a closer: a character, or a reserved word that only a caller can take."""
        top = closing == "" and self.depth == self.floor
        self.lines()
        start = self.at
        items: list[Node] = []
        if top:
            self.salvaged = items
        text, length = self.text, len(self.text)
        while self.at < length:
            char = text[self.at]
            if char == closing or self._at_closer():
                break
            if top:
                self.statement_start = self.at
            item = self._and_or()
            items.append(item)
            self.blanks()
            following = text[self.at : self.at + 2]
            if following[:1] == "&" and following != "&&":
                item.background = True
                self.at += 2 if following in ("&!", "&|") else 1
            elif following[:1] == ";" and not CASE_END.match(text, self.at):
                self.at += 1
            elif following[:1] != "\n":
                break
            self.lines()
        end = items[-1].end if items else start + self.base
        if top:
            self.salvaged = ()
        return Block(start + self.base, end, items)

    def _at_closer(self) -> bool:
        text, at = self.text, self.at
        if text[at] == ")" or (text[at] == ";" and CASE_END.match(text, at)):
            return True
        match = RESERVED.match(text, at)
        return match is not None and match.group() in CLOSERS

    # lists and pipelines

    def _and_or(self) -> Node:
        node = self._pipeline()
        while True:
            self.blanks()
            operator = self.text[self.at : self.at + 2]
            if operator not in ("&&", "||"):
                return node
            self.at += 2
            self.lines()
            right = self._pipeline()
            node = AndOr(node.start, right.end, node, operator, right)

    def _pipeline(self) -> Node:
        start = self.at
        negations = 0
        while True:
            match = RESERVED.match(self.text, self.at)
            if match and match.group() == "!":
                negations += 1
            elif not (match and match.group() == "time"):
                break
            self.at = match.end()
            self.blanks()
            if self.text.startswith("-p ", self.at):
                self.at += 3
        items = [self.command()]
        operators: list[tuple[str, int]] = []
        while True:
            self.blanks()
            if self.text[self.at : self.at + 2] == "||" or self.text[self.at : self.at + 1] != "|":
                break
            operator = "|&" if self.text[self.at : self.at + 2] == "|&" else "|"
            operators.append((operator, self.at + self.base))
            self.at += len(operator)
            self.lines()
            items.append(self.command())
        node = items[0] if len(items) == 1 else Pipeline(items[0].start, items[-1].end, items, operators)
        if negations % 2:
            node = Not(start + self.base, node.end, node)
        return node

    # commands

    def command(self) -> Node:
        """One command of any kind."""
        start = self.at
        match = RESERVED.match(self.text, start)
        if match is not None:
            compound = self._compound(match.group(), start)
            if compound is not None:
                compound.redirects = tuple(self.redirect_list())
                compound.end = self.at + self.base if compound.redirects else compound.end
                return compound
        function = FUNCTION.match(self.text, start)
        if function is not None:
            self.at = function.end()
            return self.function_body(function.group(1), start)
        return self.simple()
