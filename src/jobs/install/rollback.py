"""Going back to a set that was installed before: its generated files, then its jobs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jobs.errors import MachineError, UsageError
from jobs.install.receipt import Archive, StoredSet
from jobs.install.wanted import digest
from jobs.system.files import make_folder, write_atomic

LOCK_FILE = "jobs.lock.json"


def earlier_sets(sets: Sequence[StoredSet], installed: int) -> tuple[StoredSet, ...]:
    """The sets before the installed one, newest first: the first is one step back."""
    return tuple(sorted((one for one in sets if one.number < installed), key=lambda one: -one.number))


def pick(sets: Sequence[StoredSet], installed: int, steps: int) -> StoredSet:
    """The set that lies `steps` back. Raises UsageError."""
    earlier = earlier_sets(sets, installed)
    if not earlier:
        raise UsageError("there is nothing to go back to: no earlier set is stored")
    if not 1 <= steps <= len(earlier):
        raise UsageError(f"there are {len(earlier)} earlier sets; `jobsctl rollback --list` shows them")
    return earlier[steps - 1]


@dataclass(frozen=True, slots=True)
class Restored:
    """What was done to the generated files; `left` are those that somebody else wrote."""

    written: tuple[str, ...]
    deleted: tuple[str, ...]
    left: tuple[str, ...]


def restore_files(output: Path, files: Mapping[str, bytes], archive: Archive) -> Restored:
    """Make the output folder hold the files of a set.

    A file is replaced or deleted only when this tool wrote it: its content is stored, or the lock file of the folder
    names its hash. Raises MachineError.
    """
    hashes = generated_hashes(output)
    written, deleted, left = [], [], []
    try:
        for path in sorted(files):
            found = _read(output / path)
            if found == files[path]:
                continue
            if found is not None and path != LOCK_FILE and not _ours(path, found, hashes, archive):
                left.append(path)
                continue
            make_folder((output / path).parent, 0o755)
            write_atomic(output / path, files[path], 0o755 if path.startswith("bin/") else 0o644)
            written.append(path)
        for path in sorted(hashes.keys() - files.keys()):
            found = _read(output / path)
            if found is None:
                continue
            if _ours(path, found, hashes, archive):
                (output / path).unlink()
                deleted.append(path)
            else:
                left.append(path)
    except OSError as error:
        raise MachineError(f"{error.filename}: {error.strerror}") from error
    return Restored(tuple(written), tuple(deleted), tuple(left))


def _ours(path: str, data: bytes, hashes: Mapping[str, str], archive: Archive) -> bool:
    sha = digest(data)
    return hashes.get(path) == sha or archive.knows(sha)


def _read(path: Path) -> bytes | None:
    try:
        return None if path.is_symlink() else path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def generated_hashes(output: Path) -> dict[str, str]:
    """Path → SHA-256 of what the last build wrote, by its lock file; empty without a readable one."""
    try:
        found = json.loads((output / LOCK_FILE).read_bytes())["files"]
        return {
            path: str(value["sha256"] if isinstance(value, dict) else value)
            for path, value in found.items()
            if ".." not in Path(path).parts and not Path(path).is_absolute()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
