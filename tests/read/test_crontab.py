"""The rows of a crontab."""

from __future__ import annotations

import pytest

from jobs.read.crontab import Assignment, Comment, Entry, Fault, parse_crontab, split_command
from jobs.text import SourceFile


def entry(line: str, *, user_column: bool = False) -> Entry:
    (row,) = parse_crontab(SourceFile("crontab", line), user_column=user_column).rows
    assert isinstance(row, Entry)
    return row


@pytest.mark.parametrize(
    ("line", "schedule", "command", "stdin", "user"),
    [
        ("* * * * * a", "* * * * *", "a", None, None),
        ("  0\t4 1-5/2 jan mon\ta b  c ", "0\t4 1-5/2 jan mon", "a b  c", None, None),
        ("@daily a", "@daily", "a", None, None),
        ("@reboot X=1 a", "@reboot", "X=1 a", None, None),
        ("0 0 * * * X=1 a", "0 0 * * *", "X=1 a", None, None),
        ("0 0 * * * date +\\%F", "0 0 * * *", "date +%F", None, None),
        ("0 0 * * * cat%a%b\\%c", "0 0 * * *", "cat", "a\nb%c", None),
        ("0 0 * * * cat%", "0 0 * * *", "cat", "", None),
        ("0 0 * * * a\r", "0 0 * * *", "a", None, None),
    ],
)
def test_entries(line: str, schedule: str, command: str, stdin: str | None, user: str | None) -> None:
    row = entry(line)
    assert (row.schedule, row.command, row.stdin, row.user) == (schedule, command, stdin, user)


def test_user_column() -> None:
    row = entry("17 * * * * root cd / && run-parts x", user_column=True)
    assert (row.user, row.command) == ("root", "cd / && run-parts x")
    assert entry("@daily kim a", user_column=True).user == "kim"


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("PATH=/usr/bin:/bin", "PATH", "/usr/bin:/bin"),
        ("A = b c ", "A", "b c"),
        ('A="b c "', "A", "b c "),
        ("'A'='b'", "A", "b"),
        ('MAILTO=""', "MAILTO", ""),
        ("A=", "A", ""),
        ("A=b=c # no comment", "A", "b=c # no comment"),
    ],
)
def test_assignments(line: str, name: str, value: str) -> None:
    (row,) = parse_crontab(SourceFile("crontab", line)).rows
    assert isinstance(row, Assignment)
    assert (row.name, row.value) == (name, value)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("* * * *", "five fields"),
        ("hello", "five fields"),
        ("* * * * *", "no command"),
        ("@daily", "no command"),
        ("* * * * * %x", "before the %"),
        ("* * * * * a\x01", "U+0001"),
        ("* * * * * a\udcff", "not UTF-8"),
        ("* * * * * \x7f", "U+007F"),
    ],
)
def test_faults(line: str, words: str) -> None:
    (row,) = parse_crontab(SourceFile("crontab", line)).rows
    assert isinstance(row, Fault)
    assert words in row.message


def test_places_and_comments() -> None:
    rows = parse_crontab(SourceFile("c", "# a\n\n  * * * * *  run me\n")).rows
    assert [type(row) for row in rows] == [Comment, Comment, Entry]
    assert str(rows[2].place) == "c:3:3"


def test_split_command_leaves_other_backslashes() -> None:
    assert split_command("a\\b \\\\% c") == ("a\\b \\% c", None)
