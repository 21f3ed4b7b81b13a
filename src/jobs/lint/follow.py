"""What is linted with a job or a script: what it sources and runs, in any depth."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from jobs.lint.rule import Disk, Reached
from jobs.lint.shell.operations import inner_command
from jobs.read.shell.lines import Fault
from jobs.read.shell.parse import Reader
from jobs.read.shell.script import Script, Shell, is_shell, read_script, shell_of
from jobs.read.shell.tree import Block, Command, HereDocument, Word, link
from jobs.read.shell.values import values_of

if TYPE_CHECKING:
    from jobs.model.job import Job, Manifest

How = Literal["run", "source", "exec", "inline"]
MAX_SCRIPTS = 200  # reached from one job; more is a loop of generated names
INTERPRETERS: dict[str, Shell] = {
    "sh": "macos-sh",
    "bash": "env-bash",
    "zsh": "env-zsh",
    "dash": "other",
    "ksh": "other",
}
RUNNERS = frozenset(
    {
        "nohup",
        "timeout",
        "gtimeout",
        "caffeinate",
        "nice",
        "time",
        "exec",
        "command",
        "sudo",
        "env",
        "xargs",
        "lockf",
        "setsid",
        "arch",
    }
)
OWN_FOLDER = re.compile(
    r"^\$\((?:cd\s+(?:--\s+)?[\"']?)?\$?\(?\s*(?:dirname|cd)\b[^)]*\)?.*?\)+|^\$\{(?:0|BASH_SOURCE(?:\[0\])?)%/\*\}|^\$\{0:A?h\}|^\$\{0:a:h\}"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A script inside of a script: a `sh -c` text, or a here-document fed to a shell or written to a file."""

    script: Script
    via: Word


def pieces(script: Script) -> tuple[Piece, ...]:
    """The scripts that stand inside of a script's text, one level deep."""
    return script.once("pieces", lambda: tuple(_pieces(script)))


def _pieces(script: Script) -> Iterator[Piece]:
    for command in script.commands:
        shell = _interpreter(command)
        if shell is None and command.name != "eval":
            continue
        text = _command_string(command)
        if text is not None:
            block = script.text_block(text)
            if block is not None and block.items:
                yield Piece(_inside(script, block, shell or script.shell), text)
    for node, document in script.documents:
        shell = _interpreter(node) if isinstance(node, Command) else None
        body = document.body
        if document.expands or not body.raw.strip():
            continue  # what the shell expands first is not what runs
        if shell is not None or is_shell("", body.raw):
            inner = Reader(body.raw, body.start)
            block = inner.program()
            link(block)
            found = _inside(script, block, shell or shell_of("", body.raw), tuple(inner.faults))
            yield Piece(found, body)


def _inside(script: Script, block: Block, shell: Shell, faults: tuple[Fault, ...] = ()) -> Script:
    return replace(script, tree=block, shell=shell, faults=faults, comments=(), memo={})


def _interpreter(command: Command) -> Shell | None:
    words = list(command.words)
    while words:
        text = words[0].literal or ""
        base = text.rsplit("/", 1)[-1]
        if base in INTERPRETERS:
            if text.startswith("/bin/"):
                return {"sh": "macos-sh", "bash": "macos-bash", "zsh": "macos-zsh"}.get(base, "other")  # type: ignore[return-value]
            return "other" if text.startswith(("/opt/", "/usr/local/")) else INTERPRETERS[base]
        if base not in RUNNERS:
            return None
        words.pop(0)
        while words and (
            words[0].shape.startswith("-") or re.fullmatch(r"[\d.]+[smhd]?|\w+=.*", words[0].shape)
        ):
            words.pop(0)
    return None


def _command_string(command: Command) -> Word | None:
    """The text behind -c, or eval's only argument."""
    if command.name == "eval":
        return command.arguments[0] if len(command.arguments) == 1 else None
    for option, text in zip(command.words, command.words[1:], strict=False):
        if re.fullmatch(r"-[a-z]*c", option.shape):
            return text
    return None


def plists(script: Script) -> tuple[tuple[HereDocument, str], ...]:
    """The here-documents that hold a property list, with the file that they are written to ("" when unknown)."""
    found: list[tuple[HereDocument, str]] = []
    for node, document in script.documents:
        if "<plist" in document.body.raw or "<key>" in document.body.raw:
            target = next((each.target for each in node.redirects if each.operator in (">", ">|")), None)
            if target is None and isinstance(node, Command) and node.name in ("tee", "sudo"):
                target = node.words[-1]
            found.append((document, values_of(script).text(target, node) if target is not None else ""))
    return tuple(found)


def as_it_is(path: str) -> str:
    """The path itself."""
    return path


def follow(
    job: Job, manifest: Manifest, disk: Disk, *, local: Callable[[str], str] = as_it_is
) -> tuple[Reached, ...]:
    """Every script that a job reaches, in order of discovery; the job's own command comes first, as `inline`.

    `local` turns a path on the Mac that runs the jobs into the one on this machine.
    """
    import shlex

    from jobs.model.job import ShellLine

    place = job.places.get("run", job.place)
    text = job.run.text if isinstance(job.run, ShellLine) else shlex.join(job.run.words)
    first = read_script(manifest.path, text, shell="macos-sh", fixed=place)  # noqa: S604 - a kind of shell, no process
    found = [Reached(first, "inline", place)]
    project = manifest.project
    deeper = reach(first, disk, home=project.home, folder=job.cwd, path=project.path, local=local)
    return (*found, *deeper)


def reach(
    start: Script,
    disk: Disk,
    *,
    home: str,
    folder: str,
    path: tuple[str, ...] = (),
    local: Callable[[str], str] = as_it_is,
    known: dict[tuple[str, Shell], Script] | None = None,
) -> Iterator[Reached]:
    """The scripts that a script sources or runs, in any depth, each file once.

    `known` keeps what was read, so that a library that many scripts source is read once.
    """
    known = {} if known is None else known
    seen = {disk.real_path(start.path)} if start.fixed is None else set()
    waiting = [start]
    count = 0
    while waiting and count < MAX_SCRIPTS:
        script = waiting.pop(0)
        for piece in pieces(script):
            waiting.append(piece.script)
            yield Reached(piece.script, "inline", script.of(piece.via))
        for word, command, how, shell in calls(script):
            for meant in _paths(script, word, command, home=home, folder=folder):
                candidate = local(meant)
                real = disk.real_path(candidate)
                if real in seen:
                    break
                head = disk.head(real)
                if head is None:
                    continue
                if b"\0" in head[:1000] or (
                    how != "source" and shell is None and not _names_shell(real, head)
                ):
                    break  # a program: the whole of it is not even read
                seen.add(real)
                first = head.decode("utf-8", "surrogateescape")
                runs = (
                    script.shell
                    if how == "source"
                    else shell or bash_of(shell_of(candidate, first), path, disk)
                )
                if (candidate, runs) not in known:
                    text = (disk.read(real) or b"").decode("utf-8", "surrogateescape")
                    known[candidate, runs] = read_script(candidate, text, shell=runs)
                found = known[candidate, runs]
                waiting.append(found)
                count += 1
                yield Reached(found, how, script.of(command))
                break


def _names_shell(path: str, head: bytes) -> bool:
    return is_shell(path, head.decode("utf-8", "surrogateescape"))


def bash_of(shell: Shell, path: tuple[str, ...], disk: Disk) -> Shell:
    """The shell that `env bash` finds: another one when a folder in front of /bin holds it, or may hold it."""
    if shell not in ("env-bash", "env-zsh"):
        return shell
    for folder in path:
        if folder.rstrip("/") in ("/bin", "/usr/bin"):
            return shell
        if disk.exists(f"{folder}/{shell[4:]}") or (_may_hold(folder) and not disk.names(folder)):
            return "other"
    return shell


def _may_hold(folder: str) -> bool:
    return folder.startswith(
        ("/opt/homebrew/bin", "/usr/local/bin", "/opt/local/bin", "/nix", "/run/current-system")
    )


def calls(script: Script) -> Iterator[tuple[Word, Command, How, Shell | None]]:
    """The words that name a script to be run: word, command, how, and the shell if it is named."""
    for command in script.commands:
        if not command.words:
            continue
        if command.name in (".", "source") and command.arguments:
            yield command.arguments[0], command, "source", None
            continue
        shell = _interpreter(command)
        how: How = "exec" if command.name == "exec" else "run"
        if shell is not None:
            word = _script_argument(command)
            if word is not None:
                yield word, command, how, shell
            continue
        name, _arguments = inner_command(command)
        for word in command.words:
            base = word.shape.rsplit("/", 1)[-1]
            if ("/" in word.shape or word.variables()) and not word.shape.startswith("-"):
                yield word, command, how, None
                break
            if (
                base not in RUNNERS
                and base != name
                and not word.shape.startswith("-")
                and "=" not in word.shape
            ) and not re.fullmatch(r"[\d.]+[smhd]?", word.shape):
                break


def _script_argument(command: Command) -> Word | None:
    """The file given to a shell; None for -c and -s."""
    words = list(command.words)
    while words and (words[0].literal or "").rsplit("/", 1)[-1] not in INTERPRETERS:
        words.pop(0)
    for word in words[1:]:
        text = word.shape
        if re.fullmatch(r"-[a-z]*[cs]", text):
            return None
        if not text.startswith(("-", "+")):
            return word
    return None


def _paths(script: Script, word: Word, command: Command, *, home: str, folder: str) -> Iterator[str]:
    """The absolute paths that a word can mean."""
    own = posixpath.dirname(script.path) or "."
    for text, _written in values_of(script).possible(word, command):
        plain = re.sub(r"^(?:~(?=/)|\$HOME\b|\$\{HOME\})", lambda _m: home, text)
        plain = OWN_FOLDER.sub(lambda _m: own, plain)
        plain = re.sub(
            r"^\$(?:SCRIPT_?DIR|DIR|HERE|here|ROOT|BASE_?DIR|PROJECT_?ROOT|REPO_?ROOT)(?=/)",
            lambda _m: own,
            plain,
        )
        if "$" in plain or "\n" in plain:
            continue
        if plain.startswith("/"):
            yield posixpath.normpath(plain)
        else:
            yield posixpath.normpath(posixpath.join(folder, plain))
            if own != folder:
                yield posixpath.normpath(posixpath.join(own, plain))
