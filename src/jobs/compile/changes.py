"""Compiled files × files on disk → what has to change, and what must not be touched. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from jobs.compile.files import digest
from jobs.compile.naming import LOCK_FILE, mode_of

What = Literal["file", "symlink", "folder", "other"]
Word = Literal["added", "changed", "removed", "mode", "kept", "refused"]


@dataclass(frozen=True, slots=True)
class Found:
    """What lies at a path now. Only a file has data and a mode that matters."""

    what: What
    data: bytes = b""
    mode: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """What happens to one file.

    `mode`: the content is right, the permissions are not. `kept`: no longer generated, but edited by hand, so it
    stays. `refused`: something stands there that is not ours to replace; `reason` says what, and `forcible` whether
    --force would replace it.
    """

    path: str
    word: Word
    reason: str = ""
    forcible: bool = False


def plan_changes(
    files: Mapping[str, bytes],
    found: Mapping[str, Found],
    known: Mapping[str, Collection[str]],
    *,
    force: bool = False,
) -> tuple[Change, ...]:
    """Every file that is not as it should be, by path.

    `known` holds for each path the hashes that this tool has written there: a file with another content was edited by
    somebody, and is only replaced or removed when `force` says so.
    """
    changes = [*_written(files, found, known, force=force), *_pruned(files, found, known, force=force)]
    return tuple(sorted(changes, key=lambda change: change.path))


def is_stale(change: Change, found: Mapping[str, Found]) -> bool:
    """Whether a change makes a committed build stale.

    Of a mode only what git carries counts, the execute bit, and what nobody wants, a file that everyone may write:
    a clone made under another umask is not stale.
    """
    if change.word == "mode":
        mode = found[change.path].mode
        return bool((mode ^ mode_of(change.path)) & 0o100) or bool(mode & 0o002)
    return change.word != "kept"


def _written(
    files: Mapping[str, bytes],
    found: Mapping[str, Found],
    known: Mapping[str, Collection[str]],
    *,
    force: bool,
) -> Iterator[Change]:
    for path, data in files.items():
        was = found.get(path)
        if was is None:
            yield Change(path, "added")
        elif was.what == "file" and was.data == data:
            if was.mode != mode_of(path):
                yield Change(path, "mode", f"{was.mode:04o} instead of {mode_of(path):04o}")
        elif was.what in {"folder", "other"}:
            kind = "a folder" if was.what == "folder" else "neither a file nor a folder"
            yield Change(path, "refused", f"{kind} stands in its place: move it away")
        elif force or path == LOCK_FILE or (was.what == "file" and _is_ours(path, was, known)):
            yield Change(path, "changed")
        else:
            yield Change(path, "refused", _whose(path, was, known), forcible=True)


def _whose(path: str, was: Found, known: Mapping[str, Collection[str]]) -> str:
    if was.what == "symlink":
        return "it is a symlink, which jobs does not make"
    return "it was edited by hand" if path in known else "jobs did not write it"


def _pruned(
    files: Mapping[str, bytes],
    found: Mapping[str, Found],
    known: Mapping[str, Collection[str]],
    *,
    force: bool,
) -> Iterator[Change]:
    for path in known:
        was = found.get(path)
        if path in files or was is None:
            continue
        if was.what == "file" and (force or _is_ours(path, was, known)):
            yield Change(path, "removed")
        else:
            yield Change(path, "kept", "no longer generated, but edited by hand: delete it yourself")


def _is_ours(path: str, was: Found, known: Mapping[str, Collection[str]]) -> bool:
    return digest(was.data) in known.get(path, ())
