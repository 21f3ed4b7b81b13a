"""Findings of every kind, in one type: manifest errors, lint findings, drift."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from jobs.text import Place, Span


class Severity(IntEnum):
    """How bad a finding is; ordered, so that thresholds can compare."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        """The word printed in messages and accepted by `--fail-on`."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the characters of `span` in the file `path` by `text`."""

    path: str
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """What to do about a finding: one imperative sentence, and the edits that do it, if they can be made safely.

    `safe` edits do not change what a correct program means; only those are applied by `--fix`.
    """

    text: str
    edits: tuple[Edit, ...] = ()
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    `message` says what is wrong and quotes the value; `fix` says what to write instead. `place` is None only for
    what has no file (a missing program, a domain of launchd). `source_line` is the text of the place's first line.
    """

    code: str
    severity: Severity
    message: str
    place: Place | None = None
    fix: Fix | None = None
    source_line: str | None = None

    def sort_key(self) -> tuple[str, int, int, str, str]:
        """Order for reports: by file, line, column, then code and message."""
        place = self.place
        if place is None:
            return ("", 0, 0, self.code, self.message)
        return (place.path, place.line, place.column, self.code, self.message)
