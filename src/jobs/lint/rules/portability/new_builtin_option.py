"""B005: options of builtins that bash 3.2 lacks."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.platform import has_fallback, runs_on_macos
from jobs.lint.shell.tools import old_bash, option
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Command, Loop, Word

SHOPT = frozenset(
    [
        "globstar",
        "lastpipe",
        "inherit_errexit",
        "autocd",
        "dirspell",
        "checkjobs",
        "globasciiranges",
        "localvar_inherit",
        "assoc_expand_once",
        "direxpand",
    ]
)
OPTIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "wait": (
        ("-n", "wait for each process id"),
        ("-[nf]*p", "wait for each process id"),
        ("-f", "wait for each process id"),
    ),
    "declare": (
        ("-[a-zA-Z]*n[a-zA-Z]*", "use `${!name}` or eval"),
        ("-[b-zB-Z]*g[b-zB-Z]*", "assign without declare"),
        ("-[a-zA-Z]*[lu][a-zA-Z]*", "use tr"),
    ),
    "typeset": (
        ("-[a-zA-Z]*n[a-zA-Z]*", "use `${!name}` or eval"),
        ("-[b-zB-Z]*g[b-zB-Z]*", "assign without typeset"),
        ("-[a-zA-Z]*[lu][a-zA-Z]*", "use tr"),
    ),
    "local": (("-[a-zA-Z]*n[a-zA-Z]*", "use `${!name}` or eval"), ("-", "save and restore the options")),
    "read": (
        ("-[a-zA-Z]*N.*", "use `read -n`"),
        ("-[a-zA-Z]*i", "print the default yourself"),
        ("-[a-zA-Z]*t0?\\.[0-9]+", "use whole seconds"),
    ),
}
BRACES = re.compile(r"\{0\d+\.\.\d+\}|\{\d+\.\.0\d+\}|\{-?\w+\.\.-?\w+\.\.-?\d+\}")


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each option."""
    if not old_bash(script):
        return
    for command in script.commands:
        for word, what, instead in _new(command):
            if runs_on_macos(script, command) and not has_fallback(script, command):
                yield Finding(script.of(word), f"`{what}` is unknown to bash 3.2 of macOS", Fix(instead))
    for node in script.nodes:
        if isinstance(node, Loop) and runs_on_macos(script, node):
            for word, what, instead in _braces(node.values):
                yield Finding(script.of(word), f"`{what}` is unknown to bash 3.2 of macOS", Fix(instead))


def _braces(words: Iterable[Word]) -> Iterator[tuple[Word, str, str]]:
    for word in words:
        if "{" in word.raw and word.literal is not None and word.raw == word.literal:
            found = BRACES.search(word.literal)
            if found:
                yield word, found.group(), "use seq"


def _new(command: Command) -> Iterator[tuple[Word, str, str]]:
    name, arguments = command.name, command.arguments
    for pattern, instead in OPTIONS.get(name, ()):
        word = option(arguments, pattern)
        if word is not None:
            yield word, f"{name} {word.raw}", instead
    if name == "read":
        for word, value in itertools.pairwise(arguments):
            if re.fullmatch(r"-[a-zA-Z]*t", word.shape) and re.fullmatch(r"\d*\.\d+", value.shape):
                yield value, f"read -t {value.raw}", "use whole seconds"
    elif name == "printf" and arguments and "%(" in arguments[0].shape:
        yield arguments[0], f"printf {arguments[0].raw}", "use date"
    elif name in ("[[", "[", "test"):
        for index, word in enumerate(arguments[:-1]):
            if word.raw == "-v" and arguments[index + 1].shape not in ("=", "]", "]]"):
                yield word, f"{name} -v", 'write `[ -n "${name+set}" ]`'
    elif name == "shopt":
        for word in arguments:
            if word.literal in SHOPT:
                yield word, f"shopt -s {word.literal}", "do without it"
    for redirect in command.redirects:
        if redirect.fd.isidentifier():
            yield redirect.target, "{" + redirect.fd + "}>", "use a number"
    yield from _braces(command.words)


RULE = Rule(
    code="B005",
    name="new-builtin-option",
    title="An option of a builtin that bash 3.2 does not know",
    subject="script",
    severity=Severity.ERROR,
    why=(
        "`wait -n`, `declare -n`, `declare -g`, `[[ -v ]]`, `read -t 0.5`, `printf %(…)T`, `shopt -s globstar`, `exec {fd}>` and steps in `{1..9..2}` came with bash 4.0 to 5.1. Under 3.2 they fail, or do something else without a word."
    ),
    bad="""\
#!/bin/bash
a & b &
wait -n
""",
    good=(
        """\
#!/bin/bash
a & b &
wait
""",
        """\
#!/opt/homebrew/bin/bash
wait -n
""",
    ),
    exceptions="Silent under another bash (`#!/opt/homebrew/bin/bash`), and where the script looks at BASH_VERSINFO.",
    sources=("bash, CHANGES 4.0 to 5.1",),
    check=check,
)
