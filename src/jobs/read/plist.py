"""Property lists with places: XML through expat, binary through plistlib. Reading never raises on what a file holds.

A file that Apple's readers and others judge differently is read on after its faults were noted, so that one fault
does not hide the rest. Size, depth and number of values are bounded: a list that describes a job has a few
kilobytes, and entity or nesting bombs must cost nothing.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import replace
from pathlib import Path

from jobs.errors import MachineError
from jobs.read.plist_value import Format, PlistFault, PlistFile
from jobs.text import Place, SourceFile

__all__ = ["MAX_BYTES", "PlistFile", "parse_plist", "parse_plist_text", "read_plist", "template_filler"]

MAX_BYTES = 4 * 1024 * 1024

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z][A-Za-z0-9._-]{0,40})[\"']")
_TEMPLATE_NAME = re.compile(
    r"\.(?:template|tmpl|tpl|templ|in|j2|jinja2?|erb|mustache|hbs|ejs|liquid|m4|dist)$|[.\-_]template\.plist$",
    re.IGNORECASE,
)
_TOKENS = re.compile(
    r"\{\{.*?\}\}|\{%.*?%\}|<%.*?%>|@@?[A-Za-z_][\w.\-]*@@?|__[A-Za-z]\w*?__|\$\{[^}]*\}|\$\([^)]*\)|\$[A-Za-z_]\w*"
    r"|%%?[A-Za-z_]\w*%%?|<<?[A-Z][A-Z0-9_\-]*>>?|\{[A-Za-z_]\w*\}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+",
    re.DOTALL,
)


def read_plist(path: Path | str) -> PlistFile:
    """The property list at `path`. Raises MachineError when the file cannot be opened; never for its content."""
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise MachineError(f"{path}: {error.strerror or error}") from None
    return parse_plist(data, str(path))


def parse_plist(data: bytes, path: str) -> PlistFile:
    """The property list in `data`; `path` names it in places."""
    start = Place(path, 1, 1, 1, 1)
    if len(data) > MAX_BYTES:
        fault = PlistFault(
            "limit", f"file is larger than {MAX_BYTES // 1024 // 1024} MB and was not read", start
        )
        return PlistFile(path, "text", SourceFile(path, ""), None, (fault,))
    if data.startswith(b"bplist"):
        from jobs.read.plist_binary import read_binary

        root, faults = read_binary(data, path)
        return PlistFile(path, "binary", SourceFile(path, ""), root, faults)
    text, faults = _decode(data, start)
    file = parse_plist_text(text, path, faults=faults)
    if (
        text.encode("utf-8", "surrogatepass") != data
    ):  # offsets of the text are not those of the file: no edits
        return replace(file, faults=tuple(replace(fault, span=None) for fault in file.faults))
    return file


def parse_plist_text(
    text: str,
    path: str,
    *,
    faults: tuple[PlistFault, ...] = (),
    inside: tuple[SourceFile, int] | None = None,
    filler: re.Pattern[str] | None = None,
) -> PlistFile:
    """The property list in a text.

    `inside` is the file that holds the text and the offset at which it stands there (a here-document of a script):
    places are in that file then. `filler` matches what is filled in later; without it a template's name decides.
    """
    source, offset = inside or (SourceFile(path, text), 0)
    if filler is None and inside is None:
        filler = template_filler(path)
    form = _format(text)
    if form != "xml":
        return PlistFile(path, form, source, None, (*faults, _not_xml(form, source, offset)), filler)
    from jobs.read.plist_xml import read_xml

    result = read_xml(text, source, offset, filler)
    return PlistFile(path, "xml", source, result.root, (*faults, *result.faults), filler, holes=result.holes)


def template_filler(path: str) -> re.Pattern[str] | None:
    """The pattern of a template's tokens when the name says that the file is one, else None."""
    return _TOKENS if _TEMPLATE_NAME.search(path) else None


def _decode(data: bytes, start: Place) -> tuple[str, tuple[PlistFault, ...]]:
    """The text of the bytes with the faults of their encoding."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            text, wrong = _lenient(data[len(bom) :], encoding)
            fault = _encoding_fault(encoding, start) if wrong else None
            if encoding == "utf-8":
                told = PlistFault(
                    "bom",
                    "a byte order mark stands before the XML declaration; not every reader skips it",
                    start,
                    "save the file as UTF-8 without a byte order mark",
                )
                return text, (told, *((fault,) if fault else ()))
            return text, (fault,) if fault else ()
    if data[:4] in {b"<\0?\0", b"\0<\0?"}:  # UTF-16 that lost its mark
        encoding = "utf-16-le" if data[0:1] == b"<" else "utf-16-be"
        text, _ = _lenient(data, encoding)
        return text, (_encoding_fault("UTF-16 without a byte order mark", start),)
    declared = _DECLARED.search(data[:1024])
    encoding = declared.group(1).decode("ascii").lower() if declared else "utf-8"
    if encoding.startswith(
        ("utf-16", "utf16", "utf-32", "ucs")
    ):  # the declaration is plainly wrong: it was readable
        encoding = "utf-8"
    try:
        codecs.lookup(encoding).incrementaldecoder()  # refuses what is not a text encoding
        text, wrong = _lenient(data, encoding)
    except (LookupError, TypeError, ValueError):
        text, wrong = _lenient(data, "utf-8")
        named = PlistFault(
            "encoding",
            f'unknown encoding "{encoding}" in the XML declaration',
            start,
            'write encoding="UTF-8"',
        )
        return text, (named,)
    return text, (_encoding_fault(encoding, start),) if wrong else ()


def _lenient(data: bytes, encoding: str) -> tuple[str, bool]:
    """The text, and whether bytes had to be replaced."""
    try:
        return data.decode(encoding), False
    except UnicodeDecodeError:
        return data.decode(encoding, "replace"), True


def _encoding_fault(encoding: str, start: Place) -> PlistFault:
    return PlistFault(
        "encoding",
        f"the bytes are not valid {encoding}; readers refuse the file or garble it",
        start,
        "save the file as UTF-8",
    )


def _format(text: str) -> Format:
    """What kind of text this is, by its first characters."""
    head = text.lstrip("\ufeff \t\r\n\0")[:400]
    if not head:
        return "empty"
    if head.startswith("<"):
        return "old-style" if re.match(r"<[0-9a-fA-F\s]*>", head) else "xml"
    if head[0] in "{[(":
        if re.match(r"\{\s*[\w.\"-]+\s*=|\(", head) and not re.match(r'\{\s*"[^"]*"\s*:', head):
            return "old-style"
        return "json" if re.match(r"\{\s*(\"|\}|$)|\[", head) else "text"
    if re.search(r"<\?xml|<plist|<!DOCTYPE", text[:4096]):
        return "xml"
    return "text"


def _not_xml(form: Format, source: SourceFile, offset: int) -> PlistFault:
    """The fault of a text that is no XML property list."""
    words = {
        "empty": ("the file is empty", "write the job into it or remove it"),
        "json": ("this is JSON; launchd reads XML and binary property lists", "plutil -convert xml1 FILE"),
        "old-style": (
            "this is an old-style (OpenStep) property list; write XML or binary for launchd",
            "plutil -convert xml1 FILE",
        ),
    }
    message, fix = words.get(form, ("this is no property list", "write an XML property list"))
    line, column = source.line_column(offset)
    end = len(source.line(line)) + 1
    return PlistFault("not-plist", message, Place(source.path, line, column, line, max(column, end)), fix)
