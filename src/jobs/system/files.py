"""Writing files so that nobody ever sees half of one."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def write_atomic(path: Path, data: bytes, mode: int, *, sync: bool = True) -> None:
    """Write `data` beside `path` and rename it into place, with exactly `mode`, whatever the umask.

    A symlink at `path` is replaced, not followed. `sync` False leaves the flushing to the system, for files that a
    power cut may empty without harm. Raises OSError; nothing is left behind then.
    """
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fchmod(stream.fileno(), mode)
            if sync:
                os.fsync(stream.fileno())
        os.replace(temporary, path)  # noqa: PTH105 - replaces a symlink itself
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)  # noqa: PTH108
        raise


def make_folder(path: Path, mode: int) -> None:
    """Make a folder and its parents; a folder that is made here gets exactly `mode`. Raises OSError."""
    if path.is_dir():
        return
    make_folder(path.parent, 0o755 if mode & 0o055 else mode)
    with contextlib.suppress(FileExistsError):
        path.mkdir()
        path.chmod(mode)


def write_new(path: Path, data: bytes, mode: int) -> None:
    """Write a file that must not be there yet. Raises FileExistsError (a dangling symlink counts), OSError."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
        os.fchmod(stream.fileno(), mode)
