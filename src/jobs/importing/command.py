"""Commands: what was meant by words that launchd does not expand or split, and how the manifest says them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from jobs.model.macos_programs import STANDARD_PROGRAMS

ENV = "/usr/bin/env"
SHELL = "/bin/sh"
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "csh", "tcsh", "fish"})
_HOME = re.compile(r"(?:~|\$HOME|\$\{HOME\})(?=/|$)")
_INTERPRETER = re.compile(r"(?:python|ruby|perl|php|node|osascript)[0-9.]*")
_SCRIPT = re.compile(r"\.(?:sh|bash|zsh|py|rb|pl|js|php|command)$")
_BIN = re.compile(r"(?:^|/)s?bin$")
_OPERATORS = frozenset({"&&", "||", "|", ";", ">", ">>", "<", "2>", "2>&1", "&"})


def with_home(text: str, home: str) -> str:
    """The text with ~, $HOME or ${HOME} at its beginning replaced."""
    found = _HOME.match(text)
    return f"{home}{text[found.end() :]}" if found else text


def path_with_home(value: str, home: str) -> str:
    """A value of PATH with the home folder written out in each of its folders."""
    return ":".join(with_home(folder, home) for folder in value.split(":"))


def holds_code(argv: Sequence[str]) -> bool:
    """Whether the words hold program text, in which ~ and $ are somebody's to expand."""
    names = {PurePosixPath(word).name for word in argv[:4]}
    return bool(names & _SHELLS) or any(_INTERPRETER.fullmatch(name) for name in names)


def split_line(text: str) -> tuple[str, ...] | None:
    """The words of a text that is a whole command line, where launchd wants one word; None for the path of one program."""
    if not re.search(r"\s", text.strip()):
        return None
    first, *rest = text.split()
    name = PurePosixPath(first).name
    if set(rest) & _OPERATORS or first in {"cd", "source", ".", "export", "exec", "eval"}:
        return SHELL, "-c", text.strip()
    app = re.match(r".*?\.app/Contents/MacOS/(.*)", text)
    if app:  # the name of an app's program may hold blanks; an option may not
        if not re.search(r"\s--?[A-Za-z]", app[1]):
            return None
    elif not (
        ("/" not in first and (name in STANDARD_PROGRAMS or _INTERPRETER.fullmatch(name)))
        or _SCRIPT.search(first)
        or _BIN.search(str(PurePosixPath(first).parent))
        or any(re.match(r"--?[A-Za-z]|~/|/|\$", word) for word in rest)
    ):
        return None
    try:
        words = tuple(shlex.split(text))
    except ValueError:
        return None
    return words or None


def glob_line(argv: Sequence[str], home: str) -> str | None:
    """The words as a line for the shell that expands wildcards as EnableGlobbing does; None if none could."""
    if any("\\" in word and re.search(r"[*?\[]", word) for word in argv):
        return None
    return "exec " + " ".join(
        _pattern(with_home(word, home) if word.startswith("~") else word) for word in argv
    )


def _pattern(word: str) -> str:
    """A word of shell in which only wildcards are left to the shell."""
    if not re.search(r"[*?\[]", word):
        return shlex.quote(word)
    parts = re.split(r"([*?]|\[[^\]/]+\])", word)
    return "".join(
        part if index % 2 else shlex.quote(part) if part else "" for index, part in enumerate(parts)
    )


def run_value(argv: Sequence[str], variables: Mapping[str, str]) -> list[str] | str:
    """The value of `run`: a line when the words are one for /bin/sh; `variables` are set by env(1) on the way."""
    if variables:
        return [ENV, *(f"{name}={value}" for name, value in variables.items()), *argv]
    if len(argv) == 3 and tuple(argv[:2]) == (SHELL, "-c"):
        text = argv[2]
        if text.strip() and not re.search(r"\$\{?0", text):  # $0 would be the job's name
            return text
    return list(argv)


def unwrapped(argv: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """The words behind `/usr/bin/env NAME=VALUE …`, and the variables."""
    if not argv or argv[0] != ENV:
        return tuple(argv), {}
    found: dict[str, str] = {}
    for index, word in enumerate(argv[1:], start=1):
        name, equals, value = word.partition("=")
        if not equals or name.startswith("-"):
            return (tuple(argv[index:]), found) if found else (tuple(argv), {})
        found[name] = value
    return tuple(argv), {}
