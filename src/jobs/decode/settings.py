"""The tables beside the jobs: `[guards]`, `[catchup]`, `[lint]`."""

from __future__ import annotations

import re

from jobs.decode.reader import Reader
from jobs.model.fields import TOOLS
from jobs.model.job import CatchupSettings, Guard, LintSettings, Window
from jobs.read.nodes import Array, Node, Table
from jobs.read.toml_tree import dotted, quoted

COOLDOWN_S = Guard("").cooldown_s


def decode_guards(node: Node | None, read: Reader) -> tuple[Guard, ...]:
    """The guards in the order of the file."""
    guards: list[Guard] = []
    spelled: dict[str, str] = {}
    for name, entry in read.entries(node).items():
        other = spelled.setdefault(name.lower(), name)
        if other != name:
            message = f"the guards {dotted([other])} and {dotted([name])} differ only in case: on a Mac they are one file"
            read.findings.add("M006", entry.key, message, "give one of them another name")
        if isinstance(entry.node, Table):
            guards.append(_guard(name, entry.node, read))
    return tuple(guards)


def _guard(name: str, table: Table, read: Reader) -> Guard:
    tool = read.string(table.node("tool"))
    patterns = tuple(_patterns(table.node("patterns"), read))
    if "tool" not in table.entries and "patterns" not in table.entries:
        if name in TOOLS:
            tool = name
        else:
            fix = f"add tool = \"{TOOLS[0]}\" (or another built-in one), or patterns = ['…']"
            read.findings.add(
                "M005",
                table.span,
                f"[{dotted(['guards', name])}] has neither `tool` nor `patterns`: it could never open",
                fix,
            )
    cooldown = read.duration(table.node("cooldown"), "cooldown")
    probe = read.argv(table.node("probe"), "probe")
    return Guard(name, tool, patterns, COOLDOWN_S if cooldown is None else cooldown, probe)


def _patterns(node: Node | None, read: Reader) -> list[str]:
    """Regular expressions that Python's re accepts and that do not match everything."""
    good: list[str] = []
    for item, text in read.strings(node if isinstance(node, Array) else None):
        try:
            empty = re.compile(text).match("") is not None
        except (re.error, OverflowError, RecursionError) as error:
            where = (
                f" at its character {error.pos + 1}"
                if isinstance(error, re.error) and error.pos is not None
                else ""
            )
            reason = error.msg if isinstance(error, re.error) else "it is too large"
            message = f"{quoted(text)} is not a regular expression: {reason}{where}"
            read.findings.add(
                "M004", item.span, message, "write one as Python's re reads it, in single quotes"
            )
            continue
        if empty:
            message = f"{quoted(text)} matches an empty line: it would see a limit everywhere"
            read.findings.add("M004", item.span, message, "write the words that the tool prints at its limit")
            continue
        good.append(text)
    return good


def decode_window(node: Node | None, subject: str, read: Reader) -> Window | None:
    """`"today"`, or seconds; None when it is not given or wrong."""
    text = read.string(node)
    if (
        node is not None
        and text is not None
        and text != "today"
        and not any(letter.isdigit() for letter in text)
    ):
        message = f'`{subject}` is {quoted(text)}: it must be "today" or a duration'
        read.findings.add("M004", node.span, message, 'write "today", or a duration such as "6h"')
        return None
    return "today" if text == "today" else read.duration(node, subject)


def decode_catchup(table: Table, read: Reader) -> CatchupSettings:
    """The settings of catching up, with defaults for what is not given."""
    standard = CatchupSettings()
    every: int | None = standard.every_s
    node = table.node("every")
    if read.boolean(node) is False or read.string(node) == "off":
        every = None
    elif node is not None:
        every = read.duration(node, "every")
        if every is not None and every < 60:
            message = (
                f"`every` is {quoted(read.string(node) or '')}: the catch-up job looks once a minute at most"
            )
            read.findings.add("M004", node.span, message, 'write "1m" or more')
    timeout = read.duration(table.node("timeout"), "timeout")
    pause = read.duration(table.node("pause"), "pause", zero=True)
    return CatchupSettings(
        every_s=every,
        window=decode_window(table.node("window"), "window", read) or standard.window,
        timeout_s=standard.timeout_s if timeout is None else timeout,
        pause_s=standard.pause_s if pause is None else pause,
    )


def decode_lint(node: Node | None, read: Reader) -> LintSettings:
    """The settings of the linter; whether a code exists is the linter's to say."""
    table = read.entries(node)
    select = table.get("select")
    ignore = table.get("ignore")
    level = table.get("fail_on")
    text = read.string(level.node) if level is not None else None
    return LintSettings(
        select=tuple(code for _, code in read.strings(select.node)) if select is not None else (),
        ignore=tuple(code for _, code in read.strings(ignore.node)) if ignore is not None else (),
        fail_on="info" if text == "info" else "error" if text == "error" else "warning",
    )
