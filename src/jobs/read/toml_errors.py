"""TOML's syntax errors in plain words: what stands there, and what to write instead."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jobs.read.toml_tree import quoted
from jobs.text import Span

if TYPE_CHECKING:
    from jobs.read.toml_parser import Failure

_WORDS = {"true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false"}
_NOTHING = {"null", "nil", "none", "undefined"}
_CURLY = "“”„«»‘’‚"
_NEEDS_DIGITS = {"x": "two", "u": "four", "U": "eight"}


@dataclass(frozen=True, slots=True)
class SyntaxMistake:
    """One error of syntax."""

    span: Span
    message: str
    fix: str


def explain(text: str, failure: Failure) -> SyntaxMistake:
    """The mistake behind a failure of the parser."""
    if failure.too_deep or "nested more than" in str(failure.error):
        return SyntaxMistake(
            Span(failure.at, failure.at + 1),
            "the values are nested too deeply",
            "take levels away: a manifest needs five",
        )
    name = type(failure.error).__name__
    at = failure.at
    if name in {"InvalidCharInStringError", "InvalidUnicodeValueError"}:
        return _escape(text, at)
    if name == "InvalidControlChar" and text[at : at + 1] not in {"", "\n", "\r"}:
        return _control(text, at)
    opened = failure.opened[-1] if failure.opened else None
    if opened is not None and text[opened : opened + 1] in {'"', "'"} and failure.where == "value":
        return _open_string(text, opened)
    key_quote = _key_quote(text, at) if failure.where == "key" else None
    if key_quote is not None:
        return _open_string(text, key_quote)
    if at >= len(text) and opened is not None and text[opened : opened + 1] in {"[", "{"}:
        return _open_bracket(text, opened)
    if failure.where == "value" and opened is not None:
        return _value(text, opened, at)
    if failure.where == "after value":
        return _after_value(text, at, opened)
    if failure.where == "header" or _line(text, at).lstrip().startswith("["):
        return _header(text, at)
    return _key(text, at)


def _line_span(text: str, at: int) -> Span:
    """The line around an offset, without its end."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return Span(start, max(start, end - (text[start:end].endswith("\r"))))


def _line(text: str, at: int) -> str:
    span = _line_span(text, at)
    return text[span.start : span.end]


def _key_quote(text: str, at: int) -> int | None:
    """Where a quoted key begins that has no end on its line."""
    span = _line_span(text, max(0, at - (at >= len(text))))
    match = re.match(
        r"""[ \t]*(?:\[{1,2}[ \t]*)?(?:[A-Za-z0-9_-]+[ \t]*\.[ \t]*)*(["'])""", text[span.start : span.end]
    )
    if match is None or text.find(match[1], span.start + match.end(), span.end) >= 0:
        return None
    return span.start + match.start(1)


def _escape(text: str, at: int) -> SyntaxMistake:
    back = text.rfind("\\", 0, at + 1)
    letter = text[back + 1 : back + 2]
    shown = text[back : back + 2]
    if letter in _NEEDS_DIGITS:
        return SyntaxMistake(
            Span(back, back + 2),
            f"{shown} is not followed by {_NEEDS_DIGITS[letter]} hexadecimal digits of a character",
            "write the character itself",
        )
    if back < 0 or at - back > 1 or not letter.strip():
        return SyntaxMistake(
            Span(at, at + 1), "the string does not end here", 'close it with exactly three quotes: """'
        )
    return SyntaxMistake(
        Span(back, back + 2),
        f"{shown} is not an escape of TOML",
        f"write \\{shown}, or put the string in single quotes, where a backslash is only itself",
    )


def _control(text: str, at: int) -> SyntaxMistake:
    code = ord(text[at])
    return SyntaxMistake(
        Span(at, at + 1),
        f"a control character (U+{code:04X}) stands here",
        "take it away; it may be invisible",
    )


def _open_string(text: str, start: int) -> SyntaxMistake:
    quote = text[start]
    if text.startswith(quote * 3, start):
        span = Span(start, start + 3)
        return SyntaxMistake(span, "the text that begins here has no end", f"close it with {quote * 3}")
    end = _line_span(text, start).end
    return SyntaxMistake(
        Span(start, end),
        "the string has no closing quote on its line",
        f"close it with {quote}, or use {quote * 3} for a text of several lines",
    )


def _open_bracket(text: str, start: int) -> SyntaxMistake:
    word, closing = ("array", "]") if text[start] == "[" else ("table", "}")
    return SyntaxMistake(
        Span(start, start + 1), f"the {word} that begins here has no end", f"close it with {closing}"
    )


def _bare_word(text: str, at: int, *, nested: bool) -> Span:
    """What somebody wrote as a value without quotes: to the end of the line, or of the entry of an array."""
    line = _line_span(text, at)
    rest = text[at : line.end]
    cut = re.search(r"[,\]}]|\s#" if nested else r"\s#", rest)
    rest = rest[: cut.start()] if cut else rest
    return Span(at, at + len(rest.rstrip()))


def _value(text: str, start: int, at: int) -> SyntaxMistake:
    """A value that is none: unquoted, missing, or a number that TOML does not know."""
    nested = bool(re.search(r"[\[{,]\s*$", text[:start])) or _inside_brackets(text, start)
    span = _bare_word(text, start, nested=nested)
    word = text[span.start : span.end]
    if text[start : start + 1] in {"[", "{"} and at > start:
        return _after_value(text, at, start)
    if text[start : start + 1] == ",":
        return SyntaxMistake(Span(start, start + 1), "a comma stands where a value belongs", "take it away")
    if not word or word.startswith("#"):
        return SyntaxMistake(
            Span(max(0, start - 1), start), "the key has no value", 'write one, such as "text", 5 or true'
        )
    if word[0] in _CURLY:
        straight = quoted(word.strip(_CURLY))
        return SyntaxMistake(
            Span(start, start + 1),
            f"{word[0]} is a typographic quote",
            f"write {straight} with straight quotes",
        )
    if word.lower() in _WORDS:
        return SyntaxMistake(span, f"{word} is not a boolean of TOML", f"write {_WORDS[word.lower()]}")
    if word.lower() in _NOTHING:
        return SyntaxMistake(span, f"TOML has no {word}", "leave the key out")
    if re.fullmatch(r"[+-]?0[0-9_]+", word):
        return SyntaxMistake(
            span,
            f"{word} is not a number: TOML has no leading zeros",
            f"write {quoted(word)} if a string is meant",
        )
    if word[0] == "`":
        return SyntaxMistake(span, f"{word} is in backticks", f"write {quoted(word.strip('`'))}")
    if re.fullmatch(r"[+-]?[0-9][0-9_.eE+:TZ-]*", word):
        return SyntaxMistake(
            span, f"{word} is no number and no date of TOML", f"write {quoted(word)} if a string is meant"
        )
    return SyntaxMistake(span, f"{word} is not in quotes", f"write {quoted(word)}")


def _inside_brackets(text: str, start: int) -> bool:
    line = text[text.rfind("\n", 0, start) + 1 : start]
    return line.count("[") > line.count("]") or line.count("{") > line.count("}")


def _after_value(text: str, at: int, opened: int | None) -> SyntaxMistake:
    """Something stands behind a value that has an end."""
    span = _bare_word(text, at, nested=opened is not None)
    word = text[span.start : span.end]
    if opened is not None:
        what = "array" if text[opened : opened + 1] == "[" else "table"
        closing = "]" if text[opened : opened + 1] == "[" else "}"
        if not word and text[at : at + 1] in {"\r", "\n"}:  # the line ends inside it
            return _open_bracket(text, opened)
        place = span if word else Span(at, at + 1)
        if re.match(r"[A-Za-z0-9_.-]+[ \t]*=|\[", text[at:]) and "\n" in text[opened:at]:
            return _open_bracket(text, opened)
        if text[at : at + 1] == ",":
            return SyntaxMistake(Span(at, at + 1), "a comma stands where a value belongs", "take it away")
        if text[at : at + 1] in {"]", "}", "="}:
            return SyntaxMistake(
                Span(at, at + 1),
                f"{text[at]} stands inside the {what} that is open",
                f"close it with {closing} first",
            )
        return SyntaxMistake(
            place, f"a comma is missing in the {what}, before {word}", "write a comma between the values"
        )
    return SyntaxMistake(
        span if word else Span(at, at + 1),
        f"{word} stands behind the value",
        "begin a new line for the next key, or write # before a comment",
    )


def _header(text: str, at: int) -> SyntaxMistake:
    line = _line_span(text, at if at < len(text) else max(0, at - 1))
    shown = text[line.start : line.end].strip()
    begin = line.start + len(text[line.start : line.end]) - len(text[line.start : line.end].lstrip())
    span = Span(begin, begin + len(shown))
    inner = re.fullmatch(r"(\[{1,2})(.*?)(\]{0,2})\s*(#.*)?", shown)
    name = inner[2].strip() if inner else ""
    if inner and not name:
        return SyntaxMistake(span, f"{shown} has no name", "write the table's name between the brackets")
    if inner and len(inner[1]) != len(inner[3]):
        return SyntaxMistake(span, f"the header {shown} is not closed as it was opened", f"write [{name}]")
    if ".." in name or name.startswith(".") or name.endswith("."):
        return SyntaxMistake(span, f"{shown} has an empty part", "take one of the dots away")
    if inner and re.search(r"[^A-Za-z0-9_.-]", name):
        head, _, last = name.rpartition(".")
        plainer = re.sub(r"[^A-Za-z0-9_]+", "-", last).strip("-")
        better = ".".join(part for part in (head, plainer or "NAME") if part)
        return SyntaxMistake(
            span,
            f"the name in {shown} has characters that need quotes",
            f"write [{better}]: letters, digits, - and _",
        )
    return SyntaxMistake(Span(at, at + 1), "this does not belong behind a header", "begin a new line")


def _key(text: str, at: int) -> SyntaxMistake:
    """A line that does not read as `key = value`."""
    line = _line_span(text, at if at < len(text) else max(0, at - 1))
    shown = text[line.start : line.end]
    begin = line.start + len(shown) - len(shown.lstrip())
    words = shown.strip()
    span = Span(begin, begin + len(words))
    colon = re.match(r"([A-Za-z0-9_-]+)\s*:\s*(.*)", words)
    if colon:
        return SyntaxMistake(
            Span(begin, begin + len(colon[1]) + 1),
            f"{colon[1]}: is not TOML's way to set a key",
            f"write {colon[1]} = …",
        )
    name, equals, _ = words.partition("=")
    if equals and not name.strip():
        return SyntaxMistake(Span(begin, begin + 1), "= has no key before it", "write the key's name")
    if equals and re.search(r"\s", name.strip()) and re.fullmatch(r"[A-Za-z0-9_\s-]+", name):
        joined = re.sub(r"\s+", "_", name.strip())
        return SyntaxMistake(
            Span(begin, begin + len(name.rstrip())),
            f"the key {name.strip()!r} holds a blank",
            f"write {joined}, or put it in quotes",
        )
    if equals and at < begin + len(name):
        return SyntaxMistake(
            Span(at, at + 1),
            f"{text[at]!r} cannot stand in a key without quotes",
            "use letters, digits, - and _",
        )
    if equals and text[at : at + 1] == "=":
        return SyntaxMistake(Span(at, at + 1), "there is one = too many", "take it away")
    return SyntaxMistake(
        span,
        f"{words!r} is neither a key with a value nor a table",
        "write key = value, or # before a comment",
    )
