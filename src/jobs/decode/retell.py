"""Sentences about keys and values: what stands there, what may stand there, and what to write."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jobs.decode.suggest import listed, nearest
from jobs.model.fields import TABLES, Field, fields_of
from jobs.model.forms import ENV_NAME, HTTP, STRING, Form
from jobs.read.nodes import Array, Node, Scalar, Table
from jobs.read.toml_tree import dotted, quoted
from jobs.text import SourceFile, Span

Path = tuple[str | int, ...]
Told = tuple[Span, str, str]

_TABLES = {table.name: table for table in TABLES}
_HEADED = {"project", "env", "defaults", "guards", "guard", "catchup", "lint", "jobs", "job"}
_ARTICLES = {"integer": "an integer", "array": "an array", "date-time": "a date and time"}
# Keys that people look for in a job and that stand elsewhere, or nowhere.
_ELSEWHERE = {
    ("job", "name"): "take it away: a job has its name from its header, [jobs.NAME]",
    ("job", "label"): "take it away: the label is the prefix of [project] and the job's name",
    ("job", "Label"): "take it away: the label is the prefix of [project] and the job's name",
    ("job", "path"): "set `path` in [project]: it is the PATH of all jobs",
    ("job", "user"): "set `user` in [project]",
    ("job", "UserName"): "set `user` in [project]",
    ("job", "shell"): "write `run` as a string: it is a line for /bin/sh -c",
    ("job", "PATH"): "set `path` in [project]: it is the PATH of all jobs",
}

_MISSING_TABLES = {
    "version": ("the manifest has no `version`", "add version = 1 as its first line"),
    "project": (
        "the manifest has no [project]",
        "add [project] with `name`, `prefix`, `root` and `home`; `jobsctl init` writes a manifest to begin with",
    ),
}


class Retelling:
    """Sentences about one document."""

    def __init__(self, root: Table, source: SourceFile) -> None:
        self._root = root
        self._source = source

    def unknown(self, path: Path, name: str) -> tuple[Span, str, str, str | None]:
        """About a key that is not known, and the key that was meant, if that is clear."""
        table, _, _ = _declared(path)
        fields = fields_of(table)
        holder = self._node(path)
        entry = holder.entries[name] if isinstance(holder, Table) else None
        span = entry.key if entry is not None else holder.span
        message = f"unknown key `{_shown(name)}` in {self.title(path)}"
        kind = "job" if table == "defaults" else table
        if (kind, name) in _ELSEWHERE:
            return span, message, _ELSEWHERE[kind, name], None
        meant = next((field.name for field in fields.values() if name in field.also), None)
        launchd_key = _launchd_key(name) if kind == "job" and meant is None else None
        if launchd_key is not None:
            return (
                span,
                message,
                f"put it in launchd = {{ {launchd_key} = … }}, where launchd's own keys go",
                None,
            )
        meant = meant or nearest(name, fields)
        if meant is not None:
            return span, message, self._instead(kind, name, meant, entry.node if entry else None), meant
        other = _belongs(name, table)
        if other:
            return span, message, f"move it to {other}", None
        return span, message, f"use one of {listed([f'`{key}`' for key in fields])}", None

    def _instead(self, table: str, name: str, meant: str, node: Node | None) -> str:
        if (table, meant) == ("at", "time") and isinstance(node, Scalar) and isinstance(node.value, int):
            number = node.value
            if name.lower() == "hour" and 0 <= number <= 23:
                return f'write time = "{number:02d}:00"; hour and minute are one key'
            return 'write time = "HH:MM"; hour and minute are one key'
        if name.lower() == "disabled" and isinstance(node, Scalar) and isinstance(node.value, bool):
            return f"write enabled = {str(not node.value).lower()}"
        return f"write `{meant}`"

    def missing(self, path: Path, name: str) -> Told:
        """About a required key that is not there."""
        table, _, _ = _declared(path)
        if not path:
            return (
                Span(0, 0),
                *_MISSING_TABLES[name],
            )
        field = fields_of(table)[name]
        return self._node(path).span, f"{self.title(path)} has no `{name}`", f"add {name} = {field.example}"

    def bad_name(self, path: Path, name: str) -> Told:
        """About a name of the user's choice (job, guard, variable) with characters that it must not have."""
        table, _, _ = _declared(path)
        holder = self._node(path)
        span = holder.entries[name].key if isinstance(holder, Table) else holder.span
        if _TABLES[table].keys == ENV_NAME:
            better = re.sub(r"[^A-Za-z0-9_]", "_", name).lstrip("0123456789") or "NAME"
            rule = "letters, digits and _, and no digit first"
            return span, f"`{_shown(name)}` cannot be the name of a variable: {rule}", f"write {better}"
        kind, characters = ("job", "., _ and -") if table == "jobs" else ("guard", "_ and -")
        return span, *name_sentence(kind, name, characters)

    def wrong_type(self, path: Path) -> Told:
        """About a value of the wrong type."""
        node = self._node(path)
        _, field, forms = _declared(path)
        raw = self._source.text[node.span.start : node.span.end]
        message = f"{self.subject(path)} is {stands(node, raw)}, not {listed([form.says for form in forms])}"
        if isinstance(node, Scalar) and any(form.table in _HEADED for form in forms):
            return node.span, message, f"write {self.title(path)} with its keys below"
        return node.span, message, _type_fix(node, raw, field, forms)

    def bad_value(self, path: Path) -> Told:
        """About a value of a right type that is not allowed."""
        node = self._node(path)
        _, field, forms = _declared(path)
        raw = self._source.text[node.span.start : node.span.end]
        subject = self.subject(path)
        if field is not None and field.name == "version":
            return node.span, f"`version` is {raw}: this program reads version 1", "write version = 1"
        if isinstance(node, Array) and not node.items:
            return node.span, f"{subject} is an empty array", _example(field, "write at least one entry")
        if isinstance(node, Scalar) and node.kind == "integer":
            return node.span, *_out_of_bounds(subject, node, forms, raw)
        allowed = listed([form.says for form in forms])
        message = f"{subject} is {_short(raw)}: it must be {allowed}"
        if isinstance(node, Scalar) and isinstance(node.value, str):
            values = [value for form in forms for value in form.values]
            near = nearest(node.value, values) if node.value else None
            if near is not None:
                return node.span, message, f'write "{near}"'
            if any(form.pattern == HTTP for form in forms):
                return node.span, message, f"write a command as an array: [{quoted(node.value)}]"
        return node.span, message, _example(field, f"write {allowed}")

    def title(self, path: Path) -> str:
        """A table's name in a sentence: `[jobs.post]`, or `lock of [jobs.post]`."""
        if not path:
            return "the manifest"
        depth = 2 if path[0] in {"jobs", "guards"} else 1
        header = "[" + dotted([str(part) for part in path[:depth]]) + "]"
        inner = [
            f"entry {part + 1}" if isinstance(part, int) else f"`{dotted([part])}`" for part in path[depth:]
        ]
        return " of ".join([*reversed(inner), header])

    def subject(self, path: Path) -> str:
        """A value's name in a sentence: `timeout`, or `entry 2 of run`."""
        names: list[str] = []
        for part in reversed(path):
            if isinstance(part, int):
                names.append(f"entry {part + 1}")
                continue
            names.append(f"`{dotted([part])}`")
            break
        if path == ("version",):
            return "`version`"
        if len(path) == 1 or (len(path) == 2 and path[0] in {"jobs", "guards"} and isinstance(path[1], str)):
            return self.title(path)
        return " of ".join(names)

    def _node(self, path: Sequence[str | int]) -> Node:
        node: Node = self._root
        for part in path:
            if isinstance(node, Table) and isinstance(part, str):
                node = node.entries[part].node
            elif isinstance(node, Array) and isinstance(part, int):
                node = node.items[part]
        return node


def _declared(path: Path) -> tuple[str, Field | None, tuple[Form, ...]]:
    """What the table of keys says of a path: the table that stands there (or `""`), its field, its forms."""
    table = "manifest"
    field: Field | None = None
    forms: tuple[Form, ...] = (Form("table", "a table", table="manifest"),)
    for part in path:
        if isinstance(part, int):
            forms = next((form.items for form in forms if form.type == "array"), ())
        elif table in _TABLES and _TABLES[table].keys:
            field, forms = None, _TABLES[table].items
        else:
            field = fields_of(table).get(part)
            forms = field.forms if field is not None else ()
        table = next((form.table for form in forms if form.table), "")
    return table, field, forms


def stands(node: Node, raw: str) -> str:
    """The kind of a value, with the value: `an integer (45)`."""
    if isinstance(node, Scalar):
        return f"{_ARTICLES.get(node.kind, f'a {node.kind}')} ({_short(raw)})"
    return _ARTICLES.get(node.kind, f"a {node.kind}")


def _short(raw: str) -> str:
    """A value's text, in one line and not too long."""
    line = " ".join(raw.split())
    return line if len(line) <= 60 else line[:57] + "..."


def _shown(name: str) -> str:
    return _short(dotted([name]))


def name_sentence(kind: str, name: str, characters: str) -> tuple[str, str]:
    """What is wrong with the name of a job, a lock or a guard, and a name that would do."""
    better = re.sub(r"[^A-Za-z0-9._-]+" if "." in characters else r"[^A-Za-z0-9_-]+", "-", name).strip("-._")
    message = f"`{_shown(name)}` cannot be the name of a {kind}: letters, digits, {characters}, and a letter or digit first"
    return message, f"write {better}" if better else f"name the {kind} in ASCII"


def _example(field: Field | None, otherwise: str) -> str:
    return otherwise if field is None else f"write {field.name} = {field.example}"


def _out_of_bounds(subject: str, node: Scalar, forms: Sequence[Form], raw: str) -> tuple[str, str]:
    form = next(form for form in forms if form.type == "integer")
    if form.minimum is not None and node.value < form.minimum:
        return f"{subject} is {_short(raw)}: the least is {form.minimum}", f"write {form.minimum} or more"
    return f"{subject} is {_short(raw)}: the most is {form.maximum}", f"write {form.maximum} or less"


def _type_fix(node: Node, raw: str, field: Field | None, forms: Sequence[Form]) -> str:
    """What to write for a value of the wrong type."""
    types = {form.type for form in forms}
    name = f"{field.name} = " if field is not None else ""
    if isinstance(node, Scalar):
        if field is not None and field.name == "umask" and node.kind == "integer":
            return f'write the octal digits in quotes: umask = "{_octal(node.value)}"'
        if any("duration" in form.says for form in forms) and node.kind in {"integer", "float"}:
            return f'write the unit, in quotes: "{_short(raw)}s" for seconds or "{_short(raw)}m" for minutes'
        if node.kind == "string" and "boolean" in types and node.value.lower() in {"true", "false"}:
            return f"write {node.value.lower()} without quotes"
        if node.kind == "string" and "integer" in types and re.fullmatch(r"[0-9]{1,15}", node.value):
            return f"write {int(node.value)} without quotes"
        if node.kind == "string" and "array" in types:
            parts = node.value.split(":") if field is not None and field.name == "path" else [node.value]
            return f"write an array: [{', '.join(quoted(part) for part in parts if part)}]"
        if field is not None and field.name in {"at", "time"} and (clock := _clock(node, raw)):
            return f'put it in quotes: "{clock}"'
        if forms == (STRING,) and node.kind != "string":
            return f"put it in quotes: {quoted(_short(raw))}"
    if isinstance(node, Array) and node.headers and "table" in types:
        name = "jobs.NAME" if field is not None and field.name == "jobs" else "NAME"
        return f"write its header with single brackets, [{name}]"
    return (
        f"write {name}{field.example}"
        if field is not None and name
        else f"write {listed([form.says for form in forms])}"
    )


def _clock(node: Scalar, raw: str) -> str:
    """The time of day that was meant by TOML's own time, or by a number such as 930; empty if none was."""
    match = re.fullmatch(r"([01]?[0-9]|2[0-3]):?([0-5][0-9])(?::[0-9.]+)?", raw)
    return f"{int(match[1]):02d}:{match[2]}" if match and node.kind in {"time", "integer"} else ""


def _launchd_key(name: str) -> str | None:
    """The key of launchd.plist(5) that a name is, whatever its case, or None."""
    from jobs.model.launchd_keys import KEYS

    return next((key.name for key in KEYS if "." not in key.name and key.name.lower() == name.lower()), None)


def _octal(number: int) -> str:
    """The octal digits that a person meant who wrote a number: its decimal digits, if they can be octal ones."""
    digits = str(number)
    return f"{digits:0>3}" if re.fullmatch(r"[0-7]{1,3}", digits) else f"{number & 0o777:03o}"


def _belongs(name: str, table: str) -> str:
    """Where a key stands that is right in another table: `[project]`, or empty."""
    for other in ("project", "job", "catchup", "guard", "lint", "manifest"):
        if other != table and name in fields_of(other):
            if other == "job":
                return "[jobs.NAME] or [defaults]"
            header = _TABLES[other].header
            return header or "the top of the file, before the first table"
    return ""
