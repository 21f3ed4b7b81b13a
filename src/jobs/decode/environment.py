"""Tables of environment variables."""

from __future__ import annotations

import re

from jobs.decode.reader import Reader
from jobs.model.forms import ENV_NAME
from jobs.read.nodes import Node
from jobs.read.toml_tree import dotted, quoted

# Read-only in bash or zsh, in whichever of them runs the wrapper: setting one ends the script.
SHELL_OWNED = frozenset(
    {"UID", "EUID", "GID", "EGID", "PPID", "GROUPS", "SHELLOPTS", "BASHOPTS", "BASH_VERSINFO", "_"}
)


def decode_env(node: Node | None, read: Reader) -> dict[str, str]:
    """The variables of a table, those that are usable."""
    found: dict[str, str] = {}
    for name, entry in read.entries(node).items():
        text = read.string(entry.node)
        if name == "PATH":
            parts = [quoted(part) for part in (text or "").split(":") if part and "$" not in part]
            fix = f"set path in [project] instead: path = [{', '.join(parts) or '…'}]"
            read.findings.add("M004", entry.key, "`PATH` is not set as a variable", fix)
        elif name.startswith("JOBS_"):
            message = f"`{dotted([name])}` begins with JOBS_: those names tell a job about its own run"
            read.findings.add(
                "M004",
                entry.key,
                message,
                f"write another name, such as {re.sub(r'[^A-Za-z0-9_]', '_', name[5:]) or 'NAME'}",
            )
        elif name in SHELL_OWNED:
            message = f"`{name}` belongs to the shell, which lets nobody set it"
            read.findings.add("M004", entry.key, message, "write another name")
        elif re.fullmatch(ENV_NAME, name) and "\n" not in name and text is not None:
            found[name] = text
    return found
