"""The output folder on disk: read it, and change it all at once or not at all.

Every new content is written beside its place first; only when all of them are there are they renamed into place, so
a full disk changes nothing. jobs.lock.json comes last: a build that is killed between two renames leaves its own lock
file staged, and the next build knows both generations as the tool's own.

Nothing is flushed to the platter file by file (2,000 times for 1,000 jobs): what a power cut damages differs from its
hash, `jobs build --check` says so, and `jobs build` makes it again.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from jobs.compile.changes import Change, Found, plan_changes
from jobs.compile.files import read_lock
from jobs.compile.naming import FOLDERS, LOCK_FILE, mode_of
from jobs.errors import MachineError
from jobs.system.files import make_folder

STAGED = ".jobs-new"
_KINDS = {stat.S_IFREG: "file", stat.S_IFLNK: "symlink", stat.S_IFDIR: "folder"}


def known_hashes(folder: Path) -> dict[str, set[str]]:
    """Path → the hashes that this tool wrote there, from the lock file and from one that a killed build left staged.

    Raises MachineError for a lock file that cannot be read, ValueError inside it for one that is damaged.
    """
    known: dict[str, set[str]] = {}
    for name in (LOCK_FILE, f".{LOCK_FILE}{STAGED}"):
        found = _look(folder, name)
        if found is None or found.what != "file":
            continue
        try:
            hashes = read_lock(found.data)
        except ValueError:
            if name == LOCK_FILE:
                raise
            continue  # a staged one may be cut short
        for path, sha in hashes.items():
            known.setdefault(path, set()).add(sha)
    return known


def read_output(folder: Path, paths: Iterable[str]) -> dict[str, Found]:
    """What lies at these paths; absent ones are left out. Raises MachineError.

    The three folders must be real ones: through a symlink the tool would write and prune somewhere else.
    """
    if folder.exists() and not folder.is_dir():
        raise MachineError(f"{folder} is not a folder: move it away, or choose another output")
    for name in FOLDERS:
        inside = folder / name
        if inside.is_symlink() or (inside.exists() and not inside.is_dir()):
            raise MachineError(f"{inside} is not a folder of its own: move it away, or choose another output")
    found = {path: _look(folder, path) for path in paths}
    return {path: entry for path, entry in found.items() if entry is not None}


def _look(folder: Path, path: str) -> Found | None:
    place = f"{folder}/{path}"
    try:
        mode = os.lstat(place).st_mode
        kind = _KINDS.get(stat.S_IFMT(mode), "other")
        if kind != "file":
            return Found("symlink" if kind == "symlink" else "folder" if kind == "folder" else "other")
        with open(place, "rb") as stream:  # noqa: PTH123 - thousands of files
            return Found("file", stream.read(), stat.S_IMODE(mode))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise MachineError(f"cannot read {place}: {error.strerror}") from error


@contextlib.contextmanager
def one_build_at_a_time(folder: Path) -> Iterator[None]:
    """Hold the output folder: a second build waits. Makes the folder. Raises MachineError."""
    import fcntl

    try:
        make_folder(folder, 0o755)
        handle = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise MachineError(f"cannot use the output folder {folder}: {error.strerror}") from error
    try:
        with contextlib.suppress(OSError):  # some network disks know no locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def write_output(folder: Path, files: Mapping[str, bytes], changes: Collection[Change]) -> None:
    """Carry out what was planned. Raises MachineError; every file is then either the old one or the new one."""
    write = [change.path for change in changes if change.word in {"added", "changed"}]
    staged: dict[str, str] = {}
    place = str(folder)
    try:
        for name in FOLDERS if write else ():
            make_folder(folder / name, 0o755)
        for path in write:
            place = f"{folder}/{path}"
            staged[path] = _staged_place(folder, path)
            _stage(staged[path], files[path], mode_of(path))
        # From here on files of two generations may lie side by side, so the staged lock file stays until the end.
        lock = staged.pop(LOCK_FILE, None)
        for path in [path for path in write if path != LOCK_FILE]:
            place = f"{folder}/{path}"
            os.replace(staged[path], place)  # noqa: PTH105 - replaces a symlink itself
            del staged[path]
        for change in changes:
            place = f"{folder}/{change.path}"
            if change.word == "removed":
                os.unlink(place)  # noqa: PTH108 - thousands of files
            elif change.word == "mode":
                os.chmod(place, mode_of(change.path))  # noqa: PTH101
        if lock is not None:
            place = f"{folder}/{LOCK_FILE}"
            os.replace(lock, place)  # noqa: PTH105
        _sweep(folder)
    except OSError as error:
        raise MachineError(f"cannot write {place}: {error.strerror}") from error
    finally:
        for temporary in staged.values():
            with contextlib.suppress(OSError):
                os.unlink(temporary)  # noqa: PTH108


def replace_output(folder: Path, files: Mapping[str, bytes]) -> None:
    """Bring a folder that is the tool's alone to these files, whatever stands there. Raises MachineError."""
    with one_build_at_a_time(folder):
        known: dict[str, set[str]] = {}
        with contextlib.suppress(ValueError):
            known = known_hashes(folder)
        found = read_output(folder, {**files, **known})
        changes = plan_changes(files, found, known, force=True)
        refused = next((change for change in changes if change.word == "refused"), None)
        if refused is not None:
            raise MachineError(f"{folder}/{refused.path}: {refused.reason}")
        if changes:
            write_output(folder, files, changes)


def _staged_place(folder: Path, path: str) -> str:
    head, _, name = path.rpartition("/")
    return f"{folder}/{head}/.{name}{STAGED}" if head else f"{folder}/.{name}{STAGED}"


def _stage(place: str, data: bytes, mode: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(place)  # noqa: PTH108 - of a build that was killed
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    with os.fdopen(handle, "wb", buffering=0) as stream:
        os.fchmod(handle, mode)  # whatever the umask
        view = memoryview(data)
        while view:
            view = view[stream.write(view) :]


def _sweep(folder: Path) -> None:
    """Remove what killed builds left staged, and a folder that has become empty."""
    for inside in (folder, *(folder / name for name in FOLDERS)):
        for place in inside.glob(f".*{STAGED}"):
            place.unlink()
        if inside != folder:
            with contextlib.suppress(OSError):
                inside.rmdir()
