"""Reading a TOML file: its tables, with the place of every key and value, or what is wrong with it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from jobs.diagnostics import Diagnostic, Fix, Severity
from jobs.read.nodes import Table
from jobs.text import SourceFile, Span

CODE = "M001"
MAX_BYTES = 1_000_000  # a manifest of a thousand jobs has a tenth of that
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LONE_CR = re.compile(r"\r(?!\n)")


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read. `root` is None when it is not TOML; then `diagnostics` says why."""

    source: SourceFile
    root: Table | None
    diagnostics: tuple[Diagnostic, ...] = ()


def read_toml(data: bytes, path: str) -> Document:
    """The document in these bytes. Offsets count characters of `Document.source.text`, which has no byte order mark."""
    if len(data) > MAX_BYTES:
        size = f"{len(data) / 1_000_000:.1f} MB"
        return _refused(
            SourceFile(path, ""), f"the file has {size}; a manifest has at most 1 MB", "name the right file"
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(data, path, error)
    source = SourceFile(path, text.removeprefix("\ufeff"))
    text = source.text
    bad = _FORBIDDEN.search(text)
    if bad is not None:
        name = "a NUL character" if bad[0] == "\0" else f"a control character (U+{ord(bad[0]):04X})"
        return _refused(
            source,
            f"{name} stands here; TOML has none",
            "take it away; it may be invisible",
            Span(*bad.span()),
        )
    lone = _LONE_CR.search(text)
    if lone is not None:
        message = "a carriage return stands alone; TOML ends a line with LF or CR LF"
        return _refused(source, message, "end the line with LF or CR LF", Span(*lone.span()))
    return _parse(source)


def _parse(source: SourceFile) -> Document:
    from tomlkit.exceptions import TOMLKitError

    from jobs.read.toml_errors import explain
    from jobs.read.toml_parser import LocatingParser, RefusedError
    from jobs.read.toml_tree import RepeatedError

    parser = LocatingParser(source.text)
    try:
        parser.parse()
    except RepeatedError as error:
        line = source.line_column(error.first.start)[0]
        return _refused(source, error.message.replace("{line}", str(line)), error.fix, error.span)
    except (TOMLKitError, RefusedError, ValueError, RecursionError) as error:
        if parser.failure is None:
            # tomlkit's own view of a repeated table, found when it was closed: all that it tells is a sentence.
            return _refused(source, f"this is not TOML: {error}", "put all keys of a table under one header")
        mistake = explain(source.text, parser.failure)
        return _refused(source, mistake.message, mistake.fix, mistake.span)
    if parser.swallowed is not None:
        mistake = explain(source.text, parser.swallowed)
        return _refused(source, mistake.message, mistake.fix, mistake.span)
    return Document(source, parser.root)


def _not_utf8(data: bytes, path: str, error: UnicodeDecodeError) -> Document:
    """The refusal of a file in another encoding; the text before the bad byte is kept for the message."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _refused(SourceFile(path, ""), "the file is in UTF-16", "save it as UTF-8")
    source = SourceFile(path, data.decode("utf-8", errors="replace").removeprefix("\ufeff"))
    before = data[: error.start].decode("utf-8").removeprefix("\ufeff")
    span = Span(len(before), len(before) + 1)
    line, _ = source.line_column(span.start)
    message = f"the byte 0x{data[error.start]:02X} (number {error.start + 1} of the file, in line {line}) is not UTF-8"
    return _refused(source, message, "save the file as UTF-8", span)


def _refused(source: SourceFile, message: str, fix: str, span: Span | None = None) -> Document:
    place = source.place(span or Span(0, 0))
    line = source.line(place.line) if source.text else None
    return Document(source, None, (Diagnostic(CODE, Severity.ERROR, message, place, Fix(fix), line),))
