"""A script: its tree, and the facts that rules ask for."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar, cast

from jobs.read.shell.lines import Fault
from jobs.read.shell.parse import Reader
from jobs.read.shell.tree import (
    Block,
    Command,
    Function,
    Group,
    HereDocument,
    Node,
    Word,
    commands,
    link,
    walk,
)
from jobs.text import Place, SourceFile, Span

Shell = Literal["macos-sh", "macos-bash", "macos-zsh", "env-bash", "env-zsh", "other"]
MAX_CHARACTERS = 1_000_000  # a larger script is not read: nobody wrote it by hand
SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh"})

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Script:
    """A script or a piece of one. `tree` is its statements; handlers and `sh -c` texts are read as `embedded`.

    `fixed` is the place of everything in it, for a text that does not stand in `source` letter by letter.
    """

    source: SourceFile
    tree: Block
    shell: Shell
    faults: tuple[Fault, ...] = ()
    comments: tuple[Span, ...] = ()
    fixed: Place | None = None
    memo: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def path(self) -> str:
        """The file in which it stands."""
        return self.source.path

    def place(self, start: int, end: int) -> Place:
        """The place of a stretch of characters."""
        return self.source.place(Span(start, end)) if self.fixed is None else self.fixed

    def of(self, node: Node | Word) -> Place:
        """The place of a statement or word, cut at the end of its first line."""
        text = self.source.text
        line_end = text.find("\n", node.start)
        end = node.end if line_end < 0 else min(node.end, line_end)
        return self.place(node.start, max(end, node.start + 1))

    def once(self, key: str, make: Callable[[], T]) -> T:
        """The result of `make`, made at most once for this script."""
        if key not in self.memo:
            self.memo[key] = make()
        return cast("T", self.memo[key])

    @property
    def commands(self) -> tuple[Command, ...]:
        """Every command, in the order of the text; those in substitutions too."""
        return self.once("commands", lambda: tuple(commands(self.tree)))

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Every statement, in the order of the text."""
        return self.once("nodes", lambda: tuple(walk(self.tree)))

    @property
    def functions(self) -> dict[str, Function]:
        """The functions by name; the last definition wins."""
        return self.once(
            "functions", lambda: {node.name: node for node in self.nodes if isinstance(node, Function)}
        )

    @property
    def calls(self) -> dict[str, list[Command]]:
        """The commands by their name."""

        def collect() -> dict[str, list[Command]]:
            found: dict[str, list[Command]] = {}
            for command in self.commands:
                if command.name:
                    found.setdefault(command.name, []).append(command)
            return found

        return self.once("calls", collect)

    @property
    def documents(self) -> tuple[tuple[Command | Node, HereDocument], ...]:
        """The here-documents with the statements that they feed."""
        return self.once(
            "documents",
            lambda: tuple(
                (node, redirect.document)
                for node in self.nodes
                for redirect in node.redirects
                if redirect.document is not None
            ),
        )

    @property
    def traps(self) -> tuple[Trap, ...]:
        """The traps, in the order of the text."""
        return self.once("traps", lambda: tuple(filter(None, map(self._trap, self.calls.get("trap", ())))))

    def _trap(self, command: Command) -> Trap | None:
        words = [word for word in command.arguments if word.literal != "--"]
        if len(words) < 2 or words[0].literal in ("-p", "-l"):
            return None
        signals = tuple(SIGNALS.get(name, name) for name in (signal_name(word) for word in words[1:]))
        return Trap(command, signals, words[0].literal, self.text_block(words[0]))

    def text_block(self, word: Word) -> Block | None:
        """A word's text read as statements, as trap, eval and `sh -c` do; positions stay those of the file."""
        return self.once(f"text:{word.start}", lambda: self._read_word(word))

    def _read_word(self, word: Word) -> Block | None:
        raw, base = word.raw, word.start
        if len(word.parts) == 1 and word.parts[0].kind != "literal":
            return None  # the whole text is made at run time
        if len(raw) >= 2 and raw[0] == raw[-1] == "'" and "'" not in raw[1:-1]:
            raw, base = raw[1:-1], base + 1
        elif len(raw) >= 2 and raw[0] == raw[-1] == '"':
            # `'$L'` inside of double quotes is expanded when the text is made.
            raw, base = re.sub(r'\\(["$`\\])', r" \1", raw[1:-1]), base + 1
            raw = re.sub(r"'([^'\"]*\$[^'\"]*)'", r'"\1"', raw)
        elif word.literal is None:
            return None
        else:
            raw = word.literal  # put together from several quotes: places are near, not exact
        reader = Reader(raw, base)
        block = reader.program()
        if reader.faults:
            return None
        link(block)
        return block

    @property
    def options(self) -> frozenset[str]:
        """The shell options set anywhere in it, by letter (e, u, C, a) or name (pipefail)."""
        return self.once("options", lambda: set_options(self))

    def slice(self, start: int, end: int) -> str:
        """The text between two offsets."""
        return self.source.text[start:end]


@dataclass(frozen=True, slots=True)
class Trap:
    """`trap HANDLER SIGNALS`. `handler` is the text; "" ignores, "-" resets; `block` is the handler read, if it can be."""

    command: Command
    signals: tuple[str, ...]
    handler: str | None
    block: Block | None


SIGNALS = {"0": "EXIT", "1": "HUP", "2": "INT", "3": "QUIT", "15": "TERM"}


def signal_name(word: Word) -> str:
    """A signal's name in capitals without SIG."""
    return (word.literal or "").upper().removeprefix("SIG")


def set_options(script: Script) -> frozenset[str]:
    """The options that `set` and the `#!` line turn on."""
    found: set[str] = set()
    first = script.source.line(1)
    words = first.split()[1:] if first.startswith("#!") else []
    lists = [words] + [
        [word.literal or "" for word in call.arguments] for call in script.calls.get("set", ())
    ]
    lists += [["-o", *(w.literal or "" for w in call.arguments)] for call in script.calls.get("setopt", ())]
    long = {"errexit": "e", "nounset": "u", "noclobber": "C", "allexport": "a"}
    for options in lists:
        named = False
        for option in options:
            if named:
                found.add(long.get(option, option))
                named = option not in long and option != "pipefail"
                continue
            if re.fullmatch(r"-[a-zA-Z]+", option):
                found |= set(option[1:].replace("o", ""))
                named = option.endswith("o")
    return frozenset(found)


def shell_of(path: str, text: str) -> Shell:
    """Which shell runs a file, by its `#!` line, else by its name; sh where nothing says otherwise, as execvp does."""
    first = text[: text.find("\n")] if "\n" in text else text
    match = re.match(r"#!\s*(\S+)(?:\s+(.*))?", first)
    if match is None:
        if path.endswith((".zsh", ".zshrc", ".zprofile", ".zshenv")):
            return "macos-zsh"
        return "macos-bash" if path.endswith((".bash", ".bashrc", ".bash_profile")) else "macos-sh"
    program = match.group(1)
    name = posixpath.basename(program)
    if name == "env":
        words = [
            word for word in (match.group(2) or "").split() if not word.startswith("-") and "=" not in word
        ]
        name = words[0] if words else ""
        return {"sh": "macos-sh", "bash": "env-bash", "zsh": "env-zsh"}.get(name, "other")  # type: ignore[return-value]
    if program in ("/bin/sh", "/bin/bash", "/bin/zsh"):
        return {"sh": "macos-sh", "bash": "macos-bash", "zsh": "macos-zsh"}[name]  # type: ignore[return-value]
    if program in (
        "/usr/bin/sh",
        "/usr/bin/bash",
        "/usr/bin/zsh",
    ):  # not there on macOS; meant is the system's own
        return {"sh": "macos-sh", "bash": "macos-bash", "zsh": "macos-zsh"}[name]  # type: ignore[return-value]
    return "other"


def is_shell(path: str, text: str) -> bool:
    """Whether a file is a script for a shell: by its `#!` line, else by its name."""
    if text.startswith("#!"):
        words = re.split(r"[\s/]+", text[2 : text.find("\n") if "\n" in text else None])
        return any(word in SHELLS for word in words)
    return path.endswith((".sh", ".bash", ".zsh", ".ksh", ".command"))


def read_script(path: str, text: str, *, shell: Shell | None = None, fixed: Place | None = None) -> Script:
    """The script of a file. Never raises: what cannot be read is in `faults`."""
    source = SourceFile(path, text)
    shell = shell_of(path, text) if shell is None else shell
    if len(text) > MAX_CHARACTERS:
        fault = Fault(0, len(text), f"too large: {len(text):,} characters")
        return Script(source, Block(0, len(text), []), shell, (fault,), fixed=fixed)
    start = 1 if text.startswith("\ufeff") else 0
    # A shell takes the CR for a part of the last word, and the script fails; rules shall see what was meant.
    reader = Reader(text.replace("\r\n", " \n") if "\r" in text else text)
    reader.at = start
    tree = reader.program()
    link(tree)
    comments = tuple(Span(*span) for span in reader.comments)
    return Script(source, tree, shell, tuple(reader.faults), comments, fixed)


def with_shell(script: Script, shell: Shell) -> Script:
    """The same script, run by another shell."""
    return replace(script, shell=shell, memo={})


def group_of(node: Node) -> Group | None:
    """The innermost group or subshell around a statement."""
    return next((above for above in node.ancestors() if isinstance(above, Group)), None)
