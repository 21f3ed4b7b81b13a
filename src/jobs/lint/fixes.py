"""Edits that findings propose: chosen, applied, and shown as a difference."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from jobs.diagnostics import Diagnostic, Edit
from jobs.text import SourceFile


def edits_by_file(found: Iterable[Diagnostic], *, unsafe: bool = False) -> dict[str, list[Edit]]:
    """The edits of safe fixes (of all, when `unsafe`), by file; of two that overlap the first one counts."""
    chosen: dict[str, list[Edit]] = {}
    for one in found:
        if one.fix is None or not (one.fix.safe or unsafe):
            continue
        if any(_overlaps(edit, chosen.get(edit.path, ())) for edit in one.fix.edits):
            continue
        for edit in one.fix.edits:
            chosen.setdefault(edit.path, []).append(edit)
    return chosen


def _overlaps(edit: Edit, others: Iterable[Edit]) -> bool:
    return any(
        (edit.span.start < other.span.end and other.span.start < edit.span.end) or edit.span == other.span
        for other in others
    )


def edited(source: SourceFile, edits: Iterable[Edit]) -> str:
    """The text of a file with edits applied."""
    text = source.text
    for edit in sorted(edits, key=lambda each: each.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def difference(sources: Mapping[str, SourceFile], edits: Mapping[str, list[Edit]]) -> str:
    """A unified diff of what the edits change."""
    parts: list[str] = []
    for path in sorted(edits):
        if path not in sources:
            continue
        before = sources[path].text.splitlines(keepends=True)
        after = edited(sources[path], edits[path]).splitlines(keepends=True)
        parts += difflib.unified_diff(before, after, f"a/{path.lstrip('/')}", f"b/{path.lstrip('/')}")
    return "".join(
        part if part.endswith("\n") else part + "\n\\ No newline at end of file\n" for part in parts
    )
