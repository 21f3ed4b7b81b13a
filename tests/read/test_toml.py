"""The located reading of TOML: spans, syntax errors, and what tomlkit must go on having."""

from __future__ import annotations

import datetime as dt
import math
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.read.nodes import Array, Node, Scalar, Table, plain
from jobs.read.toml import MAX_BYTES, Document, read_toml
from jobs.read.toml_tree import dotted, quoted


def read(text: str | bytes) -> Document:
    return read_toml(text if isinstance(text, bytes) else text.encode(), "jobs.toml")


def root_of(text: str | bytes) -> Table:
    document = read(text)
    assert document.diagnostics == ()
    assert document.root is not None
    return document.root


def leaves(node: Node) -> Iterator[Node]:
    """The scalars and arrays of a document; tables in a header have no text of their own."""
    if isinstance(node, Table):
        for entry in node.entries.values():
            yield from leaves(entry.node)
    elif isinstance(node, Array):
        if not node.headers:
            yield node
        for item in node.items:
            yield from leaves(item)
    else:
        yield node


def keys(node: Node) -> Iterator[tuple[str, tuple[int, int]]]:
    if isinstance(node, Table):
        for name, entry in node.entries.items():
            yield name, (entry.key.start, entry.key.end)
            yield from keys(entry.node)
    elif isinstance(node, Array):
        for item in node.items:
            yield from keys(item)


def test_tomlkit_still_has_the_private_names_that_the_reader_leans_on() -> None:
    from tomlkit.parser import Parser
    from tomlkit.source import Source

    for name in (
        "_parse_key_value",
        "_parse_key",
        "_parse_value",
        "_parse_table",
        "_peek_table",
        "_idx",
        "_current",
    ):
        assert hasattr(Parser, name), name
    parser = Parser("a = 1")
    assert isinstance(parser._src, Source)
    assert callable(parser._src.parse_error)


def test_the_tested_release_of_tomlkit_notes_a_key_a_header_and_a_value() -> None:
    text = '[ jobs . "a b" ]\r\n  at = [ "09:30" , 7 ] # why\r\n'
    jobs = root_of(text).entries["jobs"].node
    assert isinstance(jobs, Table)
    job = jobs.entries["a b"].node
    assert isinstance(job, Table)
    entry = job.entries["at"]
    assert isinstance(entry.node, Array)
    spans = [job.span, jobs.entries["a b"].key, entry.key, entry.node.span, entry.node.items[1].span]
    assert [text[span.start : span.end] for span in spans] == [
        '[ jobs . "a b" ]',
        '"a b"',
        "at",
        '[ "09:30" , 7 ]',
        "7",
    ]
    assert entry.comment == "why"


# Documents of TOML, made of values; what they mean is tomllib's to say.

NAMES = st.one_of(st.from_regex(r"[A-Za-z0-9_-]{1,8}", fullmatch=True), st.text(max_size=6))
SCALARS = st.one_of(
    st.text(max_size=12),
    st.integers(-(2**63), 2**63 - 1),
    st.booleans(),
    st.floats(allow_nan=False),
    st.datetimes(min_value=dt.datetime(1970, 1, 1), timezones=st.none()),  # noqa: DTZ001
    st.dates(min_value=dt.date(1970, 1, 1)),
    st.times(),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=8,
)
BLANKS = st.sampled_from(["", " ", "\t", "  "])


def written(value: Any, blank: str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else f"{'-' if value < 0 else ''}inf"
    if isinstance(value, dt.datetime | dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, list):
        return f"[{blank}" + f"{blank},{blank}".join(written(one, blank) for one in value) + f"{blank}]"
    if isinstance(value, dict):
        pairs = [f"{quoted(name)}{blank}={blank}{written(one, blank)}" for name, one in value.items()]
        return "{" + blank + f"{blank},{blank}".join(pairs) + blank + "}"
    return str(value)


@st.composite
def documents(draw: st.DrawFn) -> str:
    blank, newline = draw(BLANKS), draw(st.sampled_from(["\n", "\r\n"]))
    lines: list[str] = []
    for name, table in draw(
        st.dictionaries(NAMES, st.dictionaries(NAMES, VALUES, max_size=4), max_size=3)
    ).items():
        lines += ["# note", f"{blank}[{blank}{dotted([name])}{blank}]{draw(BLANKS)}"]
        lines += [
            f"{blank}{dotted([key])}{blank}={blank}{written(value, blank)} # x"
            for key, value in table.items()
        ]
    return newline.join(lines) + newline


@given(documents())
def test_values_are_those_of_tomllib_and_spans_are_where_the_text_is(text: str) -> None:
    root = root_of(text)
    assert plain(root) == tomllib.loads(text)
    for node in leaves(root):
        cut = text[node.span.start : node.span.end]
        assert tomllib.loads(f"x = {cut}")["x"] == plain(node)
    for name, (start, end) in keys(root):
        assert tomllib.loads(f"{text[start:end]} = 1") == {name: 1}


@given(st.text(alphabet="ab=.[]{},\"'# \n\r\t019:-\\u", max_size=40))
def test_whatever_tomllib_reads_is_read_alike(text: str) -> None:
    document = read(text)
    try:
        expected = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        # tomlkit takes a few things of TOML 1.1 (line ends in inline tables, \\x): not our business.
        return
    assert document.root is not None, document.diagnostics
    assert plain(document.root) == expected


REPEATED = [
    ("a key", "a = 1\na = 2\n", 2, 1, "line 1"),
    ("a key of a table", "[t]\na = 1\n\na = 2\n", 4, 1, "line 2"),
    ("a quoted spelling of a key", 'a = 1\n"a" = 2\n', 2, 1, "line 1"),
    ("a key of an inline table", "t = { a = 1, a = 2 }\n", 1, 14, "line 1"),
    ("a header", "[t]\n\n[t]\n", 3, 1, "line 1"),
    ("a header after dotted keys", "t.a = 1\n[t]\n", 2, 1, "line 1"),
    ("a header into an inline table", "t = { }\n[t.a]\n", 2, 2, "line 1"),
    ("a header into a value", "t = 1\n[t.a]\n", 2, 2, "line 1"),
    ("a dotted key into a header's table", "[a.b]\n[a]\nb.c = 1\n", 3, 1, "line 1"),
    ("a dotted key into an inline table", "a = {}\na.b = 1\n", 2, 1, "line 1"),
    ("an array of tables that is a table", "[t]\n[[t]]\n", 2, 1, "line 1"),
]


@pytest.mark.parametrize(
    ("text", "line", "column", "first"), [row[1:] for row in REPEATED], ids=[r[0] for r in REPEATED]
)
def test_what_stands_twice_is_told_with_both_places(text: str, line: int, column: int, first: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        tomllib.loads(text)
    (diagnostic,) = read(text).diagnostics
    assert diagnostic.place is not None
    assert (diagnostic.code, diagnostic.place.line, diagnostic.place.column) == ("M001", line, column)
    assert first in diagnostic.message


SYNTAX = [
    ("unquoted text", "run = scripts/x.sh\n", (1, 7), "scripts/x.sh is not in quotes", 'write "scripts/x.sh"'),
    ("unquoted duration", "t = 45m # c\n", (1, 5), "45m is not in quotes", 'write "45m"'),
    ("leading zero", "umask = 022\n", (1, 9), "022 is not a number: TOML has no leading zeros", 'write "022" if a string is meant'),
    ("no such date", "d = 2026-13-45\n", (1, 5), "2026-13-45 is no number and no date of TOML", 'write "2026-13-45" if a string is meant'),
    ("True", "a = True\n", (1, 5), "True is not a boolean of TOML", "write true"),
    ("no", "a = no\n", (1, 5), "no is not a boolean of TOML", "write false"),
    ("null", "a = null\n", (1, 5), "TOML has no null", "leave the key out"),
    ("no value", "a =\nb = 1\n", (1, 3), "the key has no value", 'write one, such as "text", 5 or true'),
    ("typographic quotes", "a = “x”\n", (1, 5), "“ is a typographic quote", 'write "x" with straight quotes'),
    ("open string", 'a = "x\nb = 1\n', (1, 5), "the string has no closing quote on its line", None),
    ("open string in an array", 'a = ["x, "y"]\n', (1, 11), None, None),
    ("open text", 'a = """x\n', (1, 5), "the text that begins here has no end", 'close it with """'),
    ("open quoted key", '"abc = 1\n', (1, 1), "the string has no closing quote on its line", None),
    ("open array", "a = [1,\n2\n", (1, 5), "the array that begins here has no end", "close it with ]"),
    ("open array before a key", 'a = ["x"\nb = 1\n', (1, 5), "the array that begins here has no end", "close it with ]"),
    ("open array before a header", 'a = ["x"\n[t]\n', (1, 5), "the array that begins here has no end", "close it with ]"),
    ("open inline table", "a = { b = 1", (1, 5), "the table that begins here has no end", "close it with }"),
    ("no comma in an array", 'a = ["x" "y"]\n', (1, 10), 'a comma is missing in the array, before "y"', None),
    ("two commas", "a = [1,,2]\n", (1, 8), "a comma stands where a value belongs", "take it away"),
    ("wrong bracket", "a = [1, {b = 2]\n", (1, 15), "] stands inside the table that is open", "close it with } first"),
    ("two values", "a = 1 b = 2\n", (1, 7), "b = 2 stands behind the value", None),
    ("colon", "name: 1\n", (1, 1), "name: is not TOML's way to set a key", "write name = …"),
    ("blank in a key", "my key = 1\n", (1, 1), "the key 'my key' holds a blank", "write my_key, or put it in quotes"),
    ("no key", "= 3\n", (1, 1), "= has no key before it", "write the key's name"),
    ("two equals", "a == 1\n", (1, 4), "there is one = too many", "take it away"),
    ("a word", "hello\n", (1, 1), "'hello' is neither a key with a value nor a table", None),
    ("letter of no bare key", "é = 1\n", (1, 1), "'é' cannot stand in a key without quotes", None),
    ("open header", "[jobs.x\n", (1, 1), "the header [jobs.x is not closed as it was opened", "write [jobs.x]"),
    ("closed twice", "[jobs.x]]\n", (1, 1), "the header [jobs.x]] is not closed as it was opened", "write [jobs.x]"),
    ("empty header", "[]\n", (1, 1), "[] has no name", None),
    ("empty part", "[a..b]\n", (1, 1), "[a..b] has an empty part", None),
    ("blank in a header", "[jobs.my job]\n", (1, 1), None, "write [jobs.my-job]: letters, digits, - and _"),
    ("escape", 'a = "\\d"\n', (1, 6), "\\d is not an escape of TOML", None),
    ("short escape", 'a = "\\u12"\n', (1, 6), None, "write the character itself"),
    ("behind a line separator", "a = 1\u2028\n", (1, 5), None, None),
    ("second line, CRLF", "a = 1\r\nb = x\r\n", (2, 5), "x is not in quotes", 'write "x"'),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "at", "message", "fix"), [row[1:] for row in SYNTAX], ids=[row[0] for row in SYNTAX]
)
def test_syntax_errors(text: str, at: tuple[int, int], message: str | None, fix: str | None) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        tomllib.loads(text)
    document = read(text)
    (diagnostic,) = document.diagnostics
    assert document.root is None
    assert diagnostic.code == "M001"
    assert diagnostic.place is not None
    assert (diagnostic.place.line, diagnostic.place.column) == at
    assert message in {None, diagnostic.message}
    assert diagnostic.fix is not None
    assert fix in {None, diagnostic.fix.text}


BYTES = [
    ("NUL", b"a = 1\n\0", (2, 1), "a NUL character stands here; TOML has none"),
    ("escape character", b"a = 1\n# \x1b\n", (2, 3), "a control character (U+001B) stands here; TOML has none"),
    ("carriage return", b"a = 1\rb = 2\n", (1, 6), "a carriage return stands alone; TOML ends a line with LF or CR LF"),
    ("latin 1", 'a = 1\nb = "ö"'.encode("latin-1"), (2, 6), "the byte 0xF6 (number 12 of the file, in line 2) is not UTF-8"),
    ("cut off", b"a = '\xe3\x81", (1, 6), "the byte 0xE3 (number 6 of the file, in line 1) is not UTF-8"),
    ("UTF-16", "a = 1".encode("utf-16"), (1, 1), "the file is in UTF-16"),
    ("huge", b"#" * (MAX_BYTES + 1), (1, 1), "the file has 1.0 MB; a manifest has at most 1 MB"),
    ("deep array", b"a = " + b"[" * 5000, (1, 55), "the values are nested too deeply"),
    ("deep inline table", b"a = " + b"{a=" * 5000, None, "the values are nested too deeply"),
    ("long key", b".".join([b"a"] * 5000) + b" = 1", None, "the values are nested too deeply"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "at", "message"), [row[1:] for row in BYTES], ids=[row[0] for row in BYTES])
def test_bytes_that_are_no_toml(data: bytes, at: tuple[int, int] | None, message: str) -> None:
    (diagnostic,) = read(data).diagnostics
    assert diagnostic.place is not None
    assert at in {None, (diagnostic.place.line, diagnostic.place.column)}
    assert diagnostic.message == message


@pytest.mark.parametrize("data", [b"", b"\n", b"# only\n", b"\xef\xbb\xbf", b"\xef\xbb\xbfa = 1\r\n"])
def test_what_says_little_is_read(data: bytes) -> None:
    assert plain(root_of(data)) == tomllib.loads(data.decode("utf-8-sig"))


def test_columns_count_characters_also_behind_a_mark_and_wide_letters() -> None:
    (diagnostic,) = read('\ufeffa = "日本" b = 1\n').diagnostics
    assert diagnostic.place is not None
    assert (diagnostic.place.line, diagnostic.place.column) == (1, 10)


def test_a_scalar_has_the_word_of_toml_for_its_kind() -> None:
    text = 'a = ["x", 1, 1.5, true, 1979-05-27T07:32:00Z, 1979-05-27, 07:32:00]\n'
    node = root_of(text).entries["a"].node
    assert isinstance(node, Array)
    kinds = [item.kind for item in node.items if isinstance(item, Scalar)]
    assert kinds == ["string", "integer", "float", "boolean", "date-time", "date", "time"]
