"""Findings as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from jobs.diagnostics import Diagnostic, Severity


def render(found: Sequence[Diagnostic]) -> str:
    """`{"version": 1, "findings": […], "summary": {…}}`; keys keep their order, absent ones are left out."""
    counts = {
        severity.word: sum(one.severity == severity for one in found) for severity in reversed(Severity)
    }
    document = {"version": 1, "findings": [_finding(one) for one in found], "summary": counts}
    return clean(json.dumps(document, ensure_ascii=False, indent=2)) + "\n"


def _finding(one: Diagnostic) -> dict[str, Any]:
    found: dict[str, Any] = {"code": one.code, "severity": one.severity.word, "message": one.message}
    if one.place is not None:
        place = one.place
        found |= {
            "path": place.path,
            "line": place.line,
            "column": place.column,
            "end_line": place.end_line,
            "end_column": place.end_column,
        }
    if one.source_line is not None:
        found["source"] = one.source_line
    if one.fix is not None:
        found["fix"] = {"text": one.fix.text, "safe": one.fix.safe}
        if one.fix.edits:
            found["fix"]["edits"] = [
                {"path": edit.path, "start": edit.span.start, "end": edit.span.end, "text": edit.text}
                for edit in one.fix.edits
            ]
    return found


def clean(text: str) -> str:
    """The text with every half surrogate (a byte that was no UTF-8) shown as a replacement character."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
