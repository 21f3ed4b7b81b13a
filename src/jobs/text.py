"""Places in text files: offsets, lines, columns."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of characters `[start, end)` in a text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where something stands. Lines and columns are 1-based; columns count characters, the end is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A text with its name, able to turn offsets into places.

    Lines end at LF only: a CR before it belongs to the line, as TOML and the shell see it.
    """

    path: str
    text: str
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        object.__setattr__(self, "_starts", tuple(starts))

    def line_column(self, offset: int) -> tuple[int, int]:
        """The 1-based line and column of a character offset; offsets outside the text are clamped."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def place(self, span: Span) -> Place:
        """The place of a span."""
        line, column = self.line_column(span.start)
        end_line, end_column = self.line_column(max(span.start, span.end))
        return Place(self.path, line, column, end_line, end_column)

    def line(self, number: int) -> str:
        """The text of a 1-based line without its line end; empty for a line that is not there."""
        if not 1 <= number <= len(self._starts):
            return ""
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r")
