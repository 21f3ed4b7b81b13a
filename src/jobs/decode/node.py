"""A table of the manifest as the decoder sees it: values with places, and one list for all that is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from jobs.diagnostics import Diagnostic, Fix, Severity
from jobs.read.toml import Path, Spans, TomlFile
from jobs.text import Place, Span


@dataclass(slots=True)
class Problems:
    """What was found wrong, and the paths whose values must not be looked at any more."""

    file: TomlFile
    found: list[Diagnostic] = field(default_factory=list)
    spoilt: set[Path] = field(default_factory=set)

    def report(
        self, path: Path, code: str, message: str, fix: str, span: Span | None = None, *, key: bool = False
    ) -> None:
        """Note an error at a path: at its key if `key`, else at its value, or at `span`; the value is spoilt."""
        place = self.place(path, span, key=key)
        self.spoilt.add(path)
        line = self.file.source.line(place.line)
        self.found.append(Diagnostic(code, Severity.ERROR, message, place, Fix(fix), line))

    def place(self, path: Path, span: Span | None = None, *, key: bool = False) -> Place:
        """Where a path stands; for one that the file does not hold, its nearest table, else the file's start."""
        if span is None:
            spans = self._nearest(path)
            span = (spans.key if key and spans.key else spans.value) if spans else Span(0, 0)
        return self.file.source.place(span)

    def _nearest(self, path: Path) -> Spans | None:
        for length in range(len(path), 0, -1):
            spans = self.file.spans.get(path[:length])
            if spans is not None:
                return spans
        return None

    def inside(self, path: Path, span: Span | None) -> Span | None:
        """The span in the file of a span inside a string value; None where escapes or line ends blur it."""
        spans = self.file.spans.get(path)
        if span is None or spans is None:
            return None
        written = self.file.source.text[spans.value.start : spans.value.end]
        if written[:3] in ('"""', "'''") or (written[:1] == '"' and "\\" in written):
            return None
        start = spans.value.start + 1
        return Span(start + span.start, max(start + span.end, start + span.start + 1))


@dataclass(frozen=True, slots=True)
class Node:
    """A table at a path. Values that are spoilt read as absent."""

    problems: Problems
    path: Path
    data: Mapping[str, Any]

    def __contains__(self, key: str) -> bool:
        return key in self.data and not self.spoilt(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def spoilt(self, key: str) -> bool:
        """Whether something was found wrong at or below a key."""
        path = (*self.path, key)
        return any(spoilt[: len(path)] == path for spoilt in self.problems.spoilt)

    def get(self, key: str) -> Any:
        """The value of a key, or None when it is absent or spoilt."""
        return self.data[key] if key in self else None

    def child(self, key: str) -> Node | None:
        """The table at a key, or None. What is spoilt inside of it is missing there."""
        value = self.data.get(key)
        if not isinstance(value, Mapping) or (*self.path, key) in self.problems.spoilt:
            return None
        return Node(self.problems, (*self.path, key), value)

    def place(self, key: str | None = None) -> Place:
        """Where a key's value stands, or the table itself."""
        return self.problems.place(self.path if key is None else (*self.path, key))

    def entries(self, key: str) -> list[tuple[int, Any]]:
        """The entries of the array at a key that are not spoilt, with their indices."""
        value, path = self.data.get(key), (*self.path, key)
        if not isinstance(value, list) or path in self.problems.spoilt:
            return []
        spoilt = self.problems.spoilt
        return [(index, entry) for index, entry in enumerate(value) if (*path, index) not in spoilt]

    def report(
        self,
        key: str,
        code: str,
        message: str,
        fix: str,
        span: Span | None = None,
        *,
        index: int | None = None,
    ) -> None:
        """Note an error at a key's value, or at an entry of it; `span` lies inside the value if it is a string."""
        path = (*self.path, key) if index is None else (*self.path, key, index)
        self.problems.report(path, code, message, fix, self.problems.inside(path, span))


def nearest(word: str, words: Iterator[str] | list[str] | tuple[str, ...]) -> str | None:
    """The word that was probably meant, or None."""
    known = list(words)
    folded = {entry.lower().replace("-", "_"): entry for entry in known}
    near = get_close_matches(word.lower().replace("-", "_"), folded, n=1, cutoff=0.6)
    return folded[near[0]] if near else None
