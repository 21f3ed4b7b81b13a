"""Where a command runs: on macOS or not, and whether the script made sure of what it calls."""

from __future__ import annotations

import re
from typing import Literal

from jobs.lint.shell.operations import inner_command
from jobs.read.shell.flow import Premise, gated, leaves, outcome
from jobs.read.shell.script import Script
from jobs.read.shell.tree import AndOr, Case, Command, Loop, Node, Not, commands
from jobs.read.shell.values import values_of

System = Literal["macos", "other"]
MAC = re.compile(r"darwin|macos|osx|\bmac\b", re.IGNORECASE)
OTHER = re.compile(r"linux|freebsd|cygwin|mingw|msys|wsl|gnu|android|ubuntu|debian|alpine", re.IGNORECASE)
PLATFORM = re.compile(
    r"\$\(\s*(?:/usr/bin/)?uname\b|\$\{?(OSTYPE|MACHTYPE|HOSTTYPE|RUNNER_OS)\b|uname|\bsw_vers\b|\$\{?\w*(OS|os|platform|PLATFORM|UNAME|uname|KERNEL|kernel|_os|system|SYSTEM|darwin|DARWIN|macos|MACOS|linux|LINUX)\w*\}?"
)
ONLY_ELSEWHERE = re.compile(
    r"^/(proc|sys|etc/os-release|etc/debian_version|etc/redhat-release|etc/lsb-release|data/data)\b"
)
ASKERS = frozenset({"command", "type", "which", "hash", "whence"})
CHECKERS = re.compile(
    r"(need|requir|check|ensure|have|has_|has$|exists|depend|is_installed|installed|verify)", re.IGNORECASE
)


def runs_on_macos(script: Script, node: Node) -> bool:
    """Whether a statement can run on macOS, as far as the conditions in front of it tell."""
    return not gated(script, node, "elsewhere", lambda premise: _is_elsewhere(script, premise, node))


def _is_elsewhere(script: Script, premise: Premise, node: Node) -> bool:
    return _system(script, premise.condition, holds=premise.holds, node=node) == "other"


def _system(script: Script, condition: Node, *, holds: bool, node: Node) -> System | None:
    if isinstance(condition, Case):
        return _case_system(script, condition, node)
    for command in commands(condition):
        verdict = _test_system(script, command)
        if verdict is None:
            continue
        system, when = verdict
        if _negated(condition, command):
            when = not when
        if system == "macos":
            return "macos" if when == holds else "other"
        return "other" if when == holds else None
    return None


def _negated(condition: Node, command: Command) -> bool:

    count = sum(
        1 for above in command.ancestors() if isinstance(above, Not) and above.start >= condition.start
    )
    return count % 2 == 1


def _test_system(script: Script, command: Command) -> tuple[System, bool] | None:
    """Which system a test asks for, and whether it succeeds there."""
    flag = _flag(command)
    if flag is not None:
        return flag
    name, arguments = inner_command(command)
    if name in ("[", "[[", "test"):
        words = [word for word in arguments if word.shape not in ("]", "]]")]
        text = " ".join(values_of(script).text(word, command) + " " + word.shape for word in words)
        if any(ONLY_ELSEWHERE.match(word.shape) for word in words):
            return ("other", "!" not in [word.shape for word in words])
        if not PLATFORM.search(text):
            return None
        differs = any(word.shape == "!=" for word in words) or (bool(words) and words[0].shape == "!")
        plain = " ".join(word.literal or "" for word in words)
        if MAC.search(plain):
            return ("macos", not differs)
        if OTHER.search(plain):
            return ("other", not differs)
        return None
    if name in ("grep", "egrep") and arguments:
        text = " ".join(word.shape for word in arguments)
        parent = command.parent
        whole = script.slice(parent.start, parent.end) if parent is not None else ""
        if "uname" in whole or "OSTYPE" in whole:
            return ("macos", True) if MAC.search(text) else ("other", True) if OTHER.search(text) else None
        return None
    low = command.name.lower()
    if command.name in script.functions or command.name.startswith(("is_", "on_")):
        if re.search(r"is_?(mac|darwin|osx)|on_?(mac|darwin)", low):
            return ("macos", True)
        if re.search(r"is_?(linux|wsl|gnu)|on_?linux", low):
            return ("other", True)
    if name in ("systemctl", "apt-get", "apt", "dpkg", "getenforce"):
        return ("other", True)
    return None


FLAG = re.compile(
    r"^(?:_?(?:is|on|use|running))?_?(?:(mac|macos|darwin|osx)|(linux|wsl|gnu))$", re.IGNORECASE
)
NO = frozenset({"false", "0", "no", "n", ""})


def _flag(command: Command) -> tuple[System, bool] | None:
    """The system that a variable such as IS_MAC stands for, in `$is_mac`, `[ "$IS_MAC" = 1 ]` or `(( IS_MAC ))`."""
    if not command.words or (command.name and command.name not in ("[", "[[", "test", "((")):
        return None
    names = [name for word in command.words for name in word.variables()]
    found = FLAG.match(names[0]) if len(names) == 1 else None
    if found is None:
        return None
    texts = [word.shape for word in command.arguments]
    values = [
        word.literal
        for word in command.arguments
        if word.literal is not None and not word.literal.startswith("-")
    ]
    wanted = not any(value in NO for value in values if value not in ("]", "]]", "!"))
    if "!=" in texts or "-z" in texts or texts[:1] == ["!"]:
        wanted = not wanted
    return ("macos" if found.group(1) else "other", wanted)


def _case_system(script: Script, case: Case, node: Node) -> System | None:
    subject = values_of(script).text(case.subject, case)
    if not PLATFORM.search(subject + case.subject.shape):
        return None
    mac_before = False
    for patterns, block, _ending in case.items:
        text = " ".join(word.shape for word in patterns)
        inside = block.start <= node.start <= block.end
        if MAC.search(text):
            if inside:
                return "macos"
            mac_before = True
        elif inside:
            return "other" if OTHER.search(text) or mac_before else None
    return None


def is_provided(script: Script, name: str) -> bool:
    """Whether the script defines a command itself, or asks somewhere whether it is there."""
    return script.once(f"provided:{name}", lambda: _provided(script, name))


def _provided(script: Script, name: str) -> bool:
    if name in script.functions:
        return True
    for call in script.calls.get("alias", ()):
        if any(word.shape.startswith(name + "=") for word in call.arguments):
            return True
    names = {name}
    for command in script.commands:
        asker, arguments = (command.name, command.arguments)
        if not arguments:
            continue
        literals = {word.literal for word in arguments}
        if asker in ASKERS and literals & names and (asker != "command" or literals & {"-v", "-V"}):
            return True
        if (
            asker not in ASKERS
            and names & literals
            and CHECKERS.search(asker)
            and asker.rsplit("/", 1)[-1] != name
        ):
            return True
        if (
            asker == "brew"
            and "install" in literals
            and (literals & {name, "flock", "util-linux", "coreutils"})
        ):
            return True
    for node in script.nodes:
        if not isinstance(node, Loop) or not any(word.literal == name for word in node.values):
            continue
        if any(call.name in ASKERS or CHECKERS.search(call.name) for call in commands(node.body)):
            return True
    return adds_gnu_path(script)


def adds_gnu_path(script: Script) -> bool:
    """Whether the script puts GNU tools under their own names on its PATH."""
    return script.once(
        "gnubin",
        lambda: any(
            assignment.name in ("PATH", "path")
            and re.search(r"gnubin|util-linux|/nix/|/coreutils/", assignment.value.raw)
            for command in script.commands
            for assignment in command.assignments
        ),
    )


def asks_for_variant(script: Script, node: Node, name: str) -> bool:
    """Whether a premise tries the tool out: `date --version`, `stat -c %Y . >/dev/null 2>&1`, `command -v gdate`."""
    return gated(script, node, f"variant:{name}", lambda premise: _tries_out(script, premise, node, name))


def _tries_out(script: Script, premise: Premise, node: Node, name: str) -> bool:
    for command in commands(premise.condition):
        own, arguments = inner_command(command)
        texts = {word.shape for word in arguments}
        asks = "--version" in texts or "--help" in texts or _silent(command)
        if own == name and command is not node and asks:
            return True
        if command.name in ASKERS and texts & {name, "g" + name, "gnu" + name}:
            return True
        if own in ("grep", "egrep") and _pipes_version(script, command, name):
            return True
    return False


def _silent(command: Command) -> bool:
    return any(redirect.target.literal == "/dev/null" for redirect in command.redirects)


def _pipes_version(script: Script, command: Command, name: str) -> bool:
    parent = command.parent
    return (
        parent is not None
        and re.search(rf"\b{re.escape(name)}\b.*--(version|help)", script.slice(parent.start, parent.end))
        is not None
    )


NO_WORK = frozenset(
    {
        "[",
        "[[",
        "((",
        "test",
        "grep",
        "cd",
        "mkdir",
        "rm",
        "echo",
        "printf",
        "true",
        "false",
        "command",
        "type",
        "which",
        "read",
        "",
    }
)
NO_ALTERNATIVE = frozenset(
    {
        "echo",
        "printf",
        "true",
        ":",
        "exit",
        "return",
        "false",
        "continue",
        "break",
        "die",
        "print",
        "log",
        "cat",
        "",
    }
)


def _is_bsd_date(command: Command) -> bool:
    return any(word.shape.startswith(("-j", "-v", "-r", "-f", "-u")) for word in command.arguments)


def has_fallback(script: Script, command: Command) -> bool:
    """Whether another way stands beside a command: `A || B` with a B that does the work, or an `if` that tries A."""
    out = outcome(script, command)
    own = inner_command(command)[0]
    for node in out.failure:
        for other in commands(node):
            name = inner_command(other)[0]
            if name == "date" and (own != "date" or not _is_bsd_date(other)):
                continue  # "now" in place of an answer
            if name and name not in NO_ALTERNATIVE and name not in script.functions:
                return True
            if (
                name in script.functions
                and leaves(script, [other]) is None
                and not re.search(r"log|warn|err|msg|die|fail|info|say", name)
            ):
                return True
    current: Node = command
    while (parent := current.parent) is not None:
        if isinstance(parent, AndOr) and parent.operator == "||" and current.slot == "right":
            left_names = {inner_command(other)[0] for other in commands(parent.left)}
            if left_names - NO_WORK - frozenset(script.functions):
                return True
        if not isinstance(parent, AndOr):
            break
        current = parent
    return False
