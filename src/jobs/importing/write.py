"""Imported jobs as text of a manifest. What stands in the manifest already stays as it is, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from jobs.importing.found import Candidate, Fate, Note
from jobs.manifest_text import toml_string

_WIDE: Final = 110
_ORDER: Final = (
    "run", "cwd", "at", "cron", "every", "timezone", "watch", "at_load", "keep_alive", "umask", "lock", "kill_after", "log",
    "enabled", "env", "launchd",
)  # fmt: skip


def head_text(*, name: str, prefix: str, root: str, home: str, path: Sequence[str]) -> str:
    """The beginning of a new manifest."""
    return (
        f"# The scheduled jobs of {name}. Every key: `jobsctl schema`. After a change: `jobsctl build`, `jobsctl lint`,\n"
        "# and on the Mac `jobsctl install`.\n"
        "version = 1\n\n"
        "[project]\n"
        f"name = {toml_string(name)}\n"
        f"prefix = {toml_string(prefix)} # label of a job = prefix.NAME\n"
        f"root = {toml_string(root)} # on the Mac that runs the jobs: base of relative paths\n"
        f"home = {toml_string(home)} # what ~ means; also the jobs' HOME\n"
        f"path = {value_text(list(path))}\n"
    )


def block_text(candidate: Candidate) -> str:
    """A candidate as a table with its origin and its notes as comments; one that was refused is comments only."""
    lines = list(candidate.comments)
    while lines and not lines[0]:
        lines.pop(0)
    lines.append(comment_text(f"from {candidate.origin}"))
    shown = [
        note for note in candidate.notes if not note.quiet and (note.fate is not Fate.LEFT_OUT or note.fix)
    ]
    notes = [_note_text(note) for note in shown if candidate.name or note.fate is Fate.REFUSED]
    if not candidate.name:
        if candidate.kind == "crontab" and candidate.source is not None:
            notes.append(comment_text(candidate.source.line(candidate.place.line)))
        return "\n".join([*lines, *notes]) + "\n"
    lines.append(f"[jobs.{key_text(candidate.name)}]")
    lines += notes
    tables = []
    for key in _ORDER:
        if key not in candidate.keys:
            continue
        value = candidate.keys[key]
        line = f"{key} = {value_text(value)}"
        if isinstance(value, Mapping) and (len(line) > _WIDE or len(value) > 2):
            rows = [f"{key_text(name)} = {value_text(entry)}" for name, entry in value.items()]
            tables.append("\n".join([f"\n[jobs.{key_text(candidate.name)}.{key}]", *rows]))
        else:
            lines.append(line)
    return "\n".join([*lines, *tables]) + "\n"


def appended(text: str, blocks: Sequence[str], tail: Sequence[str] = ()) -> str:
    """The manifest's text with blocks behind it, in its own line ends."""
    newline = "\r\n" if "\r\n" in text else "\n"
    body = "\n".join(blocks)
    if any(tail):
        body += "\n" + "\n".join(tail).strip("\n") + "\n"
    gap = "" if not text or text.endswith("\n") else newline
    return f"{text}{gap}{newline if text.strip() else ''}{body.replace(chr(10), newline)}"


def comment_text(text: str) -> str:
    """The text as one line of comment, whatever it holds."""
    return "# " + " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _note_text(note: Note) -> str:
    word = Fate.LOST.value if note.fate is Fate.REFUSED else note.fate.value
    fix = f"; {note.fix}" if note.fix else ""
    return comment_text(f"{word}: {note.message}{fix} ({note.place.line}:{note.place.column})")


def key_text(key: str) -> str:
    """A key, in quotes where TOML wants them."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml_string(key)


def value_text(value: Any) -> str:
    """A value in TOML's notation, readable where that is possible."""
    if isinstance(value, str):
        plain = all(c.isprintable() or c in "\n\t" for c in value)
        if "\n" in value.strip("\n") and plain and "'''" not in value and not value.endswith("'"):
            return f"'''\n{value}'''"
        return (
            toml_string(value)
            if "'" in value or not plain or not re.search(r'["\\]', value)
            else f"'{value}'"
        )
    if isinstance(value, Mapping):
        inner = ", ".join(f"{key_text(key)} = {value_text(entry)}" for key, entry in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, Sequence):
        entries = [value_text(entry) for entry in value]
        line = f"[{', '.join(entries)}]"
        if len(line) <= _WIDE or len(entries) < 2:
            return line
        return "[\n" + "".join(f"    {entry},\n" for entry in entries) + "]"
    import tomlkit

    text: str = tomlkit.item(value).as_string()
    return text
