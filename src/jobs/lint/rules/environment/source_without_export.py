"""E001: variables of a sourced file that the program behind it never sees."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Disk, Finding, Rule
from jobs.lint.shell.expansions import expansions
from jobs.lint.shell.operations import inner_command
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Command, Word
from jobs.read.shell.values import values_of

# Files of variables, not of functions: .env, prod.env, .cred, credentials, secrets …
VARIABLES = re.compile(
    r"(^|/)\.?[\w.-]*(env|cred|creds|credentials|secrets?|tokens?|apikeys?|api_keys?)(\.(local|prod|production|dev|txt|conf|[\w-]*))?$",
    re.IGNORECASE,
)
LIBRARY = re.compile(
    r"\.(sh|bash|zsh|inc|fish|py|js|nix)$|(^|/)(activate|\.cargo/env|\.profile|\.zshenv|\.zprofile|\.bash_profile|\.?\w*rc|ghcup/env|\.local/bin/env)$"
)
PLAIN = re.compile(r"^\s*([A-Za-z_]\w*)=", re.MULTILINE)
EXPORTING = re.compile(
    r"^\s*(export|declare\s+-\w*x|typeset\s+-\w*x|set\s+-a|set\s+-o\s+allexport|setopt\s+all_?export)\b",
    re.MULTILINE,
)
MANY = 20  # files read by one script; more are read in the same way
OWN = frozenset(
    {
        "HOME",
        "PATH",
        "USER",
        "PWD",
        "OLDPWD",
        "TMPDIR",
        "IFS",
        "RANDOM",
        "SECONDS",
        "UID",
        "EUID",
        "LINENO",
        "HOSTNAME",
        "SHELL",
        "LANG",
        "BASH_SOURCE",
        "OSTYPE",
        "PPID",
        "0",
        "@",
        "*",
        "#",
        "?",
        "$",
        "!",
        "-",
        "_",
    }
)


def check(script: Script, context: Context) -> Iterator[Finding]:
    """A finding where such a file is read and a program takes over."""
    if "a" in script.options:
        return
    for command in (*script.calls.get(".", ())[:MANY], *script.calls.get("source", ())[:MANY]):
        if not command.arguments:
            continue
        names = _variables(script, command.arguments[0], command, context.disk)
        if names is None or _exported_later(script, command, names):
            continue
        program = _program_behind(script, command)
        if program is not None and not _used_here(script, command, names):
            yield Finding(
                script.of(command),
                f"the variables of {command.arguments[0].raw} are not exported: `{program}` does not see them",
                Fix("put `set -a` in front and `set +a` behind, or write `export` into the file"),
            )


def _variables(script: Script, word: Word, command: Command, disk: Disk | None) -> frozenset[str] | None:
    """The names that a file sets without exporting them; empty when it cannot be read; None for anything else."""
    text = values_of(script).text(word, command)
    if disk is not None:
        folder = posixpath.dirname(script.path)
        data = disk.read(text if text.startswith("/") else posixpath.join(folder, text))
        if data is not None:
            content = data.decode("utf-8", "replace")
            if EXPORTING.search(content) or "()" in content:
                return None
            return frozenset(PLAIN.findall(content)) or None
    if LIBRARY.search(text) or not VARIABLES.search(text):
        return None
    return frozenset()


def _exported_later(script: Script, command: Command, names: frozenset[str]) -> bool:
    for call in (
        *script.calls.get("export", ()),
        *script.calls.get("declare", ()),
        *script.calls.get("typeset", ()),
    ):
        if call.start < command.start:
            continue
        if call.name != "export" and not any(re.match(r"-\w*x", word.shape) for word in call.arguments):
            continue
        mine = {word.shape for word in call.arguments if not word.shape.startswith("-")}
        mine |= {assignment.name for assignment in call.assignments}
        if not names or mine & names:
            return True
    return False


def _program_behind(script: Script, command: Command) -> str | None:
    """The program that takes the place of the script, or the only one that it starts."""
    for call in script.calls.get("exec", ()):
        if call.start > command.start and len(call.words) > 1:
            name, arguments = inner_command(call)
            if call.assignments or any("=" in word.shape for word in call.words[1:2]):
                return None
            return name or (arguments[0].raw if arguments else call.words[1].raw)
    return None


def _used_here(script: Script, command: Command, names: frozenset[str]) -> bool:
    """Whether the script itself reads what the file sets: then it may pass it on by hand."""
    known = set(values_of(script).globals) | OWN
    for node, part in expansions(script):
        if node.start < command.start or part.text.isdigit():
            continue
        if part.text in names or (not names and part.text not in known and not part.operator):
            return True
    return False


RULE = Rule(
    code="E001",
    name="source-without-export",
    title="Variables read from a file and not exported",
    subject="script",
    severity=Severity.WARNING,
    why=(
        "`. file` sets variables of the shell; a program that it starts sees only the exported ones. From a terminal "
        "that has them anyway it works, under launchd the program starts without its token."
    ),
    bad="""\
#!/bin/sh
. "$HOME/.cred"
exec agent
""",
    good=(
        """\
#!/bin/sh
set -a
. "$HOME/.cred"
set +a
exec agent
""",
        """\
#!/bin/sh
. "$HOME/.cred"
export TOKEN
exec agent
""",
    ),
    exceptions="Silent when the file exports by itself, and when the script uses the variables.",
    sources=("https://github.com/kalbasit/soxincfg/issues/43",),
    check=check,
)
