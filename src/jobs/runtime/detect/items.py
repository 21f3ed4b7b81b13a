"""Output cut into its pieces: lines, and objects of JSON."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from jobs.runtime.detect.match import Context, Found
from jobs.runtime.detect.screen import FENCE, STAMP, Line, read_line, strip_escapes
from jobs.runtime.detect.structured import EVENT, Stream, decode_at, embedded_event


@dataclass(frozen=True)
class Item:
    """A piece of output: a line, or JSON with what it says (`found`, None when it says nothing about the end)."""

    raw: str = ""
    fenced: bool = False
    found: Found | None = None

    @cached_property
    def line(self) -> Line | None:
        """The line, read when it is first asked for; None for JSON and for a line without content."""
        return read_line(self.raw, self.fenced) if self.raw else None


def read_items(output: str, context: Context) -> list[Item]:
    """The pieces of an output in order; blank lines are left out."""
    text = strip_escapes(output)
    stream = Stream(context)
    items: list[Item] = []
    fenced = False
    offset = 0
    while offset < len(text):
        end = _line_end(text, offset)
        raw = text[offset:end]
        fence = FENCE.match(raw) is not None
        if fence:
            fenced = not fenced
        json = None if fenced or fence else _json_at(text, offset, raw, stream)
        if json is not None:
            item, offset = json
            items.append(item)
            continue
        if raw.strip():
            items.append(Item(raw, fenced or fence))
        offset = end + 1
    return items


def _json_at(text: str, offset: int, raw: str, stream: Stream) -> tuple[Item, int] | None:
    """The JSON that begins on a line, and the offset of the line behind it; None for a line of text."""
    skip = len(raw) - len(raw.lstrip(" "))
    if stamp := STAMP.match(raw, skip):
        skip = stamp.end()
    if raw[skip : skip + 1] not in {"{", "["}:
        return None
    decoded = decode_at(text, offset + skip)
    if decoded is not None:
        value, after = decoded
        end = _line_end(text, after)
        if not text[after:end].strip():
            return Item(found=stream.read(value)), end + 1
    event = embedded_event(raw) if EVENT in raw else None
    if event is not None:
        return Item(found=stream.read(event)), offset + len(raw) + 1
    if raw.startswith('{"type":', skip):  # a broken line of a stream says nothing
        return Item(), offset + len(raw) + 1
    return None


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end
