"""A TOML document as nodes that know where they stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from jobs.text import Span

Kind = Literal["string", "integer", "float", "boolean", "date-time", "date", "time", "array", "table"]
Origin = Literal["header", "implied", "dotted", "inline"]


@dataclass(frozen=True, slots=True)
class KeyPart:
    """One part of a key as written: `a."b c"` has two."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value without parts. `span` covers its quotes."""

    kind: Kind
    value: Any
    span: Span


@dataclass(frozen=True, slots=True)
class Array:
    """An array; of tables when `headers` is true (`[[name]]`)."""

    items: list[Node]
    span: Span
    headers: bool = False

    @property
    def kind(self) -> Kind:
        """TOML's word for it."""
        return "array"


@dataclass(frozen=True, slots=True)
class Entry:
    """A key and its value in a table; `comment` is the text behind the value on its line, without the `#`."""

    key: Span
    node: Node
    comment: str = ""


@dataclass(slots=True)
class Table:
    """A table. `span` is its header, its braces, or the key that implies it. `title` is its full name."""

    span: Span
    title: str
    origin: Origin
    entries: dict[str, Entry] = field(default_factory=dict)

    @property
    def kind(self) -> Kind:
        """TOML's word for it."""
        return "table"

    def node(self, name: str) -> Node | None:
        """The value of a key, or None."""
        entry = self.entries.get(name)
        return None if entry is None else entry.node


Node = Scalar | Array | Table


def plain(node: Node) -> Any:
    """The node as Python's own dict, list, str, int, float, bool and datetime values."""
    if isinstance(node, Table):
        return {name: plain(entry.node) for name, entry in node.entries.items()}
    if isinstance(node, Array):
        return [plain(item) for item in node.items]
    return node.value
