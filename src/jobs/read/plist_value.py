"""What a property list holds, with the place of every key and value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from jobs.text import Place, SourceFile, Span

Kind = Literal["string", "integer", "real", "boolean", "date", "data", "uid", "array", "dictionary"]
Format = Literal["xml", "binary", "json", "old-style", "empty", "text"]
FaultKind = Literal[
    "ampersand",
    "angle-bracket",
    "bad-value",
    "binary",
    "bom",
    "comment-dashes",
    "declaration-late",
    "declaration-quotes",
    "doctype-malformed",
    "doctype-missing",
    "duplicate-key",
    "encoding",
    "entity-declared",
    "entity-unknown",
    "key-without-value",
    "limit",
    "not-plist",
    "root",
    "stray-text",
    "syntax",
    "unknown-element",
    "value-without-key",
]


@dataclass(frozen=True, slots=True)
class PlistValue:
    """One value.

    `value` is the plain thing of a scalar (str, int, float, bool, or the raw text of a date or of data) and None of
    a container. `items` are an array's elements, `entries` a dictionary's pairs, in the order of the file. `place`
    covers a scalar's text, or the start tag of a container and of an empty scalar.
    """

    kind: Kind
    place: Place
    value: str | int | float | bool | None = None
    items: tuple[PlistValue, ...] = ()
    entries: tuple[PlistEntry, ...] = ()

    def get(self, key: str) -> PlistValue | None:
        """The value of a dictionary's key, as spelt; the last one counts when a key comes twice, as in plistlib."""
        return next((entry.value for entry in reversed(self.entries) if entry.key == key), None)

    def entry(self, key: str) -> PlistEntry | None:
        """The pair of a dictionary's key; the last one when it comes twice."""
        return next((entry for entry in reversed(self.entries) if entry.key == key), None)

    @property
    def text(self) -> str | None:
        """The characters of a string value, else None."""
        return self.value if self.kind == "string" and isinstance(self.value, str) else None

    @property
    def number(self) -> int | None:
        """The number of an integer value, else None."""
        return self.value if self.kind == "integer" and isinstance(self.value, int) else None

    @property
    def truth(self) -> bool | None:
        """The truth of a boolean value, else None."""
        return self.value if self.kind == "boolean" and isinstance(self.value, bool) else None

    def strings(self) -> Iterator[PlistValue]:
        """Every string at or below this value, in the order of the file."""
        stack = [self]
        while stack:
            value = stack.pop()
            if value.kind == "string":
                yield value
            stack.extend(entry.value for entry in reversed(value.entries))
            stack.extend(reversed(value.items))


@dataclass(frozen=True, slots=True)
class PlistEntry:
    """A key of a dictionary with its value."""

    key: str
    key_place: Place
    value: PlistValue


@dataclass(frozen=True, slots=True)
class PlistFault:
    """What is wrong with the file as a file, whatever job it describes.

    `message` is a whole sentence without the full stop; `fix` says what to write, in the imperative, or is empty.
    `span` are the characters of `place`, where a text is behind it.
    """

    kind: FaultKind
    message: str
    place: Place
    fix: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PlistFile:
    """A property list that was read as far as it could be. Two of them are equal only when they are the same object.

    `root` is None when nothing usable was found; `faults` says why. `source` has the text of an XML list; of a
    binary one it is empty and every place is line 1, so that messages have to name the key. `filler` is the pattern
    of what something fills in before launchd sees the list (a template's tokens, a shell's variables); `holes` says
    that whole elements are filled in, so that what seems missing may come then.
    """

    path: str
    format: Format
    source: SourceFile
    root: PlistValue | None
    faults: tuple[PlistFault, ...] = ()
    filler: re.Pattern[str] | None = None
    holes: bool = False

    @property
    def job(self) -> PlistValue | None:
        """The root if it is a dictionary, which every launchd job is."""
        return self.root if self.root is not None and self.root.kind == "dictionary" else None
