"""Output cut into its pieces: lines, and objects of JSON."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from jobs.runtime.detect.match import Context, Found
from jobs.runtime.detect.screen import FENCE, OWN, STAMP, Line, read_line, strip_escapes
from jobs.runtime.detect.structured import EVENT, Stream, decode, embedded_event

LONGEST_OBJECT = 100_000  # characters of an object that is spread over lines
FALSE_STARTS = 1000  # lines that look like the beginning of one and are not


@dataclass
class Item:
    """A piece of output: a line, or JSON with what it says (`found`, None when it says nothing about the end)."""

    raw: str = ""
    fenced: bool = False
    found: Found | None = None

    @cached_property
    def line(self) -> Line | None:
        """The line, read when it is first asked for; None for JSON."""
        return read_line(self.raw, self.fenced) if self.raw else None


def read_items(output: str, context: Context) -> list[Item]:
    """The pieces of an output in order; blank lines and our own are left out."""
    lines = strip_escapes(output).split("\n")
    reader = _JsonReader(lines, Stream(context))
    items: list[Item] = []
    fenced = False
    number = 0
    while number < len(lines):
        raw = lines[number]
        number += 1
        content = raw.lstrip()
        if not content or OWN.match(content):
            continue
        fence = content[0] in "`~" and FENCE.match(raw) is not None
        if fence:
            fenced = not fenced
        if not fenced and content[0] in "{[0123456789" and (json := reader.at(number - 1)) is not None:
            item, number = json
            items.append(item)
            continue
        items.append(Item(raw, fenced or fence))
    return items


@dataclass
class _JsonReader:
    """Finds the JSON among lines."""

    lines: list[str]
    stream: Stream
    false_starts: int = 0

    def at(self, number: int) -> tuple[Item, int] | None:
        """The JSON that begins on a line, and the number of the line behind it; None for a line of text."""
        raw = self.lines[number].strip()
        if stamp := STAMP.match(raw):
            raw = raw[stamp.end() :]
        if raw[:1] not in {"{", "["}:
            return None
        if raw[-1] in "}]" and (value := decode(raw)) is not None:
            return Item(found=self.stream.read(value)), number + 1
        if EVENT in raw and (event := embedded_event(raw)) is not None:
            return Item(found=self.stream.read(event)), number + 1
        if raw.startswith('{"type":'):  # a broken line of a stream says nothing
            return Item(), number + 1
        return self._spread(number) if raw[-1] in "{[,}]" else None

    def _spread(self, number: int) -> tuple[Item, int] | None:
        """The object that is laid out over several lines and ends where a line begins with its closing bracket."""
        if self.false_starts >= FALSE_STARTS:
            return None
        self.false_starts += 1
        opened = self.lines[number].strip()
        closing = {"{": "}", "[": "]"}[opened[0]] if opened[0] in "{[" else ""
        size = 0
        for last in range(number + 1, len(self.lines)):
            line = self.lines[last]
            size += len(line)
            if size > LONGEST_OBJECT or not closing:
                return None
            if line[:1] == closing:
                value = decode("\n".join(self.lines[number : last + 1]))
                return None if value is None else (Item(found=self.stream.read(value)), last + 1)
            if line and line[0] not in " \t":
                return None
        return None
