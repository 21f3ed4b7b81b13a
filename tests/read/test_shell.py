"""Scripts read into a tree: statements, words, places, and what cannot be read."""

from __future__ import annotations

import pytest

from jobs.read.shell import is_shell, read_script, shell_of
from jobs.read.shell.flow import leaves, outcome, premises
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Command
from jobs.read.shell.values import values_of


def names(text: str) -> list[str]:
    """The names of the commands that are found."""
    return [command.name for command in read_script("a.sh", text).commands if command.words]


def first(script: Script, name: str) -> Command:
    return script.calls[name][0]


COMMANDS = [
    ("list", "a && b || c; d & e\nf", ["a", "b", "c", "d", "e", "f"]),
    ("pipeline", "! a | b |& c", ["a", "b", "c"]),
    ("if", "if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]),
    (
        "loops",
        "while a; do b; done; until c; do d; done; for i in x; do e; done; for j do f; done",
        list("abcdef"),
    ),
    ("arithmetic-for", "for ((i=0;i<3;i++)); do a; done", ["a"]),
    ("case", "case $(a) in (x|y) b;; z) c ;& *) d\nesac", ["a", "b", "c", "d"]),
    ("groups", "{ a; }; ( b; c ) 9>x", ["a", "b", "c"]),
    ("functions", "f() { a; }\nfunction g { b; }\nfunction h() ( c )", ["a", "b", "c"]),
    ("substitutions", 'x=$(a "$(b)" `c`); d <(e) >(f) "${x:-$(g)}" $(( $(h) + 1 ))', list("abcdefgh").copy()),
    ("arithmetic-or-subshells", "a=$((1+2)); b $( (c) ); ((x > 1)) && d", ["b", "c", "((", "d"]),
    ("redirects", "a 2>&1 >x <y; >z; exec 9<>w; b &>v &", ["a", "exec", "b"]),
    ("here-documents", "a <<E; b\n c $(d)\nE\ne <<-'F' | f\n\t$(no)\n\tF\ng", ["a", "b", "e", "f", "g"]),
    ("here-document-in-if", "if a <<E; then\nx\nE\nb; fi", ["a", "b"]),
    ("two-here-documents", "a <<A <<B\n1\nA\n2\nB\nb", ["a", "b"]),
    ("here-string", "a <<< 'x y'; b", ["a", "b"]),
    ("comments", "a # b\n# c\nd '#'e #f", ["a", "d"]),
    ("quotes", "a 'b;c' \"d;e$f\" g\\;h $'i\\';j'; k", ["a", "k"]),
    ("continued", "a \\\n b\nc", ["a", "c"]),
    ("assignments", "A=1 B=$(x)\nC=(1 2\n3)\nD+=(a)\ny", ["x", "y"]),
    ("reserved-words-as-arguments", "echo if then fi done { }; a", ["echo", "a"]),
    ("tests", "[ a = b ] && [[ $x =~ ^(a|b)$ && -f y ]] || test z", ["[", "[[", "test"]),
    ("crlf", "if a; then\r\n b\r\nfi\r\n", ["a", "b"]),
    ("behind-exit", 'a\nexit 0\n)(`"', ["a", "exit"]),
]


@pytest.mark.parametrize(
    ("text", "expected"), [row[1:] for row in COMMANDS], ids=[row[0] for row in COMMANDS]
)
def test_commands(text: str, expected: list[str]) -> None:
    script = read_script("a.sh", text)
    found = names(text)
    assert sorted(found) == sorted(expected)
    assert script.faults == ()


FAULTS = [
    "if a; then b",
    "a (b",
    "echo 'a",
    'echo "a',
    "x=$(a",
    "fi",
    "f() {",
    "case x in a) b",
    "a ;; b",
    "[[ a",
    "a >",
    "${x",
]


@pytest.mark.parametrize("text", FAULTS)
def test_what_cannot_be_read_is_a_fault(text: str) -> None:
    assert read_script("a.sh", text).faults


def test_reading_goes_on_behind_a_fault() -> None:
    assert names("a\necho (x\nb\n") == ["a", "b"]


def test_places_count_characters() -> None:
    script = read_script("a.sh", "echo 日本; tac 語\n")
    place = script.of(first(script, "tac"))
    assert (place.line, place.column, place.end_column) == (1, 10, 15)


def test_places_in_handlers_and_texts_are_those_of_the_file() -> None:
    script = read_script("a.sh", "x\ntrap 'a; rm -f \"$L\"' EXIT\n")
    block = script.traps[0].block
    assert block is not None
    assert script.slice(block.items[1].start, block.items[1].end) == 'rm -f "$L"'


@pytest.mark.parametrize(
    "text",
    [
        "$(" * 500,
        "((" * 500,
        "{ " * 3000,
        "if a; then " * 2000,
        "${x:-" * 500,
        "`" * 4001,
        "a && " * 20000 + "b",
        "a | " * 20000 + "b",
        "case x in " * 500,
        "<<E " * 500,
        "f() " * 3000,
        "\\" * 10001,
        '"$(' * 300,
    ],
    ids=lambda text: text[:6],
)
def test_deep_and_long_texts_end(text: str) -> None:
    script = read_script("a.sh", text)
    assert script.faults or script.commands


def test_a_text_too_large_is_said_to_be() -> None:
    (fault,) = read_script("a.sh", "true\n" * 250_000).faults
    assert "too large" in fault.message


SHELLS = [
    ("#!/bin/sh", "a", "macos-sh"),
    ("#! /bin/bash -e", "a", "macos-bash"),
    ("#!/usr/bin/env bash", "a", "env-bash"),
    ("#!/usr/bin/env -S bash -e", "a", "env-bash"),
    ("#!/usr/local/bin/bash", "a", "other"),
    ("#!/usr/bin/env zsh", "a", "env-zsh"),
    ("#!/bin/zsh", "a", "macos-zsh"),
    ("#!/bin/dash", "a", "other"),
    ("true", "a.sh", "macos-sh"),
    ("true", "a.zsh", "macos-zsh"),
    ("true", "a.bash", "macos-bash"),
]


@pytest.mark.parametrize(("line", "path", "shell"), SHELLS)
def test_shell(line: str, path: str, shell: str) -> None:
    assert shell_of(path, line + "\n") == shell


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a", "#!/bin/sh\n", True),
        ("a", "#!/usr/bin/env python3\n", False),
        ("a.sh", "x", True),
        ("a.py", "x", False),
        ("a.sh", "#!/usr/bin/perl\n", False),
    ],
)
def test_is_shell(path: str, text: str, expected: bool) -> None:
    assert is_shell(path, text) is expected


VALUES = [
    ("plain", "L=/a/b; x $L", "/a/b"),
    ("braces-and-quotes", 'D=/a; L="${D}/b"; x "$L"', "/a/b"),
    ("default", "L=${L:-/a}; x $L", "/a"),
    ("unset-default", "x ${L:-/a}", "/a"),
    ("two-values", "L=/a; L=/b; x $L", "$L"),
    ("emptied-first", "L=; L=/b; x $L", "/b"),
    ("argument", 'f() { x "$1"; }; f /a', "/a"),
    ("two-arguments", 'f() { x "$1"; }; f /a; f /b', "$f:1"),
    ("local", "f() { local L=/b; x $L; }; L=/a", "/b"),
    ("read", "read L; x $L", "$L"),
    ("circle", "A=$B; B=$A; x $A", "$A"),
    ("expansion", "L=/a/b; x ${L%/*}", "${L%/*}"),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in VALUES], ids=[row[0] for row in VALUES])
def test_value(text: str, expected: str) -> None:
    script = read_script("a.sh", text)
    call = first(script, "x")
    assert values_of(script).text(call.arguments[0], call) == expected


FAILURES = [
    ("or", "x || { echo no; exit 3; }", "3"),
    ("and", "x && y", None),
    ("if-not", "if ! x; then exit 4; fi", "4"),
    ("else", "if x; then y; else exit 5; fi", "5"),
    ("status", "x\nif [ $? -ne 0 ]; then exit 6; fi", "6"),
    ("status-equal", "x\nif [ $? -eq 0 ]; then y; else exit 7; fi", "7"),
    ("status-variable", 'x\nrc=$?\nif [ "$rc" != 0 ]; then exit 8; fi', "8"),
    ("function", "f() { x; }\nf || exit 9", "9"),
    ("returned", "f() { x || return 1; }\nif ! f; then exit 10; fi", "10"),
    ("negated-return", "f() { x || return 0; return 1; }\nf && exit 11", "11"),
    ("die", "die() { echo no; exit 12; }\nx || die", "12"),
    ("pipe", "x | y || exit 13", None),
    ("pipefail", "set -o pipefail\nx | y || exit 14", "14"),
    ("subshell", "( x ) || exit 15", "15"),
    ("assignment", "v=$(x) || exit 16", "16"),
    ("local-hides", "f() { local v=$(x) || exit 17; }", None),
    ("background", "x & wait || exit 18", None),
]


@pytest.mark.parametrize(("text", "status"), [row[1:] for row in FAILURES], ids=[row[0] for row in FAILURES])
def test_failure_leads_to(text: str, status: str | None) -> None:
    script = read_script("a.sh", text)
    leave = leaves(script, outcome(script, first(script, "x")).failure)
    assert (leave.status if leave else None) == status


PREMISES = [
    ("branch", "if a; then x; fi", [("a", True)]),
    ("else", "if a; then b; else x; fi", [("a", False)]),
    ("elif", "if a; then b; elif c; then x; fi", [("c", True), ("a", False)]),
    ("or", "a || x", [("a", False)]),
    ("gate", "a || exit 1\nx", [("a", True)]),
    ("if-gate", "if a; then exit; fi\nx", [("a", False)]),
    ("loop", "while a; do x; done", [("a", True)]),
    ("caller", "f() { x; }\na && f", [("a", True)]),
]


@pytest.mark.parametrize(
    ("text", "expected"), [row[1:] for row in PREMISES], ids=[row[0] for row in PREMISES]
)
def test_premises(text: str, expected: list[tuple[str, bool]]) -> None:
    script = read_script("a.sh", text)
    found = [
        (script.slice(each.condition.start, each.condition.end), each.holds)
        for each in premises(script, first(script, "x"))
    ]
    assert sorted(found) == sorted(expected)
