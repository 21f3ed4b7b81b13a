"""tomlkit's parser, made to note where things stand.

It leans on private names of `tomlkit.parser.Parser` (0.12.5 to 0.15 alike): `_parse_key_value`, `_parse_key`,
`_parse_value`, `_parse_table`, `_peek_table`, `_src`, `_idx`. tests/read has a canary for them.
Imported late: tomlkit takes its time.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Any

from tomlkit.exceptions import ParseError
from tomlkit.items import AoT, Item, Key
from tomlkit.items import Table as TomlkitTable
from tomlkit.parser import Parser
from tomlkit.source import Source

from jobs.read.nodes import Array, KeyPart, Kind, Node, Scalar, Table
from jobs.read.toml_tree import insert, open_table
from jobs.text import Span

MAX_DEPTH = 50  # of arrays and inline tables, and of the parts of a key: a manifest needs five

_PART = re.compile(r"""[ \t]*("(?:\\.|[^"\\])*"|'[^']*'|[A-Za-z0-9_-]+)[ \t]*\.?""")


@dataclass(frozen=True, slots=True)
class Failure:
    """Where the parser gave up: the offset, what it was reading, and where the values around it begin."""

    at: int
    where: str  # "key", "after key", "header", "value", "after value"
    opened: tuple[int, ...]
    error: ParseError | None = None
    too_deep: bool = False


class RefusedError(Exception):
    """What tomlkit would let pass: values nested beyond MAX_DEPTH, and numbers with characters that Python knows."""


class _Source(Source):
    """A source that tells its parser where an error was raised: tomlkit's own line numbers count U+2028 as a line."""

    parser: LocatingParser | None = None

    def parse_error(self, exception: type[ParseError] = ParseError, *args: Any, **kwargs: Any) -> ParseError:
        error = super().parse_error(exception, *args, **kwargs)
        if self.parser is not None:
            self.parser.note(error)
        return error


class LocatingParser(Parser):
    """A parser that builds our own tree beside tomlkit's document."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._src = _Source(text)
        self._src.parser = self
        self.root = Table(Span(0, 0), "", "header")
        self.failure: Failure | None = None
        self.swallowed: Failure | None = None  # an error after which the parser may have gone on
        self._where = "key"
        self._scopes = [self.root]
        self._opened: list[int] = []
        self._done: list[Node] = []
        self._keys: list[tuple[KeyPart, ...]] = []
        self._key_depth = 0
        self._header: int | None = None
        self._peeking = False

    def note(self, error: ParseError) -> None:
        """Remember the farthest error: older tomlkits swallow an inner one and raise again farther left."""
        failure = Failure(self._idx, self._where, tuple(self._opened), error)
        if self.failure is None or failure.at >= self.failure.at:
            self.failure = failure
        # They also look for one more value before every `]`: an error there is none.
        if self._current != "]" or not self._opened or self._opened[-1] != failure.at:
            self.swallowed = self.swallowed or failure

    def _too_deep(self) -> RefusedError:
        self.failure = Failure(self._idx, self._where, tuple(self._opened), too_deep=True)
        return RefusedError()

    def _parse_key(self) -> Key:
        # Older tomlkits call this again for each part of a dotted key: only the outermost call notes anything.
        if self._key_depth >= MAX_DEPTH:
            raise self._too_deep()
        start = self._idx
        self._where = "key"
        self._key_depth += 1
        try:
            key = super()._parse_key()
        finally:
            self._key_depth -= 1
        if self._peeking or self._key_depth:
            return key
        parts = self._parts(key, start)
        if self._header is None:
            self._where = "after key"
            self._keys.append(parts)
        else:
            begin, self._header = self._header, None
            self._where = "header"
            array = self._src[begin : begin + 2] == "[["
            end = self._idx + (2 if array else 1)
            self._scopes[0] = open_table(self.root, parts, Span(begin, end), array=array)
        return key

    def _parts(self, key: Key, start: int) -> tuple[KeyPart, ...]:
        """The parts of a key that was read from `start` to here."""
        names = [part.key for part in key]
        if len(names) > MAX_DEPTH:
            raise self._too_deep()
        found = [match.span(1) for match in _PART.finditer(self._src, start, self._idx)]
        return tuple(KeyPart(name, Span(*span)) for name, span in zip(names, found, strict=True))

    def _peek_table(self) -> tuple[bool, Key]:
        self._peeking = True
        try:
            return super()._peek_table()
        finally:
            self._peeking = False

    def _parse_table(
        self, parent_name: Key | None = None, parent: TomlkitTable | None = None
    ) -> tuple[Key, TomlkitTable | AoT]:
        self._header = self._idx
        return super()._parse_table(parent_name, parent)

    def _parse_key_value(self, parse_comment: bool = False) -> tuple[Key, Item]:
        key, item = super()._parse_key_value(parse_comment)
        comment = item.trivia.comment.lstrip("#").strip() if parse_comment else ""
        insert(self._scopes[-1], self._keys.pop(), self._done.pop(), comment)
        return key, item

    def _parse_value(self) -> Item:
        if len(self._opened) >= MAX_DEPTH:
            raise self._too_deep()
        start, opening, mark = self._idx, self._current, len(self._done)
        self._where = "value"
        self._opened.append(start)
        table = Table(Span(start, start), "", "inline") if opening == "{" else None
        if table is not None:
            self._scopes.append(table)
        try:
            item = super()._parse_value()
        finally:
            self._opened.pop()
            if table is not None:
                self._scopes.pop()
            children = self._done[mark:]
            del self._done[mark:]
        self._where = "after value"
        span = Span(start, start + len(self._src[start : self._idx].rstrip(" \t")))
        if table is not None:
            table.span = span
            self._done.append(table)
        elif opening == "[":
            self._done.append(Array(children, span))
        else:
            value = item.unwrap()
            # int() and float() of Python take U+2028 and digits of other scripts, and tomlkit leaves them to it.
            if not isinstance(value, str) and not self._src[start : self._idx].isascii():
                self.failure = Failure(start, "value", (*self._opened, start))
                raise RefusedError
            self._done.append(Scalar(_kind(value), value, span))
        return item


def _kind(value: object) -> Kind:
    """TOML's word for the kind of a Python value; bool before int, datetime before date: they are subclasses."""
    kinds: tuple[tuple[type, Kind], ...] = (
        (bool, "boolean"),
        (int, "integer"),
        (float, "float"),
        (dt.datetime, "date-time"),
        (dt.date, "date"),
        (dt.time, "time"),
    )
    return next((kind for python, kind in kinds if isinstance(value, python)), "string")
