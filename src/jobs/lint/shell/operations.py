"""What a script does to paths that may be locks: make, test, create, remove, open, ask for the owner."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from jobs.read.shell.flow import has_option, own_commands, words_of
from jobs.read.shell.script import Script, Trap
from jobs.read.shell.tree import Command, Function, Group, Node, Redirect, Word
from jobs.read.shell.values import values_of

Kind = Literal[
    "mkdir",  # fails when it is there: a lock can be built on it
    "mkdir-p",  # does not
    "exclusive",  # ln -s, set -C with >, shlock, lockfile: fails when it is there
    "create",  # touch, >, ln -sf, cp: does not
    "test",  # [ -f ], [ -d ] …
    "remove",
    "open",  # exec 9>
]
EXISTS = frozenset({"-f", "-e", "-d", "-s", "-L", "-h", "-r", "-a"})
OWN_PID = frozenset({"$", "BASHPID"})
WRAPPERS = frozenset(
    {"sudo", "command", "builtin", "nice", "nohup", "exec", "env", "time", "caffeinate", "noglob"}
)
LIVENESS_PS = re.compile(r"(^|\s)-?\w*p\w*\s|\$")
MAKERS = frozenset({"", ":", "true", "echo", "printf", "print", "date", "hostname", "touch", "whoami"})
IDENTITY = re.compile(r"\b(comm|command|cmd|args|lstart|start|etime|ucomm)\b")


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing done to a path. `key` is the path in canonical form, `word` where it is written."""

    kind: Kind
    key: str
    command: Command
    word: Word
    pid: bool = False  # the script's own process id is written
    negated: bool = False  # of a test: `! -f`
    trap: Trap | None = None  # it stands in this trap's handler

    @property
    def at(self) -> int:
        """Its offset in the file."""
        return self.command.start


def base_name(command: Command) -> str:
    """The name of a command without its folder."""
    return command.name.rsplit("/", 1)[-1]


def inner_command(command: Command) -> tuple[str, tuple[Word, ...]]:
    """The name and arguments behind sudo, command, nice and the like."""
    words = list(command.words)
    while words:
        name = (words[0].literal or "").rsplit("/", 1)[-1]
        if name not in WRAPPERS or len(words) == 1:
            return name, tuple(words[1:])
        if name in ("command", "builtin") and words[1].shape in ("-v", "-V"):
            return name, tuple(words[1:])
        words.pop(0)
        while words and (words[0].shape.startswith("-") or "=" in words[0].shape):
            words.pop(0)
    return "", ()


def calls_of(script: Script, *names: str) -> list[tuple[str, Command, tuple[Word, ...]]]:
    """The calls of some tools, behind sudo and the like as well: name, command, arguments, in the order of the text."""

    def index() -> dict[str, list[tuple[str, Command, tuple[Word, ...]]]]:
        found: dict[str, list[tuple[str, Command, tuple[Word, ...]]]] = {}
        for command in script.commands:
            name, arguments = inner_command(command)
            if name:
                found.setdefault(name, []).append((name, command, arguments))
        return found

    by_name = script.once("inner-calls", index)
    if len(names) == 1:
        return by_name.get(names[0], [])
    return sorted((each for name in names for each in by_name.get(name, ())), key=lambda each: each[1].start)


def operations(script: Script) -> tuple[Operation, ...]:
    """Every operation, in the order of the text; those of trap handlers carry their trap."""
    return script.once("operations", lambda: tuple(sorted(_all(script), key=lambda each: each.at)))


def _all(script: Script) -> Iterator[Operation]:
    for command in script.commands:
        yield from of_command(script, command)
    for node in script.nodes:
        if isinstance(node, Command):
            continue
        for redirect in node.redirects:
            if (
                redirect.operator in (">", ">>", "<>", ">|")
                and redirect.fd.isdigit()
                and int(redirect.fd) > 2
            ):
                yield _opened(script, redirect, node)
    for trap in script.traps:
        if trap.block is not None:
            for command in own_commands([trap.block]):
                for each in of_command(script, command, where=trap.command):
                    yield Operation(
                        each.kind, each.key, trap.command, each.word, each.pid, each.negated, trap
                    )


def _opened(script: Script, redirect: Redirect, node: Node) -> Operation:
    stand_in = next(own_commands([node]), None) or Command(node.start, node.end, ())
    return Operation("open", values_of(script).key(redirect.target, node), stand_in, redirect.target)


def of_command(script: Script, command: Command, where: Node | None = None) -> Iterator[Operation]:
    """The operations of one command; `where` gives the scope of its variables when it is not in the tree."""
    values, scope = values_of(script), where or command
    name, arguments = inner_command(command)
    stand_in = (
        Command(command.start, command.end, (command.words[0], *arguments)) if command.words else command
    )
    plain = words_of(stand_in)

    def each(kind: Kind, words: tuple[Word, ...]) -> Iterator[Operation]:
        return (Operation(kind, values.key(word, scope), command, word) for word in words)

    match name:
        case "mkdir":
            paths = without_values(stand_in, "-m", "--mode")
            yield from each("mkdir-p" if has_option(stand_in, "p", "--parents") else "mkdir", paths)
        case "touch":
            yield from each("create", without_values(stand_in, "-t", "-r", "-d", "-A"))
        case "ln" if len(plain) == 2:
            forced = has_option(stand_in, "f", "--force")
            pid = bool(OWN_PID & set(plain[0].variables()))
            key = values.key(plain[1], scope)
            yield Operation("create" if forced else "exclusive", key, command, plain[1], pid)
        case "shlock" | "lockfile" | "dotlockfile":
            paths = _shlock(stand_in) if name == "shlock" else plain[-1:]
            yield from each("exclusive", paths)
        case "cp" | "install" if len(plain) == 2:
            yield from each("create", plain[1:])
        case "rm" | "rmdir" | "unlink":
            yield from each("remove", plain)
        case "mv" if len(plain) == 2:
            yield from each("remove", plain[:1])
        case "[" | "[[" | "test":
            yield from _tests(script, command, scope)
    yield from _redirects(script, command, scope)


def without_values(command: Command, *options: str) -> tuple[Word, ...]:
    """The arguments that are neither options nor the values of these options."""
    found: list[Word] = []
    skip = False
    for word in command.arguments:
        text = word.shape
        if skip:
            skip = False
        elif text in options:
            skip = True
        elif not text.startswith("-"):
            found.append(word)
    return tuple(found)


def _shlock(command: Command) -> tuple[Word, ...]:
    words = command.arguments
    for index, word in enumerate(words):
        if word.shape == "-f" and index + 1 < len(words):
            return (words[index + 1],)
        if word.shape.startswith("-f"):
            return (word,)
    return ()


def _tests(script: Script, command: Command, scope: Node) -> Iterator[Operation]:
    words = command.arguments
    for index, word in enumerate(words[:-1]):
        if word.literal not in EXISTS:
            continue
        target = words[index + 1]
        if word.literal == "-a" and index > 0 and words[index - 1].literal != "!":
            continue  # the "and" of test(1)
        if target.literal in ("]", "]]", "=", "!="):
            continue
        negated = index > 0 and words[index - 1].literal == "!"
        yield Operation("test", values_of(script).key(target, scope), command, target, negated=negated)


def _redirects(script: Script, command: Command, scope: Node) -> Iterator[Operation]:
    values = values_of(script)
    for redirect in command.redirects:
        if redirect.operator not in (">", ">>", ">|", "<>", "&>"):
            continue
        key = values.key(redirect.target, scope)
        if (command.name == "exec" and len(command.words) < 2) or (
            redirect.fd.isdigit() and int(redirect.fd) > 2
        ):
            yield Operation("open", key, command, redirect.target)
        elif not makes_only(command):
            continue
        elif redirect.operator == ">" and redirect.fd in ("", "1") and not key.startswith("/dev/"):
            written = {name for word in command.arguments for name in word.variables()}
            kind: Kind = "exclusive" if noclobber(script, command) else "create"
            yield Operation(kind, key, command, redirect.target, pid=bool(written & OWN_PID))
        elif redirect.operator in (">|", ">>") and redirect.fd in ("", "1"):
            written = {name for word in command.arguments for name in word.variables()}
            if written & OWN_PID or redirect.operator == ">|":
                yield Operation("create", key, command, redirect.target, pid=bool(written & OWN_PID))


def makes_only(command: Command) -> bool:
    """Whether a command with a redirect is there to make the file, not to do work whose output it keeps."""
    return inner_command(command)[0] in MAKERS


def noclobber(script: Script, command: Command) -> bool:
    """Whether `set -C` is in force where a command stands."""
    if "C" not in script.options and "setopt" not in script.calls:
        return False
    in_force = False
    around = {id(above) for above in command.ancestors()}
    for call in [*script.calls.get("set", ())[:100], *script.calls.get("setopt", ())[:100]]:
        if call.start > command.start:
            break
        shells = [above for above in call.ancestors() if isinstance(above, Group) and above.subshell]
        if any(id(shell) not in around for shell in shells):
            continue
        texts = [word.literal or "" for word in call.arguments]
        if call.name == "setopt" or "-o" in texts:
            in_force = in_force or any(text.lower().replace("_", "") == "noclobber" for text in texts)
        if any(re.fullmatch(r"-[a-zA-Z]*C[a-zA-Z]*", text) for text in texts):
            in_force = True
        if "+C" in texts or ("+o" in texts and "noclobber" in texts):
            in_force = False
    return in_force


def removals_in_trap(script: Script, trap: Trap) -> tuple[Operation, ...]:
    """What a trap's handler removes, directly or in the functions that it calls."""

    def find() -> tuple[Operation, ...]:
        if trap.block is None:
            return ()
        found: list[Operation] = []
        for command in reached_commands(script, trap):
            inside = command.parent is not None and any(above is trap.block for above in command.ancestors())
            done = of_command(script, command, where=trap.command if inside else command)
            found += [
                Operation("remove", each.key, command, each.word, trap=trap)
                for each in done
                if each.kind == "remove"
            ]
        return tuple(found)

    return script.once(f"trap:{trap.command.start}", find)


def reached_commands(script: Script, trap: Trap) -> Iterator[Command]:
    """The commands that a handler runs, those in the script's functions included."""
    waiting: list[Node] = [trap.block] if trap.block is not None else []
    seen: set[str] = set()
    while waiting:
        for command in own_commands([waiting.pop()]):
            yield command
            function = script.functions.get(command.name)
            if function is not None and command.name not in seen:
                seen.add(command.name)
                waiting.append(function.body)


def liveness(script: Script) -> tuple[Command, ...]:
    """The commands that ask whether some process lives, other than a child that the script started itself."""

    def find() -> tuple[Command, ...]:
        return tuple(command for command in script.commands if _asks_for_life(script, command))

    return script.once("liveness", find)


def _asks_for_life(script: Script, command: Command) -> bool:
    name, arguments = inner_command(command)
    texts = [word.shape for word in arguments]
    if name == "kill":
        asks = "-0" in texts or ("-s" in texts and "0" in texts) or "-n0" in texts
    elif name == "ps":
        joined = " ".join(texts) + " "
        asks = bool(arguments) and any(word.variables() or "$(" in word.shape for word in arguments)
        asks = asks and LIVENESS_PS.search(joined) is not None
    elif name in ("[", "[[", "test"):
        asks = any(text.startswith("/proc/$") for text in texts)
    elif name == "pgrep":
        asks = any(text.startswith("-F") for text in texts)
    else:
        return False
    if not asks:
        return False
    values = values_of(script)
    return not any("$!" in values.text(word, command) for word in arguments)


def compares_identity(script: Script) -> bool:
    """Whether the script also asks what the process is (its command or its start), not only whether it is there."""

    def find() -> bool:
        for command in script.commands:
            name, arguments = inner_command(command)
            texts = " ".join(word.shape for word in arguments)
            if name == "ps" and (IDENTITY.search(texts) or _piped(command)):
                return True
            if name == "pgrep" and ("-F" in texts or "$" in texts):
                return True
            if any(
                "/proc/" in word.shape and re.search(r"cmdline|comm|stat|exe", word.shape)
                for word in command.all_words()
            ):
                return True
            if name in ("lsof", "fuser"):
                return True
        return False

    return script.once("identity", find)


def _piped(command: Command) -> bool:
    from jobs.read.shell.tree import Pipeline

    return isinstance(command.parent, Pipeline) and command is not command.parent.items[-1]


def handler_functions(script: Script) -> frozenset[int]:
    """The ids of the functions that traps call: what they remove is no take-over."""

    def find() -> frozenset[int]:
        found: set[int] = set()
        for trap in script.traps:
            for command in reached_commands(script, trap):
                function: Function | None = script.functions.get(command.name)
                if function is not None:
                    found.add(id(function))
        return frozenset(found)

    return script.once("handlers", find)
