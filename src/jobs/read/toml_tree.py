"""Putting keys and headers together into tables, by TOML's rules against saying a thing twice."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jobs.read.nodes import Array, Entry, KeyPart, Node, Table
from jobs.text import Span

_BARE = re.compile(r"[A-Za-z0-9_-]+")


class RepeatedError(Exception):
    """A key or table that stands twice. `{line}` in the message stands for the line of `first`."""

    def __init__(self, message: str, fix: str, span: Span, first: Span) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix
        self.span = span
        self.first = first


def stands(kind: str) -> str:
    """A kind of value with its article."""
    return f"an {kind}" if kind[0] in "ai" else f"a {kind}"


def dotted(names: Sequence[str]) -> str:
    """A key as TOML writes it, with quotes where they are needed."""
    return ".".join(name if _BARE.fullmatch(name) else quoted(name) for name in names)


def quoted(text: str) -> str:
    r"""A basic string of TOML, in one line: control characters and `"` and `\` are escaped."""
    shown = text.replace("\\", "\\\\").replace('"', '\\"')
    shown = shown.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda match: f"\\u{ord(match[0]):04X}", shown) + '"'


def open_table(root: Table, parts: Sequence[KeyPart], span: Span, *, array: bool) -> Table:
    """The table that a header opens, new in the tree. Raises RepeatedError."""
    names = [part.name for part in parts]
    title = dotted(names)
    table = root
    for depth, part in enumerate(parts[:-1], start=1):
        entry = table.entries.get(part.name)
        if entry is None:
            entry = Entry(part.span, Table(span, dotted(names[:depth]), "implied"))
            table.entries[part.name] = entry
        table = _inside(entry, dotted(names[:depth]), part.span)
    last = parts[-1]
    entry = table.entries.get(last.name)
    if array:
        return _next_of_array(table, entry, last, title, span)
    if entry is None:
        made = Table(span, title, "header")
        table.entries[last.name] = Entry(last.span, made)
        return made
    old = entry.node
    if not isinstance(old, Table) or old.origin != "implied":
        first = old.span if isinstance(old, Table) and old.origin == "header" else entry.key
        raise RepeatedError(
            f"[{title}] stands twice, the first time in line {{line}}",
            "put all its keys under one header",
            span,
            first,
        )
    table.entries[last.name] = Entry(last.span, old)
    old.origin = "header"
    old.span = span
    return old


def _inside(entry: Entry, title: str, span: Span) -> Table:
    node = entry.node
    if isinstance(node, Array) and node.headers:
        node = node.items[-1]
    if isinstance(node, Table) and node.origin != "inline":
        return node
    kind = "an inline table" if isinstance(node, Table) else stands(node.kind)
    raise RepeatedError(
        f"`{title}` is {kind} already, in line {{line}}: a header cannot add to it",
        "write it as one table",
        span,
        entry.key,
    )


def _next_of_array(table: Table, entry: Entry | None, last: KeyPart, title: str, span: Span) -> Table:
    made = Table(span, title, "header")
    if entry is None:
        table.entries[last.name] = Entry(last.span, Array([made], span, headers=True))
    elif isinstance(entry.node, Array) and entry.node.headers:
        entry.node.items.append(made)
    else:
        raise RepeatedError(
            f"`{title}` is no array of tables, in line {{line}}: [[{title}]] cannot add to it",
            f"write either {title} = … or [[{title}]]",
            span,
            entry.key,
        )
    return made


def insert(table: Table, parts: Sequence[KeyPart], node: Node, comment: str) -> None:
    """Put a value under a key, dotted or not, of a table. Raises RepeatedError."""
    names: list[str] = [table.title] if table.title else []
    for part in parts[:-1]:
        names.append(part.name)
        title = ".".join((*names[:1], dotted(names[1:]))) if table.title and names[1:] else dotted(names)
        entry = table.entries.get(part.name)
        if entry is None:
            entry = Entry(part.span, Table(part.span, title, "dotted"))
            table.entries[part.name] = entry
        inner = entry.node
        if not isinstance(inner, Table) or inner.origin in {"header", "inline"}:
            raise RepeatedError(
                f"`{title}` is set already, in line {{line}}: a dotted key cannot add to it",
                "put the key where the rest of it stands",
                part.span,
                entry.key,
            )
        inner.origin = "dotted"
        table = inner
    last = parts[-1]
    entry = table.entries.get(last.name)
    if entry is not None:
        where = f" in [{table.title}]" if table.title else ""
        raise RepeatedError(
            f"`{dotted([last.name])}` is set twice{where}, the first time in line {{line}}",
            "take one of the two away",
            last.span,
            entry.key,
        )
    if isinstance(node, Table):
        node.title = f"{table.title}.{dotted([last.name])}" if table.title else dotted([last.name])
    table.entries[last.name] = Entry(last.span, node, comment)
