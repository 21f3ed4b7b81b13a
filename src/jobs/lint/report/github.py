"""Findings as annotations of GitHub Actions: `::warning file=…,line=…::message`.

The form is that of "Workflow commands for GitHub Actions" in GitHub's documentation.
"""

from __future__ import annotations

from collections.abc import Sequence

from jobs.diagnostics import Diagnostic, Severity
from jobs.lint.report.json import clean

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(found: Sequence[Diagnostic]) -> str:
    """One line for each finding."""
    return "".join(f"{_line(one)}\n" for one in found)


def _line(one: Diagnostic) -> str:
    properties: list[tuple[str, str]] = []
    if one.place is not None:
        place = one.place
        properties = [("file", place.path), ("line", str(place.line)), ("endLine", str(place.end_line))]
        if place.end_line == place.line:
            properties += [
                ("col", str(place.column)),
                ("endColumn", str(max(place.column, place.end_column))),
            ]
    properties.append(("title", one.code))
    text = one.message if one.fix is None else f"{one.message}\nfix: {one.fix.text}"
    shown = ",".join(f"{name}={escape_property(value)}" for name, value in properties)
    return clean(f"::{LEVELS[one.severity]} {shown}::{escape(text)}")


def escape(text: str) -> str:
    """A message, with the characters escaped that would end it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """A property's value, in which colons and commas end it too."""
    return escape(text).replace(":", "%3A").replace(",", "%2C")
