"""A crontab, line by line and with places: crontab(5) as Vixie cron, cronie and macOS read it. Pure; never raises."""

from __future__ import annotations

import re
from dataclasses import dataclass

from jobs.text import Place, SourceFile, Span

_ASSIGNMENT = re.compile(
    r"""[ \t]*(?P<name>"[^"]*"|'[^']*'|[^\s="'#@*]+)[ \t]*=[ \t]*(?P<value>.*?)[ \t]*$""", re.DOTALL
)
_FIELDS = 5


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment line, or a blank one (`text` is empty then). The text has its `#`."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Assignment:
    """`NAME = value`: holds for the lines below. Quotes around name and value are off; nothing is expanded."""

    name: str
    value: str
    place: Place


@dataclass(frozen=True, slots=True)
class Entry:
    r"""A line that runs something.

    `schedule` is the five fields or the word with @, as written; `command` is what the shell is given, with `\%` made
    `%`; `stdin` is what follows the first bare `%`, its further ones made line ends, or None without one. Places cover
    the text in the file; `user` is None where the form has no such column.
    """

    schedule: str
    command: str
    stdin: str | None
    user: str | None
    place: Place
    schedule_span: Span
    command_span: Span


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that cron would not take, and why."""

    message: str
    place: Place


Row = Comment | Assignment | Entry | Fault


@dataclass(frozen=True, slots=True)
class Crontab:
    """A crontab that was read: its rows in the order of the file."""

    source: SourceFile
    rows: tuple[Row, ...]


def parse_crontab(source: SourceFile, *, user_column: bool = False) -> Crontab:
    """The rows of a crontab; with `user_column` in the form of /etc/crontab, whose sixth field is a user."""
    rows: list[Row] = []
    offset = 0
    for raw in source.text.split("\n"):
        line = raw.rstrip("\r")
        rows.append(_row(source, line, offset, user_column))
        offset += len(raw) + 1
    if rows and isinstance(rows[-1], Comment) and not rows[-1].text:
        rows.pop()  # what follows the last line end is no line
    return Crontab(source, tuple(rows))


def _row(source: SourceFile, line: str, offset: int, user_column: bool) -> Row:
    text = line.strip(" \t")
    start = offset + len(line) - len(line.lstrip(" \t"))
    place = source.place(Span(start, start + len(text)))
    if not text or text.startswith("#"):
        return Comment(text, place)
    bad = next((c for c in text if _is_unfit(c)), None)
    if bad is not None:
        kind = "a byte that is not UTF-8" if bad > "\x7f" else f"the control character U+{ord(bad):04X}"
        return Fault(f"the line holds {kind}", place)
    if _is_assignment(text):
        match = _ASSIGNMENT.fullmatch(text)
        if match is not None:
            return Assignment(_unquoted(match["name"]), _unquoted(match["value"]), place)
    return _entry(line, start, offset, user_column, place)


def _is_unfit(character: str) -> bool:
    """Whether a character cannot stand in a line: a control character, or what stands for a byte that was no text."""
    code = ord(character)
    return (code < 32 and character != "\t") or code in {127, 0xFFFD} or 0xD800 <= code < 0xE000


def _is_assignment(text: str) -> bool:
    """Whether cron takes a line for a variable: the first `=` comes with nothing but a name before it."""
    name, equals, _ = text.partition("=")
    name = name.rstrip(" \t")
    quoted = len(name) > 1 and name[0] in "\"'" and name[-1] == name[0]
    return bool(equals and name) and (quoted or not re.search(r"[\s*@]", name))


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] in "\"'" and text[-1] == text[0]:
        return text[1:-1]
    return text


def _entry(line: str, start: int, offset: int, user_column: bool, place: Place) -> Row:
    words = list(re.finditer(r"[^ \t]+", line))
    count = 1 if words[0].group().startswith("@") else _FIELDS
    if len(words) < count:
        return Fault(f"{len(words)} of the five fields and no command", place)
    rest = words[count:]
    schedule_end = offset + words[count - 1].end()
    user: str | None = None
    if user_column and rest:
        user = rest.pop(0).group()
    if not rest:
        return Fault("there is no command" + (" after the user" if user_column else ""), place)
    begin = offset + rest[0].start()
    text = line[rest[0].start() :].rstrip(" \t")
    command, stdin = split_command(text)
    if not command.strip():
        return Fault("there is no command before the %", place)
    return Entry(
        line[start - offset : words[count - 1].end()],
        command,
        stdin,
        user,
        place,
        Span(start, schedule_end),
        Span(begin, begin + len(text)),
    )


def split_command(text: str) -> tuple[str, str | None]:
    """What the shell gets, and what is its input: the first `%` without a backslash ends the command."""
    parts: list[str] = [""]
    position = 0
    while position < len(text):
        if text.startswith("\\%", position):
            parts[-1] += "%"
            position += 2
        elif text[position] == "%":
            parts.append("")
            position += 1
        else:
            parts[-1] += text[position]
            position += 1
    return parts[0], "\n".join(parts[1:]) if len(parts) > 1 else None
