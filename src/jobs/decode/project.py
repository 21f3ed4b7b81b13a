"""The `[project]` table."""

from __future__ import annotations

import posixpath
import re

from jobs.decode.node import Node
from jobs.decode.values import Paths, printable
from jobs.model.fields import fields_of
from jobs.model.job import Project

RESERVED = ("com.apple.launchd", "com.apple.launchctl")
"""Prefixes of labels that launchd refuses, in any case (launchd-842, core.c, jobmgr_label_test)."""


def decode_project(top: Node) -> tuple[Project, Paths]:
    """The project and how its paths are read.

    What is missing or wrong has been reported and is stood in for, so that the rest of the file is judged, too.
    """
    node = top.child("project") or Node(top.problems, ("project",), {})
    home, root = _absolute(node, "home") or "/Users/you", _root(node) or "/Users/you/project"
    _check_prefix(node)
    paths = Paths(root, home)
    name = node.get("name") or "project"
    path = tuple(_path_entry(node, paths, index, text) for index, text in node.entries("path"))
    user = node.get("user") or posixpath.basename(home)
    if "user" in node and not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*", user):
        node.report(
            "user",
            "M004",
            f'"{user}" cannot be the name of a user',
            "write the short name, as `id -un` prints it",
        )
    output = node.get("output") or "generated"
    if output.startswith(("/", "~")) or ".." in output.split("/") or posixpath.normpath(output) == ".":
        node.report(
            "output",
            "M004",
            f'`output` is "{output}", but must be a folder of its own under root',
            'write output = "generated"',
        )
    default_path = tuple(fields_of("project")["path"].default)
    return (
        Project(
            name=name,
            prefix=node.get("prefix") or "com.example",
            root=root,
            home=home,
            user=user,
            path=tuple(entry for entry in path if entry) or default_path,
            logs=paths.read(node, "logs") or f"{home}/Library/Logs/{name}",
            state=paths.read(node, "state") or f"{home}/Library/Application Support/{name}",
            output=posixpath.normpath(output),
            domain=node.get("domain") or "gui",
        ),
        paths,
    )


def _absolute(node: Node, key: str) -> str | None:
    text: str | None = node.get(key)
    if text is None:
        return None
    fault = Paths("/", "/").fault(text)
    if not text.startswith("/") or fault:
        node.report(
            key,
            "M004",
            f'`{key}` is "{text}", but must be an absolute path',
            f'write it out, such as {key} = "/Users/kim"',
        )
        return None
    return posixpath.normpath(text)


def _root(node: Node) -> str | None:
    """The root; it may begin with ~ when home is known."""
    text, home = node.get("root"), node.get("home")
    if (
        isinstance(text, str)
        and isinstance(home, str)
        and home.startswith("/")
        and (text == "~" or text.startswith("~/"))
    ):
        return posixpath.normpath(home + text[1:])
    return _absolute(node, "root")


def _path_entry(node: Node, paths: Paths, index: int, text: str) -> str | None:
    if ":" in text:
        message, fix = (
            f'`path` holds "{text}": a colon separates folders',
            "write each folder as an entry of its own",
        )
        node.report("path", "M004", message, fix, index=index)
        return None
    if not text.startswith(("/", "~", "$")) and not paths.fault(text):
        message, fix = f'`path` holds "{text}", which is not absolute', f'write "{paths.expand(text)}"'
        node.report("path", "M004", message, fix, index=index)
        return None
    return paths.judge(node, "path", text, index)


def _check_prefix(node: Node) -> None:
    prefix = node.get("prefix")
    if prefix is None:
        return
    if not printable(prefix) or "/" in prefix:
        node.report(
            "prefix",
            "M008",
            "`prefix` holds a character that no label may hold",
            'write it in reverse domain form: prefix = "com.example"',
        )
    elif prefix.lower().startswith(RESERVED):
        node.report(
            "prefix",
            "M004",
            f'`prefix` is "{prefix}": launchd refuses labels that begin so',
            'use a name of your own: prefix = "com.example"',
        )
    elif not re.fullmatch(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", prefix):
        node.report(
            "prefix",
            "M004",
            f'`prefix` is "{prefix}": a label is best of letters, digits, . - and _',
            'write it in reverse domain form: prefix = "com.example"',
        )
    elif len(prefix) > 120:
        node.report("prefix", "M004", f"`prefix` is {len(prefix)} characters long", "use at most 120")
