"""Collecting what is wrong in one manifest."""

from __future__ import annotations

from jobs.diagnostics import Diagnostic, Fix, Severity
from jobs.text import SourceFile, Span


class Findings:
    """The errors found so far. A thing said twice (a default that many jobs inherit) is kept once."""

    def __init__(self, source: SourceFile) -> None:
        self.source = source
        self.meant: set[tuple[tuple[str | int, ...], str]] = (
            set()
        )  # table and key that a misspelled key was meant to be
        self._found: dict[tuple[Span, str, str], Diagnostic] = {}

    def add(self, code: str, span: Span, message: str, fix: str) -> None:
        """Note an error at a span; `fix` is one imperative sentence without a full stop."""
        place = self.source.place(span)
        line = self.source.line(place.line)
        self._found[span, code, message] = Diagnostic(code, Severity.ERROR, message, place, Fix(fix), line)

    def within(self, span: Span) -> bool:
        """Whether something was found inside a span."""
        return any(span.start <= found.start < max(span.end, span.start + 1) for found, _, _ in self._found)

    def sorted(self) -> tuple[Diagnostic, ...]:
        """All errors in the order of the file."""
        return tuple(sorted(self._found.values(), key=Diagnostic.sort_key))
