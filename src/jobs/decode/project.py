"""The `[project]` table."""

from __future__ import annotations

import re

from jobs.decode.paths import UNCARRIED, VARIABLE, PathError, expand, tidy, variable_fix
from jobs.decode.reader import Reader
from jobs.decode.suggest import listed
from jobs.model.fields import DEFAULT_PATH
from jobs.model.forms import NAME, PREFIX
from jobs.model.job import Domain, Project
from jobs.read.nodes import Array, Node, Table
from jobs.read.toml_tree import quoted

MAX_LABEL = 200
# Prefixes of labels that launchd refuses, in any case (launchd-842, core.c, jobmgr_label_test).
RESERVED = ("com.apple.launchd", "com.apple.launchctl")


def decode_project(table: Table, read: Reader) -> Project | None:
    """The project, or None when something that others need is wrong. Sets the bases of the reader's paths."""
    home = _absolute(table.node("home"), "home", read)
    read.home = home or "/"
    root = _absolute(table.node("root"), "root", read)
    read.root = root or "/"
    name = _name(table.node("name"), read)
    prefix = _prefix(table.node("prefix"), read)
    domain = _domain(table.node("domain"), read)
    user = _user(table, domain, home, read)
    path = _search_path(table.node("path"), read)
    logs = _folder(table, "logs", f"~/Library/Logs/{name}", read)
    state = _folder(table, "state", f"~/Library/Application Support/{name}", read)
    output = _output(table.node("output"), read)
    if None in {name, prefix, root, home, user, output}:
        return None
    return Project(
        name=name or "",
        prefix=prefix or "",
        root=read.root,
        home=read.home,
        user=user or "",
        path=path,
        logs=logs,
        state=state,
        output=output or "",
        domain=domain,
    )


def _absolute(node: Node | None, key: str, read: Reader) -> str | None:
    """The path of `root` or `home`, which nothing is a base for."""
    text = read.string(node)
    if text is None or node is None:
        return None
    if UNCARRIED.search(text):
        read.findings.add("M008", node.span, f"{quoted(text)} has a control character", "take it out")
        return None
    if VARIABLE.search(text):
        fix = variable_fix(text, "", read.home if key == "root" else "")
        read.findings.add(
            "M004", node.span, f"`{key}` is {quoted(text)}: nothing expands a variable in a path", fix
        )
        return None
    if not text.startswith("/"):
        fix = f'write the whole path, such as "/Users/kim{"/work/one-ceo" if key == "root" else ""}"'
        if key == "root" and (text == "~" or text.startswith("~/")) and read.home != "/":
            fix = f"write {quoted(tidy(read.home + text[1:]))}"
        read.findings.add("M004", node.span, f"`{key}` is {quoted(text)}: it must be an absolute path", fix)
        return None
    return tidy(text)


def _name(node: Node | None, read: Reader) -> str | None:
    text = read.name(node)
    if text is None or node is None:
        return None
    if not re.fullmatch(NAME, text):
        from jobs.decode.retell import name_sentence

        read.findings.add("M004", node.span, *name_sentence("project", text, "., _ and -"))
        return None
    return text


def _prefix(node: Node | None, read: Reader) -> str | None:
    text = read.name(node)
    if text is None or node is None:
        return None
    if text.lower().startswith(RESERVED):
        message = f"`prefix` is {quoted(text)}: launchd refuses labels that begin so"
        read.findings.add("M004", node.span, message, 'write a domain of your own, such as "com.example"')
        return None
    if not re.fullmatch(PREFIX, text):
        better = re.sub(r"\.{2,}", ".", re.sub(r"[^A-Za-z0-9._-]+", "-", text)).strip(".-")
        fix = f"write {quoted(better)}" if re.fullmatch(PREFIX, better) else 'write one such as "com.example"'
        message = (
            f"`prefix` is {quoted(text)}: it must be letters, digits, - and _ with single dots between them"
        )
        read.findings.add("M004", node.span, message, fix)
        return None
    return text


def _domain(node: Node | None, read: Reader) -> Domain:
    text = read.string(node)
    domains: tuple[Domain, ...] = ("gui", "user", "system")
    return next((domain for domain in domains if domain == text), "gui")


def _user(table: Table, domain: Domain, home: str | None, read: Reader) -> str | None:
    node = table.node("user")
    if node is not None:
        text = read.name(node)
        if text is not None and (not text.strip() or re.search(r"[\s/:]", text)):
            message = f"`user` is {quoted(text)}: it must be the short name of an account"
            read.findings.add("M004", node.span, message, 'write it as `id -un` shows it, such as "kim"')
            return None
        return text
    if domain == "system":
        fix = 'add user = "kim": the account that the jobs run as, instead of root'
        read.findings.add("M005", table.span, '`domain` is "system", and there is no `user`', fix)
        return None
    if home is None:
        return None
    user = home.rsplit("/", 1)[-1]
    if not user:
        read.findings.add("M005", table.span, "`home` does not tell the name of the user", 'add user = "kim"')
        return None
    return user


def _search_path(node: Node | None, read: Reader) -> tuple[str, ...]:
    if not isinstance(node, Array):
        return DEFAULT_PATH
    folders: list[str] = []
    for item, text in read.strings(node):
        if ":" in text:
            parts = [quoted(part) for part in text.split(":") if part and not part.startswith("$PATH")]
            message = f"`path` has {quoted(text)}: an entry is one folder, without a colon"
            read.findings.add(
                "M004", item.span, message, f"write {listed(parts, 'and')}" if parts else "take it away"
            )
            continue
        folder = read.path(item, "path")
        if folder is not None:
            folders.append(folder)
    return tuple(dict.fromkeys(folders))


def _folder(table: Table, key: str, default: str, read: Reader) -> str:
    node = table.node(key)
    return expand(default, read.root, read.home) if node is None else read.path(node, key) or "/"


def _output(node: Node | None, read: Reader) -> str | None:
    """The output folder: under root, whatever is written."""
    if node is None:
        return "generated"
    text = read.string(node)
    if text is None:
        return None
    try:
        expand(text, "/", "/")
    except PathError as error:
        read.findings.add(error.code, node.span, f"`output` is {quoted(text)}: {error.message}", error.fix)
        return None
    short = tidy(text)
    if text.startswith(("/", "~")) or ".." in text.split("/") or not short:
        inside = text.removeprefix(read.root + "/")
        fix = (
            f"write {quoted(tidy(inside))}"
            if inside != text
            else 'write a folder under root, such as "generated"'
        )
        read.findings.add(
            "M004", node.span, f"`output` is {quoted(text)}: it must be a folder under root", fix
        )
        return None
    return short
