"""Durations, sizes, umasks and paths."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.decode.paths import PathError, expand
from jobs.decode.units import (
    LONGEST_S,
    UnitError,
    format_duration,
    parse_duration,
    parse_size,
    parse_umask,
)

READ = [
    (parse_duration, "90s", 90),
    (parse_duration, "45m", 2700),
    (parse_duration, "6h", 21_600),
    (parse_duration, "1h30m", 5400),
    (parse_duration, "2d", 172_800),
    (parse_duration, "1d1h1m1s", 90_061),
    (parse_duration, "90m", 5400),
    (parse_duration, "007m", 420),
    (parse_duration, "366d", LONGEST_S),
    (parse_size, "512KB", 512_000),
    (parse_size, "10MB", 10_000_000),
    (parse_size, "1MiB", 1_048_576),
    (parse_size, "1000", 1000),
    (parse_size, "2GB", 2_000_000_000),
    (parse_umask, "022", 0o22),
    (parse_umask, "0077", 0o77),
]


@pytest.mark.parametrize(("parse", "text", "expected"), READ, ids=[row[1] for row in READ])
def test_what_is_read(parse: Callable[[str], int], text: str, expected: int) -> None:
    assert parse(text) == expected


REFUSED = [
    (parse_duration, "", 'write one, such as "45m"'),
    (parse_duration, "0s", "write a duration above zero, or leave the key out"),
    (parse_duration, "45", 'write "45s" for seconds or "45m" for minutes'),
    (parse_duration, "-5m", "write a duration above zero"),
    (parse_duration, "45 minutes", 'write "45m"'),
    (parse_duration, "1.5h", 'write "1h30m"'),
    (parse_duration, "1h 30m", 'write "1h30m"'),
    (parse_duration, "30m1h", 'write "1h30m"'),
    (parse_duration, "45M", 'write "45m"'),
    (parse_duration, "1w", 'write "7d"'),
    (parse_duration, "1 hour and 5 min", 'write "1h5m"'),
    (parse_duration, "500ms", 'write one, such as "90s", "45m", "6h" or "1h30m"'),
    (parse_duration, "5m\n", 'write "5m"'),
    (parse_duration, "５m", 'write "5m"'),
    (parse_duration, "367d", 'write at most "366d"'),
    (parse_duration, "9" * 5000 + "d", 'write at most "366d"'),
    (parse_duration, "soon", 'write one, such as "90s", "45m", "6h" or "1h30m"'),
    (parse_size, "10 MB", 'write "10MB"'),
    (parse_size, "10mb", 'write "10MB"'),
    (parse_size, "10M", 'write "10MB"'),
    (parse_size, "1 mib", 'write "1MiB"'),
    (parse_size, "big", 'write one, such as "512KB" or "10MB"'),
    (parse_size, "10B", 'write at least "1KB"'),
    (parse_size, "9" * 5000, 'write at most "1000GB"'),
    (parse_umask, "22", 'write "022"'),
    (parse_umask, "0o027", 'write "027"'),
    (parse_umask, "0", 'write "000"'),
    (parse_umask, "089", 'write three digits from 0 to 7, such as "022"'),
    (parse_umask, "rwx", 'write three digits from 0 to 7, such as "022"'),
]


@pytest.mark.parametrize(("parse", "text", "fix"), REFUSED, ids=[repr(row[1][:20]) for row in REFUSED])
def test_what_is_refused(parse: Callable[[str], int], text: str, fix: str) -> None:
    with pytest.raises(UnitError) as caught:
        parse(text)
    assert caught.value.fix == fix


def test_nothing_is_a_duration_where_it_means_something() -> None:
    assert parse_duration("0s", zero=True) == 0


@given(st.integers(1, LONGEST_S))
def test_a_duration_is_read_as_it_is_written(seconds: int) -> None:
    assert parse_duration(format_duration(seconds)) == seconds


@given(st.text(alphabet="0123456789dhmswk .,-KMGiB", max_size=12))
def test_any_text_is_a_quantity_or_an_error(text: str) -> None:
    for parse in (parse_duration, parse_size, parse_umask):
        with suppress(UnitError):
            assert parse(text) >= 0


PATHS = [
    ("/a/b", "/a/b"),
    ("~", "/Users/kim"),
    ("~/x", "/Users/kim/x"),
    ("x/y", "/r/x/y"),
    ("./x", "/r/x"),
    (".", "/r"),
    ("../x", "/r/../x"),
    ("/a//b/./c/", "/a/b/c"),
    ("a b/日本", "/r/a b/日本"),
    ("/a/~/b", "/a/~/b"),
    ("cost$", "/r/cost$"),
]


@pytest.mark.parametrize(("text", "expected"), PATHS, ids=[row[0] for row in PATHS])
def test_paths(text: str, expected: str) -> None:
    assert expand(text, "/r", "/Users/kim") == expected


BAD_PATHS = [
    ("$HOME/x", 'write "~/x"'),
    ("${HOME}/x", 'write "~/x"'),
    ("/a/$HOME", 'write "/a//Users/kim"'),
    ("$PWD/x", 'write "/r/x"'),
    ("$TMPDIR/x", "write the path itself; ~ stands for home, and a relative path is under root"),
    ("~kim/x", 'write the path itself, such as "/Users/kim/x"'),
    ("", "write a path, or leave the key out"),
    (" ", "write a path, or leave the key out"),
    ("a\x01b", "take it out"),
]


@pytest.mark.parametrize(("text", "fix"), BAD_PATHS, ids=[repr(row[0]) for row in BAD_PATHS])
def test_paths_that_nothing_expands(text: str, fix: str) -> None:
    with pytest.raises(PathError) as caught:
        expand(text, "/r", "/Users/kim")
    assert caught.value.fix == fix
    assert caught.value.code == ("M008" if "\x01" in text else "M004")
