"""Which scripts macOS's own shells and tools run, and where a call is unguarded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.lint.shell.operations import calls_of
from jobs.lint.shell.platform import (
    adds_gnu_path,
    asks_for_variant,
    has_fallback,
    is_provided,
    runs_on_macos,
)
from jobs.read.shell.flow import outcome
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Command, Node, Word, walk

VERSION = re.compile(r"BASH_VERSINFO|BASH_VERSION\b|/(homebrew|local)/bin/bash|/(nix|opt/local)/\S*bash")


def old_bash(script: Script) -> bool:
    """Whether the script is run by bash 3.2, macOS's own, and does not look at the version itself."""
    if script.shell not in ("macos-sh", "macos-bash", "env-bash"):
        return False
    return not VERSION.search(script.source.text)


def system_tools(script: Script) -> bool:
    """Whether the script finds macOS's own tools under their names."""
    return script.shell != "other" and not adds_gnu_path(script)


def on_old_bash(script: Script, node: Node) -> bool:
    """Whether a statement runs on macOS under bash 3.2."""
    return runs_on_macos(script, node)


def unguarded(script: Script, *names: str) -> Iterator[tuple[str, Command, tuple[Word, ...]]]:
    """The calls of these tools that macOS runs and that have no other way beside them: name, command, arguments."""
    if not system_tools(script):
        return
    for name, command, arguments in calls_of(script, *names):
        if name in script.functions or _elsewhere(command, name):
            continue
        if any(
            word.shape.startswith(name + "=")
            for call in script.calls.get("alias", ())
            for word in call.arguments
        ):
            continue
        if not runs_on_macos(script, command) or has_fallback(script, command):
            continue
        if asks_for_variant(script, command, name) or is_probe(script, command):
            continue
        yield name, command, arguments


def missing(script: Script, *names: str) -> Iterator[tuple[str, Command]]:
    """The calls of tools that macOS lacks, where nothing in the script makes sure of them."""
    if not system_tools(script):
        return
    for name, command, _arguments in calls_of(script, *names):
        if _elsewhere(command, name) or is_provided(script, name):
            continue
        if runs_on_macos(script, command) and not has_fallback(script, command):
            yield name, command


def _elsewhere(command: Command, name: str) -> bool:
    """Whether the call names another folder than the system's own."""
    written = next((word.shape for word in command.words if word.shape.rsplit("/", 1)[-1] == name), name)
    return "/" in written and not re.match(r"/(usr/)?s?bin/", written)


def is_probe(script: Script, command: Command) -> bool:
    """Whether a call only finds out what the tool can: nothing variable in it, no output, and the status tested."""
    quiet = any(
        redirect.target.literal == "/dev/null" and redirect.fd in ("", "1") for redirect in command.redirects
    )
    return quiet and not any(word.variables() for word in command.words) and outcome(script, command).tested


def name_word(command: Command, name: str) -> Word:
    """The word in which a command's name stands (behind sudo, env …)."""
    return next((word for word in command.words if word.shape.rsplit("/", 1)[-1] == name), command.words[0])


def option(arguments: tuple[Word, ...], pattern: str) -> Word | None:
    """The first option that matches, `--` ends them."""
    matcher = re.compile(pattern)
    for word in arguments:
        text = word.shape
        if text == "--":
            return None
        if text.startswith("-") and matcher.fullmatch(text):
            return word
    return None


def nodes(script: Script) -> Iterator[Node]:
    """Every statement, of the handlers of traps too."""
    yield from script.nodes
    for trap in script.traps:
        if trap.block is not None:
            yield from walk(trap.block)
