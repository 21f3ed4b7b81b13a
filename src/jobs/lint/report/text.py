"""Findings for people: place and message, the line with a caret run, the fix, and where to read more."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from jobs.diagnostics import Diagnostic, Severity
from jobs.lint.rules import codes

Paint = Callable[[str, str], str]
RED, YELLOW, BLUE, GREEN = "31", "33", "34", "32"
COLOURS = {Severity.ERROR: RED, Severity.WARNING: YELLOW, Severity.INFO: BLUE}
MAX_LINE = 160  # a longer line is cut around the place
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\udc80-\udcff]")


def plain(text: str, _colour: str) -> str:
    """The text without colour."""
    return text


def render(found: Sequence[Diagnostic], paint: Paint = plain) -> str:
    """All findings and a last line that counts them; "" when there are none."""
    if not found:
        return ""
    known = frozenset(codes())
    blocks = [render_one(one, paint, known) for one in found]
    return "\n\n".join(blocks) + "\n\n" + summary(found) + "\n"


def render_one(one: Diagnostic, paint: Paint = plain, known: frozenset[str] = frozenset()) -> str:
    """One finding."""
    head = f"{one.place}: " if one.place else ""
    lines = [
        f"{printable(head)}{one.code} {paint(one.severity.word, COLOURS[one.severity])}: {printable(one.message)}"
    ]
    if one.place is not None and one.source_line:
        width = one.place.end_column - one.place.column if one.place.end_line == one.place.line else None
        lines += excerpt(one.source_line, one.place.column, width, paint)
    if one.fix is not None:
        lines.append(f"  fix: {printable(one.fix.text)}")
    if one.code in known:
        lines.append(f"  see: jobs explain {one.code}")
    return "\n".join(lines)


def excerpt(line: str, column: int, width: int | None, paint: Paint = plain) -> list[str]:
    """The line and the carets under the place; columns that a character takes on the screen are counted."""
    text = printable(line.replace("\t", " "))
    before, marked = text[: column - 1], text[column - 1 :]
    marked = marked if width is None else marked[: max(1, width)]
    if len(text) > MAX_LINE:
        start = max(0, column - 1 - 40)
        text = ("…" if start else "") + text[start : start + MAX_LINE - 2] + "…"
        before = ("…" if start else "") + before[start:]
        marked = marked[: MAX_LINE - 42]
    carets = "^" * max(1, cells(marked.rstrip()))
    return [f"    {text}", f"    {' ' * cells(before)}{paint(carets, GREEN)}"]


def cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def printable(text: str) -> str:
    """The text without characters that would act on the terminal."""
    return CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def summary(found: Sequence[Diagnostic]) -> str:
    """How many of which kind."""
    parts = []
    for severity, name in ((Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "hint")):
        count = sum(one.severity == severity for one in found)
        if count:
            parts.append(f"{count} {name}{'' if count == 1 else 's'}")
    files = len({one.place.path for one in found if one.place is not None})
    return f"{', '.join(parts)} in {files} file{'' if files == 1 else 's'}"
