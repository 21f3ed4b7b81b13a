"""Text repairs before the XML parser: faults that strict readers stop at are noted and painted over.

Every repair keeps the length of the text, so that offsets stay those of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from jobs.read.plist_value import FaultKind, PlistFault
from jobs.text import SourceFile, Span

AMPERSAND = "\ue000"  # private use: stand for characters that must not be markup
LESS_THAN = "\ue001"
BLANK = " "
MAX_FAULTS = 500
GOOD_DOCTYPE = (
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">'
)
_TAGS = frozenset({
    "plist", "dict", "array", "key", "string", "integer", "real", "true", "false", "date", "data", "int", "number", "long",
    "float", "double", "str", "text", "list", "map", "object", "yes", "no", "bool", "boolean", "html", "body", "head",
})  # fmt: skip
Note = Callable[[FaultKind, int, int, str, str], None]

_CURLY = "“”„‟‘’‚‛«»″′"
_DECLARATION = re.compile(r"<\?xml(?=[\s?])[^<>]*>", re.IGNORECASE)
_GOOD_DECLARATION = re.compile(
    r"<\?xml\s+version\s*=\s*(?:\"1\.[0-9]\"|'1\.[0-9]')"
    r"(?:\s+encoding\s*=\s*(?:\"[A-Za-z][\w.\-]*\"|'[A-Za-z][\w.\-]*'))?"
    r"(?:\s+standalone\s*=\s*(?:\"(?:yes|no)\"|'(?:yes|no)'))?\s*\?>"
)
_GOOD_DOCTYPE = re.compile(
    r"<!DOCTYPE\s+\w+(?:\s+(?:PUBLIC\s+(?:\"[^\"]*\"|'[^']*')\s+(?:\"[^\"]*\"|'[^']*')|SYSTEM\s+(?:\"[^\"]*\"|'[^']*')))?"
    r"\s*(?:\[[^\]]*\]\s*)?>"
)
_CLOSING = re.compile(r"</([A-Za-z][\w.\-]*)")
_SPECIAL = re.compile(
    r"(?P<comment><!--(?s:.*?)(?:-->|\Z))"
    r"|(?P<cdata><!\[CDATA\[(?s:.*?)(?:\]\]>|\Z))"
    r"|(?P<doctype><!DOCTYPE)"
    r"|(?P<plist><plist\s[^<>]*>)"
    r"|(?P<odd><(?P<tag>[A-Za-z][\w.\-]*)(?:[ \t][\w \t.\-]*)?>)"
    r"|(?P<entity>&+(?!(?:amp|lt|gt|quot|apos|\#[0-9]{1,7}|\#x[0-9a-fA-F]{1,6});)(?P<name>[A-Za-z][\w.\-]{0,31};)?)"
    r"|(?P<less><(?![A-Za-z/!?]))",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Repaired:
    """The text made readable, and what was wrong with it. `stop` says that it must not be read on."""

    text: str
    faults: list[PlistFault] = field(default_factory=list)
    doctype: bool = False
    stop: bool = False


def repair(text: str, source: SourceFile, offset: int, filler: re.Pattern[str] | None) -> Repaired:
    """The repaired text; `offset` is where it begins in `source`."""
    done = Repaired(text)

    def note(kind: FaultKind, start: int, end: int, message: str, fix: str) -> None:
        if len(done.faults) >= MAX_FAULTS:
            return
        span = Span(offset + start, offset + end)
        done.faults.append(PlistFault(kind, message, source.place(span), fix, span))

    if filler is not None:
        done.text = filler.sub(_painted, done.text)
    text = done.text
    pieces: list[str] = []
    at = _declaration(text, source, offset, note)
    if at:
        pieces.append(BLANK * at)
    closed = frozenset(_CLOSING.findall(text))
    late = _DECLARATION.search(text, at)
    if late is not None:
        text = text[: late.start()] + BLANK * (late.end() - late.start()) + text[late.end() :]
    while not done.stop and (found := _SPECIAL.search(text, at)):
        pieces.append(text[at : found.start()])
        at = found.end()
        match found.lastgroup:
            case "comment":
                _comment(found.group(), found.start(), note)
                pieces.append(BLANK * len(found.group()))
            case "cdata":
                pieces.append(found.group())
            case "doctype":
                if done.doctype:
                    pieces.append(found.group())
                else:
                    at = _doctype(text, found.start(), done, note)
                    pieces.append(BLANK * (at - found.start()))
            case "plist":
                pieces.append(_plist(found, note))
            case "odd":
                pieces.append(_odd(found, closed, note))
            case "less":
                words = "raw `<` in text; XML takes it for the start of a tag"
                note("angle-bracket", *found.span(), words, "write &lt;")
                pieces.append(LESS_THAN)
            case _:
                pieces.append(_entity(found, note))
    pieces.append(text[at:])
    done.text = "".join(pieces)
    return done


def _painted(found: re.Match[str]) -> str:
    """A token's characters without markup, at the same length."""
    return found.group().replace("<", LESS_THAN).replace("&", AMPERSAND)


def _doctype_end(text: str, start: int) -> int:
    """The offset after a DOCTYPE that begins at `start`; after its keyword when it never ends."""
    end = text.find(">", start)
    bracket = text.find("[", start, end if end >= 0 else start)
    if bracket >= 0:
        inner = text.find("]", bracket)
        end = text.find(">", inner) if inner >= 0 else -1
    return end + 1 if end >= 0 else start + len("<!DOCTYPE")


def _declaration(text: str, source: SourceFile, offset: int, note: Note) -> int:
    """The offset after an XML declaration at the very start (0: none there), with what is wrong with it noted."""
    found = _DECLARATION.search(text)
    if found is None:
        return 0
    start, end = found.span()
    if any(mark in found.group() for mark in _CURLY):
        note(
            "declaration-quotes",
            start,
            end,
            f"typographic quotes in the XML declaration: {found.group()}",
            'write <?xml version="1.0" encoding="UTF-8"?>',
        )
    elif not _GOOD_DECLARATION.fullmatch(found.group()):
        note(
            "syntax",
            start,
            end,
            f"malformed XML declaration: {found.group()[:80]}",
            'write <?xml version="1.0" encoding="UTF-8"?>',
        )
    if start == 0:
        return end
    line = source.line_column(offset + start)[0] - source.line_column(offset)[0] + 1
    where = f"now on line {line}" if line > 1 else f"now at column {start + 1}"
    note(
        "declaration-late",
        start,
        end,
        f"XML declaration must be the first thing in the file, {where}",
        "move it to the start of the file",
    )
    return 0


def _comment(comment: str, start: int, note: Note) -> None:
    """Note a comment that strict readers refuse."""
    if not comment.endswith("-->") or len(comment) < 7:
        note("syntax", start, start + 4, "comment is never closed", "write --> at its end")
        return
    inner = comment[4:-3]
    dashes = inner.find("--")
    if dashes < 0 and inner.endswith("-"):
        dashes = len(inner) - 1
    if dashes >= 0:
        note(
            "comment-dashes",
            start + 4 + dashes,
            start + 6 + dashes,
            "comment holds --; launchd reads it, plistlib and xmllint do not",
            "write one dash, or reword the comment",
        )


def _doctype(text: str, start: int, done: Repaired, note: Note) -> int:
    """The offset after the first DOCTYPE, with what is wrong with it noted; launchd reads over all of it."""
    done.doctype = True
    end = _doctype_end(text, start)
    declared = text[start:end]
    if re.search(r"<!ENTITY", declared, re.IGNORECASE):
        done.stop = True  # an entity may stand for any amount of text
        words = "the DOCTYPE declares entities; readers refuse the file"
        note("entity-declared", start, end, words, "write the text itself and drop the declarations")
    elif any(mark in declared for mark in _CURLY):
        note("declaration-quotes", start, end, "typographic quotes in the DOCTYPE", f"write {GOOD_DOCTYPE}")
    elif not _GOOD_DOCTYPE.fullmatch(declared):
        words = "malformed DOCTYPE; launchd reads over it, plistlib and xmllint do not"
        note("doctype-malformed", start, end, words, f"write {GOOD_DOCTYPE}")
    return end


def _plist(found: re.Match[str], note: Note) -> str:
    """The plist tag, without its attributes where they cannot be read."""
    text = found.group()
    if not any(mark in text for mark in _CURLY):
        return text
    note("declaration-quotes", *found.span(), f"typographic quotes in {text}", 'write <plist version="1.0">')
    return "<plist" + BLANK * (len(text) - 7) + ">"


def _odd(found: re.Match[str], closed: frozenset[str], note: Note) -> str:
    """A tag as it stands, or as text when it is a word in angle brackets such as `<your-name>`."""
    name = found.group("tag")
    if name in closed or name.lower() in _TAGS:
        return found.group()
    word = found.group()
    note(
        "angle-bracket",
        found.start(),
        found.start() + 1,
        f"raw `<` in text: {word} is taken for a tag",
        "write &lt;",
    )
    return LESS_THAN + word[1:]


def _entity(found: re.Match[str], note: Note) -> str:
    """The replacement of an ampersand that begins no entity of XML's own."""
    start, end = found.span()
    name = found.group("name")
    if name is None:
        marks = found.group()
        fix = "write " + "&amp;" * len(marks)
        note("ampersand", start, end, f"raw `{marks}` in text; the file cannot be read", fix)
    else:
        note(
            "entity-unknown",
            start,
            end,
            f"unknown entity &{name}",
            "write the character itself, or &amp; for an ampersand",
        )
    return found.group().replace("&", AMPERSAND)
