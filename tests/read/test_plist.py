"""Property lists with places: what is read, what is told, and what is bounded."""

from __future__ import annotations

import datetime as dt
import plistlib
from pathlib import Path
from typing import Any

import pytest

from jobs.errors import MachineError
from jobs.read.plist import MAX_BYTES, parse_plist, parse_plist_text, read_plist
from jobs.read.plist_value import PlistFile, PlistValue

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n'
)


def wrapped(body: str) -> str:
    return f'{HEAD}<plist version="1.0">\n<dict>\n{body}\n</dict>\n</plist>\n'


def plain(value: PlistValue | None) -> Any:
    """The value as plistlib gives it."""
    if value is None:
        return None
    if value.kind == "dictionary":
        return {entry.key: plain(entry.value) for entry in value.entries}
    if value.kind == "array":
        return [plain(item) for item in value.items]
    return value.value


def read(text: str | bytes, path: str = "a.plist") -> PlistFile:
    return parse_plist(text.encode() if isinstance(text, str) else text, path)


def kinds(text: str | bytes) -> list[str]:
    return [fault.kind for fault in read(text).faults]


SAMPLE: dict[str, Any] = {
    "Label": "com.example.tidy",
    "ProgramArguments": ["/bin/sh", "-c", "a & b < c > d \"e\" 'f'"],
    "Nice": -5,
    "Big": 2**63,
    "RunAtLoad": True,
    "KeepAlive": False,
    "Real": 1.5,
    "Empty": "",
    "EmptyArray": [],
    "EmptyDict": {},
    "Nested": [{"a": [1, [2, {"b": "é漢🎉"}]]}],
    "Blanks": "  a\n\tb  ",
}


@pytest.mark.parametrize("form", [plistlib.FMT_XML, plistlib.FMT_BINARY])
def test_same_values_as_plistlib(form: plistlib.PlistFormat) -> None:
    file = read(plistlib.dumps(SAMPLE, fmt=form, sort_keys=False))
    assert file.faults == ()
    assert plain(file.root) == SAMPLE
    assert file.job is not None
    assert [entry.key for entry in file.job.entries] == list(SAMPLE)


def test_dates_and_data_keep_their_text() -> None:
    moment = dt.datetime(2026, 12, 1, 9, 30, tzinfo=dt.UTC).replace(tzinfo=None)
    for form in (plistlib.FMT_XML, plistlib.FMT_BINARY):
        file = read(plistlib.dumps({"d": moment, "b": b"hallo", "u": "x"}, fmt=form))
        root = file.job
        assert root is not None
        assert [entry.value.kind for entry in root.entries] == ["data", "date", "string"]


@pytest.mark.parametrize(
    ("body", "key", "key_at", "value_at"),
    [
        ("<key>A</key><string>b</string>", "A", (5, 6, 7), (5, 21, 22)),
        ("  <key>A</key>\n  <string>bc</string>", "A", (5, 8, 9), (6, 11, 13)),
        ("<key>A</key><true/>", "A", (5, 6, 7), (5, 13, 20)),
        ("<key>é</key><string>漢字🎉x</string>", "é", (5, 6, 7), (5, 21, 25)),
        ("<!-- 漢 --><key>A</key><integer>5</integer>", "A", (5, 16, 17), (5, 32, 33)),
        ("<key>A</key><string></string>", "A", (5, 6, 7), (5, 13, 21)),
        ("<key>A</key><dict><key>B</key><true/></dict>", "A", (5, 6, 7), (5, 13, 19)),
        ("<key>a&amp;b</key><string>&lt;x</string>", "a&b", (5, 6, 13), (5, 27, 32)),
    ],
)
def test_places(body: str, key: str, key_at: tuple[int, int, int], value_at: tuple[int, int, int]) -> None:
    root = read(wrapped(body)).job
    assert root is not None
    entry = root.entry(key)
    assert entry is not None
    for place, (line, column, end) in ((entry.key_place, key_at), (entry.value.place, value_at)):
        assert (place.line, place.column, place.end_column) == (line, column, end)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends(end: str) -> None:
    file = read(wrapped("<key>A</key>\n<string>b</string>").replace("\n", end))
    assert file.faults == ()
    root = file.job
    assert root is not None
    value = root.get("A")
    assert value is not None
    assert (value.place.line, value.place.column) == (6, 9)


@pytest.mark.parametrize(
    ("data", "faults"),
    [
        (wrapped("").encode("utf-16"), []),
        (wrapped("").encode("utf-16-le"), ["encoding"]),
        (wrapped("").encode("utf-16-be"), ["encoding"]),
        (wrapped("").encode("utf-32"), []),
        (b"\xef\xbb\xbf" + wrapped("").encode(), ["bom"]),
        (
            wrapped("<key>a</key><string>caf\u00e9</string>")
            .replace("UTF-8", "ISO-8859-1")
            .encode("latin-1"),
            [],
        ),
        (wrapped("<key>a</key><string>caf\u00e9</string>").encode("latin-1"), ["encoding"]),
        (wrapped("").replace("UTF-8", "nonsense-8").encode(), ["encoding"]),
        (wrapped("").replace("UTF-8", "hex").encode(), ["encoding"]),
        (wrapped("").replace("UTF-8", "UTF-16").encode(), []),
    ],
)
def test_encodings(data: bytes, faults: list[str]) -> None:
    file = read(data)
    assert [fault.kind for fault in file.faults] == faults
    assert file.job is not None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["not-plist"]),
        (" \n", ["not-plist"]),
        ("\0\0\0", ["not-plist"]),
        ('{"a": 1}', ["not-plist"]),
        ("{ a = b; }", ["not-plist"]),
        ("( a, b )", ["not-plist"]),
        ("<0a1b>", ["not-plist"]),
        ("hello", ["not-plist"]),
        ("bplist00", ["binary"]),
        ("bplist00" + "\0" * 100, ["binary"]),
        ("<", ["angle-bracket", "syntax"]),
        ("<plist", ["syntax"]),
        ("<plist>", ["syntax"]),
        ("<!-- x", ["syntax", "syntax"]),
        ("<?xml", ["syntax"]),
        (HEAD, ["syntax"]),
        ("<plist/>", ["root", "doctype-missing"][:1]),
        ("x<plist/>", ["syntax"]),
        (wrapped("<key>a</key>"), ["key-without-value"]),
        (wrapped("<string>a</string>"), ["value-without-key"]),
        (wrapped("<key>a</key><string>b</string>") + "x", ["syntax"]),
        (wrapped("<key>a</key><sub>b</sub>"), ["unknown-element"]),
        (wrapped("<key>a</key><string><b>c</b></string>"), ["unknown-element", "syntax"]),
        (wrapped("<key>a</key><string>a &b; c</string>"), ["entity-unknown"]),
        (wrapped("<key>a</key><string>&#0;</string>"), ["syntax"]),
        (wrapped("<key>a</key><string>x</strong>"), ["syntax"]),
    ],
)
def test_faults(text: str, expected: list[str]) -> None:
    found = [kind for kind in kinds(text) if kind != "doctype-missing"]
    assert found == expected


def test_a_fault_does_not_hide_the_rest() -> None:
    file = read(wrapped("<!-- a -- b --><key>A</key><string>x & y</string><key>B</key><int>5</int>"))
    assert [fault.kind for fault in file.faults] == ["comment-dashes", "ampersand", "unknown-element"]
    assert plain(file.root) == {"A": "x & y", "B": 5}


def test_mismatched_tags_are_named_with_their_line() -> None:
    (fault,) = read(wrapped("<key>A</key>\n<array>\n<string>x</string>")).faults
    assert fault.message == "<array> of line 6 is closed by </dict>"
    assert fault.place.line == 8


def test_truncated_file_names_what_is_open() -> None:
    (fault,) = read(wrapped("<key>A</key><array>").partition("</dict>")[0]).faults
    assert fault.message == "the file ends inside <array> of line 5"
    assert fault.fix == "write </array></dict></plist>"


@pytest.mark.parametrize(
    "bomb",
    [
        f"<plist>{'<array>' * 300_000}",
        f"<plist>{'<array>' * 100_000}{'</array>' * 100_000}</plist>",
        f"<plist><array>{'<true/>' * 100_000}</array></plist>",
        f"<plist>{'<dict><key>a</key>' * 50_000}",
        "<!DOCTYPE plist [" + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 20)) + "]><plist>&e19;</plist>",
        "<plist>" + "&x;" * 200_000,
        "<plist>" + "<a" * 200_000,
        "<plist>" + "<!--" * 200_000,
        "<plist>" + "<![CDATA[" * 100_000,
        "<plist>" + "".join(f"<n{number}>" for number in range(100_000)),
        "<!DOCTYPE " * 100_000,
        "<?xml " * 200_000,
        "<plist><dict>" + "<key>a</key><true/>" * 20_000 + "</dict></plist>",
        "{" * 1_000_000,
        "<plist><string>" + "x" * 3_000_000,
        " " * 3_000_000,
    ],
    ids=lambda bomb: bomb[:24],
)  # fmt: skip
def test_bombs_are_told_and_not_run(bomb: str) -> None:
    assert read(bomb).faults


def test_large_files_are_not_read() -> None:
    file = read(b"<plist>" + b" " * MAX_BYTES)
    assert [fault.kind for fault in file.faults] == ["limit"]


def binary(objects: list[bytes], *, count: int | None = None, root: int = 0) -> bytes:
    """A hand-made binary list of encoded objects, with one byte for a reference."""
    data, offsets = b"bplist00", []
    for each in objects:
        offsets.append(len(data))
        data += each
    table = len(data)
    data += b"".join(offset.to_bytes(2, "big") for offset in offsets)
    numbers = (len(objects) if count is None else count, root, table)
    return data + b"\0" * 6 + bytes([2, 1]) + b"".join(number.to_bytes(8, "big") for number in numbers)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (binary([b"\xa1\x00"]), "limit"),  # an array that holds itself
        (binary([b"\xaf\x10\x02\x01\x01", b"\xa2\x00\x00"]), "limit"),  # two that hold each other
        (
            binary([b"\xa2" + bytes([n + 1]) * 2 for n in range(60)] + [b"\x09"]),
            "limit",
        ),  # doubles at each level
        (binary([b"\xa1" + bytes([n + 1]) for n in range(200)] + [b"\x09"]), "limit"),  # nested deeply
        (binary([b"\x09"], count=2**40), "binary"),
        (binary([b"\xd1\x00\x00"]), "binary"),  # a dictionary that is its own key
        (binary([b"\x5f\x13" + b"\xff" * 8]), "binary"),
        (binary([b"\x09"], root=7), "binary"),
        (binary([b"\x33\x7f\xf8\0\0\0\0\0\0"]), "binary"),  # a date that is no number
        (binary([b"\x33\x7f\x00\0\0\0\0\0\0"]), "binary"),  # a date beyond all years
        (binary([b"\x61\xd8\x00"]), "binary"),  # half a surrogate pair
    ],
)
def test_binary_bombs(data: bytes, kind: str) -> None:
    file = read(data)
    assert [fault.kind for fault in file.faults] == [kind]
    assert file.root is None


def test_binary_of_other_values() -> None:
    file = read(binary([b"\xa2\x01\x02", b"\x80\x05", b"\x23" + b"\x3f\xf8" + b"\0" * 6]))
    assert file.root is not None
    assert [item.kind for item in file.root.items] == ["uid", "real"]


def test_read_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.plist"
    path.write_text(wrapped("<key>A</key><true/>"))
    assert plain(read_plist(path).root) == {"A": True}
    with pytest.raises(MachineError):
        read_plist(tmp_path / "missing.plist")
    with pytest.raises(MachineError):
        read_plist(tmp_path)


@pytest.mark.parametrize(
    ("name", "template"),
    [
        ("a.plist", False), ("a.plist.template", True), ("a.plist.in", True), ("a.plist.j2", True), ("a.plist.erb", True), ("a.plist.tmpl", True),
        ("a.template.plist", True), ("a-template.plist", True), ("template.plist", False), ("a.plist.example", False), ("main.plist", False),
    ],
)  # fmt: skip
def test_templates_by_name(name: str, *, template: bool) -> None:
    assert (read(wrapped(""), name).filler is not None) == template


def test_what_a_template_fills_in_is_no_fault() -> None:
    body = "{% if x %}<key>A</key><integer>{{ n }}</integer>{% endif %}<key>B</key><string><%= b & c %></string>@MORE@"
    file = read(wrapped(body), "a.plist.tmpl")
    assert file.faults == ()
    assert file.holes
    assert plain(file.root) == {"A": None, "B": "<%= b & c %>"}


def test_strings_in_the_order_of_the_file() -> None:
    file = parse_plist_text(
        wrapped(
            "<key>A</key><array><string>1</string><dict><key>k</key><string>2</string></dict></array><key>B</key><string>3</string>"
        ),
        "a",
    )
    assert file.root is not None
    assert [value.text for value in file.root.strings()] == ["1", "2", "3"]


@pytest.mark.parametrize(("encoding", "spans"), [("utf-8", True), ("utf-8-sig", False), ("utf-16", False)])
def test_edits_are_offered_only_where_offsets_are_those_of_the_file(encoding: str, *, spans: bool) -> None:
    file = read(wrapped("<key>A</key><string>x & y</string>").encode(encoding))
    (fault,) = [fault for fault in file.faults if fault.kind == "ampersand"]
    assert (fault.span is not None) == spans
