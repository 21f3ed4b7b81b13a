"""XML property lists through expat: a stack of open elements in, a tree of placed values out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from xml.parsers import expat

from jobs.read.plist_repair import AMPERSAND, GOOD_DOCTYPE, LESS_THAN, MAX_FAULTS, repair
from jobs.read.plist_scalar import scalar
from jobs.read.plist_value import FaultKind, PlistEntry, PlistFault, PlistValue
from jobs.text import Place, SourceFile, Span

MAX_DEPTH = 128
MAX_VALUES = 50_000

_CONTAINERS = {"dict", "array", "plist"}
_ELEMENTS = ("plist", "dict", "array", "key", "string", "integer", "real", "true", "false", "date", "data")
_OTHER_NAMES = {
    "int": "integer", "number": "integer", "long": "integer", "float": "real", "double": "real", "str": "string",
    "text": "string", "list": "array", "map": "dict", "object": "dict", "yes": "true", "no": "false",
}  # fmt: skip
_BOOLEANS = {"bool", "boolean"}
_BACK = str.maketrans({AMPERSAND: "&", LESS_THAN: "<"})


@dataclass(frozen=True, slots=True)
class XmlResult:
    """The root, if any, and the faults in the order of the file."""

    root: PlistValue | None
    faults: tuple[PlistFault, ...]
    holes: bool = False


class _StopError(Exception):
    """The list is past its bounds; what was noted stands."""


@dataclass(slots=True)
class _Open:
    """An element whose end has not come yet."""

    name: str  # as written
    means: str  # the plist element it is, or "" for one that cannot be guessed
    start: int  # of `<`
    inside: int  # after `>`
    parts: list[str] = field(default_factory=list)
    values: list[PlistValue] = field(default_factory=list)
    entries: list[PlistEntry] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    key: tuple[str, Place] | None = None


def read_xml(
    text: str, source: SourceFile, offset: int = 0, filler: re.Pattern[str] | None = None
) -> XmlResult:
    """What an XML property list holds; `offset` is where `text` begins in `source`."""
    repaired = repair(text, source, offset, filler)
    faults = list(repaired.faults)
    builder = _Builder(repaired.text, source, offset, filler, faults)
    if not repaired.stop:
        builder.run()
        if builder.root is not None and not repaired.doctype:
            start = builder.root_at
            faults.append(
                PlistFault(
                    "doctype-missing",
                    "no DOCTYPE line; launchd does not ask for it, some editors and checkers do",
                    source.place(Span(offset + start, offset + start + 6)),
                    f"write {GOOD_DOCTYPE}",
                )
            )
    faults.sort(key=lambda fault: (fault.place.line, fault.place.column))
    return XmlResult(builder.root, tuple(faults[:MAX_FAULTS]), builder.holes)


class _Builder:
    """The handlers of one parse."""

    def __init__(
        self,
        text: str,
        source: SourceFile,
        offset: int,
        filler: re.Pattern[str] | None,
        faults: list[PlistFault],
    ) -> None:
        self.text = text
        self.data = text.encode("utf-8", "replace")
        self.ascii = len(self.data) == len(text)
        self.source, self.offset, self.filler, self.faults = source, offset, filler, faults
        self.stack: list[_Open] = []
        self.root: PlistValue | None = None
        self.root_at = 0
        self.roots = 0
        self.values = 0
        self.holes = False
        self._byte = self._char = 0
        self.parser = expat.ParserCreate("utf-8")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters

    def run(self) -> None:
        """Parse to the end or to the first fault that expat cannot pass."""
        try:
            self.parser.Parse(self.data, True)
        except expat.ExpatError as error:
            self._syntax(error)
        except _StopError:
            self.root = None

    def _note(self, kind: FaultKind, start: int, end: int, message: str, fix: str = "") -> None:
        span = Span(self.offset + start, self.offset + end)
        self.faults.append(PlistFault(kind, message, self.source.place(span), fix, span))

    def _place(self, start: int, end: int) -> Place:
        return self.source.place(Span(self.offset + start, self.offset + end))

    def _line(self, at: int) -> int:
        return self.source.line_column(self.offset + at)[0]

    def _here(self) -> int:
        """The character offset of the current event; expat counts bytes and goes forward only."""
        byte = self.parser.CurrentByteIndex
        if self.ascii:
            return byte
        self._char += len(self.data[self._byte : byte].decode("utf-8", "replace"))
        self._byte = byte
        return self._char

    # Elements

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        start = self._here()
        inside = self.text.find(">", start) + 1 or start
        parent = self.stack[-1] if self.stack else None
        self.values += 1
        if self.values > MAX_VALUES or len(self.stack) > MAX_DEPTH:
            limit = (
                f"more than {MAX_VALUES} values"
                if self.values > MAX_VALUES
                else f"nested deeper than {MAX_DEPTH}"
            )
            self._note("limit", start, inside, f"{limit}; no job needs that, the rest was not read")
            raise _StopError
        means = self._meaning(name, start, inside)
        if parent is None:
            self.root_at = start
            if means != "plist":
                self._note(
                    "root", start, inside, f"the root element is <{name}>, not <plist>",
                    'put everything into <plist version="1.0"> … </plist>',
                )  # fmt: skip
        elif parent.means not in _CONTAINERS and parent.means:
            self._note(
                "syntax", start, inside, f"<{name}> inside <{parent.name}> of line {self._line(parent.start)}"
            )
        self.stack.append(_Open(name, means, start, inside))

    def _meaning(self, name: str, start: int, inside: int) -> str:
        """The plist element that a tag is or was meant to be."""
        if name in _ELEMENTS:
            return name
        low = name.lower()
        near = low if low in _ELEMENTS else _OTHER_NAMES.get(low, "")
        if low in _BOOLEANS:
            near, advice = "boolean", "write <true/> or <false/>"
        elif near:
            advice = f"write <{near}/>" if near in {"true", "false"} else f"write <{near}>"
        else:
            close = get_close_matches(low, _ELEMENTS, n=1, cutoff=0.75)
            near = close[0] if close else ""
            advice = (
                f"write <{near}>"
                if near
                else "a property list has dict, array, key, string, integer, real, true, false, date and data"
            )
        if self.stack or near:
            self._note("unknown-element", start, inside, f"<{name}> is no element of a property list", advice)
        return near

    def _end(self, _name: str) -> None:
        end = self._here()
        done = self.stack.pop()
        parent = self.stack[-1] if self.stack else None
        if done.means == "key":
            self._key(done, end, parent)
            return
        value = self._value(done, end)
        if parent is None:
            if done.means != "plist":
                self.root = value
            return
        if value is None:
            return
        self._give(value, done, parent)

    def _give(self, value: PlistValue, done: _Open, parent: _Open) -> None:
        """Hand a value to the element around it."""
        match parent.means:
            case "array":
                parent.values.append(value)
            case "dict":
                self._pair(value, done, parent)
            case "plist":
                self.roots += 1
                if self.roots == 1:
                    self.root = value
                else:
                    self._note(
                        "root",
                        done.start,
                        done.inside,
                        "a second value in <plist>; only one is read",
                        "put both into one <dict>",
                    )

    def _pair(self, value: PlistValue, done: _Open, parent: _Open) -> None:
        """Pair a value with the key before it."""
        if parent.key is None:
            line = self._line(done.start)
            last = parent.entries[-1].key if parent.entries else ""
            more = (
                "put several times into an array"
                if last == "StartCalendarInterval"
                else "put several values into an array"
            )
            self._note(
                "value-without-key", done.start, done.inside, f"value without key, line {line}; {more}",
                f"write <key>{last}</key><array> … </array> around the values" if last else "write a <key> before it",
            )  # fmt: skip
            return
        key, place = parent.key
        parent.key = None
        if key in parent.keys:
            first = next(entry for entry in parent.entries if entry.key == key)
            self.faults.append(
                PlistFault(
                    "duplicate-key",
                    f'key "{key}" comes twice, first on line {first.key_place.line}; readers differ on which one counts',
                    place,
                    "keep one of them",
                )
            )
        parent.keys.add(key)
        parent.entries.append(PlistEntry(key, place, value))

    def _key(self, done: _Open, end: int, parent: _Open | None) -> None:
        """Take a key into its dictionary."""
        text = "".join(done.parts).translate(_BACK)
        place = self._place(done.inside, max(end, done.inside))
        if parent is None or parent.means not in {"dict", ""}:
            around = f"<{parent.name}>" if parent else "the file"
            self._note(
                "syntax", done.start, done.inside, f'key "{text[:60]}" in {around}; keys stand in a <dict>'
            )
            return
        if parent.key is not None:
            self._orphan(parent)
        parent.key = (text, place)

    def _orphan(self, parent: _Open) -> None:
        """Note a key that no value follows."""
        if parent.key is None:
            return
        key, place = parent.key
        if not self.holes:
            self.faults.append(
                PlistFault(
                    "key-without-value",
                    f'key "{key[:60]}" has no value',
                    place,
                    "write its value or remove it",
                )
            )
        parent.key = None

    def _value(self, done: _Open, end: int) -> PlistValue | None:
        """The value that an element ends with; None for plist itself."""
        tag = self._place(done.start, done.inside)
        match done.means:
            case "plist":
                if not self.roots:
                    self._note("root", done.start, done.inside, "<plist> is empty", "put one <dict> into it")
                return None
            case "dict":
                self._orphan(done)
                return PlistValue("dictionary", tag, entries=tuple(done.entries))
            case "array":
                return PlistValue("array", tag, items=tuple(done.values))
        text = "".join(done.parts).translate(_BACK)
        place = self._place(done.inside, end) if text else tag
        if not done.means:
            return PlistValue("string", place)
        value, wrong = scalar(done.means, text, place, filler=self.filler)
        if wrong:
            self._note("bad-value", done.inside if text else done.start, end if text else done.inside, *wrong)
        return value

    def _characters(self, text: str) -> None:
        top = self.stack[-1]
        if top.means not in _CONTAINERS:
            top.parts.append(text)
            return
        if text.isspace():
            return
        here = self._here()
        if self.filler is not None and self.filler.search(text.translate(_BACK)):
            self.holes = True
            return
        shown = text.strip().translate(_BACK)
        lead = len(text) - len(text.lstrip())
        self._note(
            "stray-text", here + lead, here + lead + len(shown),
            f'stray text "{shown[:40]}" inside <{top.name}>', "remove it, or put it into an element",
        )  # fmt: skip

    # What expat stops at

    def _syntax(self, error: expat.ExpatError) -> None:
        if self.stack:
            self.root = None
        at = min(len(self.data), max(0, self.parser.ErrorByteIndex))
        at = len(self.data[:at].decode("utf-8", "replace"))
        self._note("syntax", at, at + 1, *self._story(expat.ErrorString(error.code), at))

    def _story(self, words: str, at: int) -> tuple[str, str]:
        """A sentence about where expat stopped, and the fix."""
        top = self.stack[-1] if self.stack else None
        closing = re.match(
            r"</\s*([^\s>]{1,60})", self.text[max(0, at - 2) : at + 80]
        )  # expat points behind `</`
        if closing and top is not None and closing.group(1) != top.name:
            line = self._line(top.start)
            return (
                f"<{top.name}> of line {line} is closed by </{closing.group(1)}>",
                f"write </{top.name}> there, or remove the tag that is too much",
            )
        if not self.text[at:].strip() and top is not None:
            return (
                f"the file ends inside <{top.name}> of line {self._line(top.start)}",
                "write " + "".join(f"</{each.name}>" for each in reversed(self.stack[-3:])),
            )
        if words == "no element found":
            return "the file holds no element", "write a <plist> with one <dict>"
        if words == "junk after document element":
            return "something stands after the end of the root element", "remove it"
        bad = self.text[at : at + 1].translate(_BACK)
        if bad and ord(bad) < 32:
            return f"control character U+{ord(bad):04X} in the file", "remove it"
        return f"not well-formed XML here ({words})", ""
