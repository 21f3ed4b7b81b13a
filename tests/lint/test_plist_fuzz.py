"""Random and mutated property lists: no traceback, no runaway, whatever the bytes are."""

from __future__ import annotations

import plistlib
import random
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from tests.lint.plist_findings import FakeDisk

from jobs.diagnostics import Diagnostic
from jobs.lint.embedded import lint_embedded_plist
from jobs.lint.engine import Subjects, run
from jobs.lint.rule import Context
from jobs.lint.rules import ENTRIES, rule
from jobs.lint.sample import AGENT_PATH
from jobs.model.launchd_keys import KEYS
from jobs.read.plist import parse_plist

CONTEXT = Context(FakeDisk())
PIECES = [
    "<dict>", "</dict>", "<array>", "</array>", "<key>", "</key>", "<string>", "</string>", "<integer>", "</integer>", "<true/>", "<false/>", "<plist>",
    "</plist>", "<!--", "-->", "--", "&", "&amp;", "&#x41;", "<", ">", "<![CDATA[", "]]>", "<?xml", "?>", "<!DOCTYPE", "[", "]", "$HOME", "~", "{{x}}",
    "\0", "\ud7ff", "”", "漢", "\r\n", "\n", " ", '"', "'", "\\", "<int>", "Label", "Hour", "31", "-1", "99999999999999999999",
]  # fmt: skip
SAMPLES = [rule(entry.code).bad for entry in ENTRIES if entry.subject == "plist"]
NAMES = [key.name.rpartition(".")[2] for key in KEYS] + [
    "Minute",
    "Hour",
    "Day",
    "Weekday",
    "Month",
    "Second",
    "x",
    "",
    "label",
]
SCALARS: list[Any] = [
    "",
    " ",
    "a",
    "/bin/sh",
    "-c",
    "~/a",
    "$HOME/a",
    "a b -c",
    "/Volumes/x",
    "é",
    "\n",
    0,
    -1,
    24,
    31,
    2**63,
    True,
    False,
    1.5,
    b"x",
    "{{a}}",
    "Background",
]


def value(dice: random.Random, depth: int = 0) -> Any:
    """A random value as plistlib takes it."""
    roll = dice.random()
    if depth < 4 and roll < 0.25:
        return {dice.choice(NAMES): value(dice, depth + 1) for _ in range(dice.randrange(5))}
    if depth < 4 and roll < 0.45:
        return [value(dice, depth + 1) for _ in range(dice.randrange(4))]
    return dice.choice(SCALARS)


def described(dice: random.Random) -> dict[str, Any]:
    """A random job: the right keys, anything under them."""
    return {dice.choice(NAMES): value(dice) for _ in range(dice.randrange(1, 9))}


def changed(dice: random.Random, data: bytearray) -> bytes:
    """The bytes with a few of them changed, doubled, moved or cut."""
    for _ in range(dice.randrange(1, 6)):
        if not data:
            break
        at = dice.randrange(len(data))
        match dice.randrange(5):
            case 0:
                data[at] = dice.randrange(256)
            case 1:
                del data[at : at + dice.randrange(1, 40)]
            case 2:
                data[at:at] = dice.choice(PIECES).encode("utf-8", "replace")
            case 3:
                data[at:at] = data[max(0, at - 40) : at]
            case _:
                del data[at + dice.randrange(200) :]
    return bytes(data)


def inputs(seed: int, count: int) -> Iterator[bytes]:
    """Property lists of five kinds in turn: soup, mutated examples, random jobs as XML, as binary, and broken binary."""
    dice = random.Random(seed)
    for number in range(count):
        match number % 5:
            case 0:
                yield "".join(dice.choice(PIECES) for _ in range(dice.randrange(60))).encode(
                    "utf-8", "replace"
                )
            case 1:
                yield changed(dice, bytearray(dice.choice(SAMPLES).encode()))
            case 2:
                yield plistlib.dumps(described(dice), sort_keys=False)
            case 3:
                yield plistlib.dumps(described(dice), fmt=plistlib.FMT_BINARY, sort_keys=False)
            case _:
                yield changed(dice, bytearray(plistlib.dumps(described(dice), fmt=plistlib.FMT_BINARY)))


def judge(data: bytes) -> list[Diagnostic]:
    file = parse_plist(data, AGENT_PATH)
    return run(Subjects(plists=(file,), sources={AGENT_PATH: file.source}), CONTEXT)


def storm(seed: int, count: int) -> int:
    """How many findings the inputs gave; every one must have its words and a place in its file."""
    found = 0
    for data in inputs(seed, count):
        for one in judge(data):
            found += 1
            assert one.message
            assert one.place is not None
            assert one.place.line >= 1
            assert one.place.column >= 1
    return found


@pytest.mark.parametrize("seed", range(4))
def test_reader_survives_anything(seed: int) -> None:
    for data in inputs(seed, 5_000):
        parse_plist(data, "a.plist")


@pytest.mark.parametrize("seed", range(4))
def test_rules_survive_anything(seed: int) -> None:
    assert storm(100 + seed, 750) > 100


@pytest.mark.parametrize("expands", [False, True])
def test_here_documents_survive_anything(*, expands: bool) -> None:
    for data in inputs(7, 400):
        lint_embedded_plist(data.decode("utf-8", "replace"), shell_expands=expands, context=CONTEXT)


def test_memory_is_bounded() -> None:
    big = b"<plist><array>" + b"<string>x</string>" * 220_000
    tracemalloc.start()
    try:
        judge(big)
        assert tracemalloc.get_traced_memory()[1] < 150_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_rules_survive_a_hundred_thousand(seed: int) -> None:
    assert storm(1_000 + seed, 10_000) > 1_000
