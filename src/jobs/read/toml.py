"""TOML with places: plain values, and where each key and value stands.

tomllib judges what is TOML and what is not (it is strict, and its places are exact); tomlkit then tells where things
stand. A subclass of tomlkit's parser notes the offsets at which keys and values begin and end: private names, so the
version is pinned and tests/read/test_toml.py watches them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jobs.diagnostics import Diagnostic, Fix, Severity
from jobs.text import SourceFile, Span

if TYPE_CHECKING:
    from tomlkit.items import Item

Path = tuple[str | int, ...]

LARGEST = 8 * 1024 * 1024  # bytes; the largest manifest that anybody writes is far below


@dataclass(frozen=True, slots=True)
class Spans:
    """Where a key and its value stand. A table's value is its header (or its braces)."""

    key: Span | None
    value: Span


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A TOML file that was read: plain values (dicts, lists, strings, numbers ...) and the spans of every path."""

    source: SourceFile
    data: Mapping[str, Any]
    spans: Mapping[Path, Spans] = field(repr=False)


def decode_text(path: str, data: bytes) -> SourceFile | Diagnostic:
    """The text of a file's bytes, or what is wrong with its encoding."""
    if len(data) > LARGEST:
        text = f"the file is {len(data) // 1024} KB long; a manifest has at most {LARGEST // 1024} KB"
        return _syntax(
            SourceFile(path, ""), Span(0, 0), text, "check that this is the manifest that you mean"
        )
    bom = data.startswith(b"\xef\xbb\xbf")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        head = SourceFile(path, data[: error.start].decode(errors="replace"))
        offset = len(head.text)
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        return _syntax(head, Span(offset, offset + 1), message, "save the file as UTF-8")
    if bom:
        return _syntax(
            SourceFile(path, text),
            Span(0, 1),
            "a byte order mark stands before the first line",
            "save the file as UTF-8 without BOM",
        )
    return SourceFile(path, text)


def read_toml(source: SourceFile) -> TomlFile | Diagnostic:
    """The located values of a text, or its first syntax error."""
    try:
        data = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        return _retold(source, str(error))
    except RecursionError:
        return _syntax(source, Span(0, 0), "arrays or tables are nested too deeply", "write it flatter")
    try:
        spans = dict(_spans(source))
    except (RecursionError, ValueError, KeyError) as error:  # whatever tomlkit refuses that tomllib takes
        return _syntax(source, Span(0, 0), f"cannot be located: {error}", "write it more plainly")
    return TomlFile(source, data, spans)


def _spans(source: SourceFile) -> Iterator[tuple[Path, Spans]]:
    """The spans of all keys and values, by path."""
    from tomlkit.exceptions import TOMLKitError
    from tomlkit.items import AoT, Array, InlineTable, Table
    from tomlkit.parser import Parser

    class LocatingParser(Parser):
        """Notes where values, keys and headers begin and end."""

        def __init__(self, text: str) -> None:
            self.values: dict[int, tuple[Item, Span]] = {}
            self.keys: dict[int, Span] = {}
            self.headers: dict[tuple[str, ...], list[Span]] = {}
            self._open_keys: list[Span | None] = []
            self._in_header = False
            super().__init__(text)

        def _parse_value(self) -> Item:
            start = self._idx
            item = super()._parse_value()
            self.values[id(item)] = (item, Span(start, self._idx))
            return item

        def _parse_key_value(self, parse_comment: bool = False) -> tuple[Any, Item]:
            self._open_keys.append(None)
            key, item = super()._parse_key_value(parse_comment)
            span = self._open_keys.pop()
            if span is not None:
                self.keys[id(item)] = span
            return key, item

        def _parse_key(self) -> Any:
            start = self._idx
            key = super()._parse_key()
            text = source.text[start : self._idx]
            begin = start + len(text) - len(text.lstrip(" \t"))
            span = Span(begin, begin + len(text.strip(" \t")))
            if self._in_header:
                self._in_header = False
                self.headers.setdefault(tuple(part.key for part in key), []).append(span)
            elif self._open_keys and self._open_keys[-1] is None:
                self._open_keys[-1] = span
            return key

        def _parse_table(self, parent_name: Any = None, parent: Any = None) -> Any:
            self._in_header = True
            return super()._parse_table(parent_name, parent)

    try:
        parser = LocatingParser(source.text)
        document = parser.parse()
    except TOMLKitError as error:
        raise ValueError(str(error)) from error
    counted: dict[tuple[str, ...], int] = {}

    def header(path: Path) -> Span | None:
        names = tuple(part for part in path if isinstance(part, str))
        found = parser.headers.get(names)
        if not found:
            return None
        index = counted.get(names, 0)
        counted[names] = index + 1
        return found[min(index, len(found) - 1)]

    def walk(path: Path, item: Item) -> Iterator[tuple[Path, Spans]]:
        found = parser.values.get(id(item))
        key = parser.keys.get(id(item))
        if isinstance(item, AoT):
            for index, table in enumerate(item.body):
                yield from walk((*path, index), table)
            return
        if isinstance(item, Table):
            span = header(path)
            if span is not None:
                yield path, Spans(span, span)
        elif found is not None:
            yield path, Spans(key, found[1])
        if isinstance(item, (Table, InlineTable)):
            yield from body(path, item.value.body)
        elif isinstance(item, Array):
            entries = [group.value for group in item._value if group.value is not None]  # noqa: SLF001
            for index, entry in enumerate(entries):
                yield from walk((*path, index), entry)

    def body(path: Path, rows: Any) -> Iterator[tuple[Path, Spans]]:
        for key, item in rows:
            if key is not None:
                yield from walk((*path, key.key), item)

    yield from body((), document.body)


_PLACE = re.compile(
    r"^(?P<words>.*?) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$", re.DOTALL
)

_WORDS: tuple[tuple[str, str, str], ...] = (
    # what tomllib says (its beginning), what is said here, what to do
    ("Cannot overwrite a value", "this key is set twice", "keep one of the two"),
    ("Cannot declare", "this table is opened twice", "join the two tables"),
    (
        "Cannot mutate immutable namespace",
        "this inline table is complete and takes no more keys",
        "write the key inside the braces, or use a [table] header",
    ),
    ("Duplicate inline table key", "this key is set twice in the inline table", "keep one of the two"),
    ("Expected '=' after a key", "a key is not followed by `=`", "write key = value"),
    (
        "Expected newline or end of document",
        "something follows the value on its line",
        'end the line after the value; text needs quotes: key = "value"',
    ),
    ("Invalid value", "this is no TOML value", "put text into quotes; write true or false in lower case"),
    (
        "Invalid initial character for a key part",
        "a key cannot begin so",
        "use letters, digits, - and _, or put the key into quotes",
    ),
    ("Invalid statement", "this is neither a key nor a [table]", "write key = value"),
    ("Unterminated string", "the string is not closed", "add the missing quote"),
    ('Expected "\'"', "the string is not closed", "add the missing quote"),
    ("Illegal character '\\n'", "the string is not closed on its line", "add the missing quote"),
    (
        "Illegal character",
        "a character that TOML does not allow stands here",
        "remove it, or write it as \\uXXXX inside a string",
    ),
    (
        "Unescaped '\\' in a string",
        "a backslash begins no known escape",
        "write \\\\ for a backslash, or use a 'single quoted' string",
    ),
    ("Invalid hex value", "the \\u escape is not complete", "write four hexadecimal digits behind \\u"),
    (
        "Escaped character is not a Unicode scalar value",
        "this escape stands for no character",
        "write the character itself",
    ),
    ("Unclosed array", "the array is not closed", "add the missing ]"),
    ("Unclosed inline table", "the inline table is not closed", "add the missing }"),
    (
        "Expected ']' at the end of a table declaration",
        "the table's header is not closed",
        "add the missing ]",
    ),
    ("Expected ']]'", "the header of the array of tables is not closed", "add the missing ]]"),
    ("Invalid date or datetime", "there is no such date", "correct the date"),
    ("Found invalid character '\\n'", "the string is not closed on its line", "add the missing quote"),
    ("Found invalid character", "a character that TOML does not allow stands here", "remove it"),
)


def _retold(source: SourceFile, told: str) -> Diagnostic:
    """A syntax error of tomllib in the words of a person, at its place."""
    match = _PLACE.match(told)
    words = match["words"] if match else told
    if match and match["line"]:
        offset = _offset(source, int(match["line"]), int(match["column"]))
    else:
        offset = len(source.text)
    message, fix = next(
        ((ours, todo) for theirs, ours, todo in _WORDS if words.startswith(theirs)),
        (f"this is not TOML: {words}", "see https://toml.io for the forms of values"),
    )
    if offset >= len(source.text):
        message = f"{message}: the file ends here"
    if words.startswith("Cannot overwrite a value") and offset > 0:
        # tomllib stands behind the value by then; the key is at the start of the line.
        line, _ = source.line_column(offset - 1)
        start = _offset(source, line, 1)
        key = re.match(r"\s*([^=\n]*?)\s*=", source.text[start:])
        if key:
            first = _first_line_of(source, key[1], line)
            message = f"`{key[1]}` is set twice" + (f", the first time on line {first}" if first else "")
            return _syntax(source, Span(start + key.start(1), start + key.end(1)), message, fix)
    return _syntax(source, Span(offset, offset + 1), message, fix)


def _first_line_of(source: SourceFile, key: str, line: int) -> int | None:
    """The line above in the same table that sets the key, or None."""
    for number in range(line - 1, 0, -1):
        text = source.line(number).strip()
        if text.startswith("["):
            return None
        if re.match(rf"{re.escape(key)}\s*=", text):
            return number
    return None


def _offset(source: SourceFile, line: int, column: int) -> int:
    start = 0
    for _ in range(line - 1):
        start = source.text.find("\n", start) + 1
    return min(start + column - 1, len(source.text))


def _syntax(source: SourceFile, span: Span, message: str, fix: str) -> Diagnostic:
    place = source.place(span)
    return Diagnostic("M001", Severity.ERROR, message, place, Fix(fix), source.line(place.line))
