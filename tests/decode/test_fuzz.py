"""Nothing that stands in a file makes the loader raise."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.cli.console import print_diagnostics
from jobs.decode import load_bytes
from jobs.model.fields import FIELDS
from jobs.read.toml_tree import dotted, quoted

HERE = Path(__file__).parent
SEEDS = sorted((HERE / "good").glob("*.toml"))
EXTRA = [
    b"\0",
    b"\xff",
    b"\r",
    b"\xe2\x80\xa8",
    b"'",
    b'"',
    b"[",
    b"]",
    b"{",
    b"}",
    b"=",
    b".",
    b"\\",
    b"#",
    b"\n",
    b"-1",
    b"true",
]


def check(data: bytes) -> None:
    """Load, and hold the result against what every result has."""
    loaded = load_bytes(data, "jobs.toml")
    assert (loaded.manifest is None) == bool(loaded.diagnostics)
    for diagnostic in loaded.diagnostics:
        assert diagnostic.place is not None
        assert diagnostic.fix is not None
        assert "\n" not in diagnostic.message + diagnostic.fix.text
        assert "{line}" not in diagnostic.message
    print_diagnostics(loaded.diagnostics, io.StringIO())


def edited(data: bytes, chance: random.Random) -> bytes:
    """The bytes after a few edits at random places."""
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(data) + 1)
        width = chance.choice([0, 1, 1, 2, 8, 40])
        other = chance.randrange(len(data) + 1)
        new = chance.choice([b"", chance.choice(EXTRA), data[other : other + chance.choice([1, 5, 60])]])
        data = data[:at] + new + data[at + width :]
    return data


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.stem)
def test_edits_at_random_places(path: Path) -> None:
    data = path.read_bytes()
    for seed in range(250):
        check(edited(data, random.Random(seed)))


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.stem)
def test_files_cut_off(path: Path) -> None:
    data = path.read_bytes()
    for end in range(0, len(data), 17):
        check(data[:end])


def written(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return "[" + ", ".join(written(one) for one in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{dotted([name])} = {written(one)}" for name, one in value.items()) + "}"
    return str(value)


# Strings that some key reads, numbers beside their bounds, and tables with the keys of the table of keys.
WORDS = st.one_of(
    st.text(max_size=6),
    st.sampled_from(
        ["", "45m", "09:30", "mon-fri 24:00", "* * * * *", "today", "off", "day", "success", "claude", "~", "~/x", "$HOME",
         "/x", "022", "10MB", "Asia/Tokyo", "http://x", "guard", "\0", "a\nb", "com.apple.launchd", "catchup", "(", "x y"]
    ),
)  # fmt: skip
NAMES = st.one_of(
    st.sampled_from(
        sorted({field.name for field in FIELDS} | {"Nice", "Sockets", "KeepAlive", "StartInterval", "PATH"})
    ),
    st.text(max_size=4),
)
VALUES = st.recursive(
    st.one_of(
        WORDS,
        st.integers(-5, 70),
        st.sampled_from([2**64, -(2**70)]),
        st.booleans(),
        st.sampled_from([1.5, 1e300]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=6,
)
TABLES = st.dictionaries(NAMES, VALUES, max_size=5)


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(
        st.one_of(
            st.sampled_from(
                [
                    "project",
                    "env",
                    "defaults",
                    "guards.claude",
                    "catchup",
                    "lint",
                    "jobs.a",
                    "jobs.b",
                    "jobs.A",
                ]
            ),
            st.just("jobs"),
        ),
        TABLES,
    )
)
def test_tables_of_known_keys_with_any_values(tables: dict[str, dict[str, Any]]) -> None:
    text = "version = 1\n"
    for header, table in tables.items():
        text += f"[{header}]\n" + "".join(
            f"{dotted([name])} = {written(value)}\n" for name, value in table.items()
        )
    check(text.encode("utf-8", errors="replace"))


@given(st.binary(max_size=60))
def test_any_bytes(data: bytes) -> None:
    check(data)
