"""The disk as the linter sees it: read only, nothing raises."""

from __future__ import annotations

import os
import stat
from functools import lru_cache

MAX_BYTES = 64_000_000
HEAD_BYTES = 4096


class RealDisk:
    """What lies on this machine's disk."""

    def read(self, path: str) -> bytes | None:
        """The bytes of a regular file, or None when there is none or it cannot be read."""
        return self._read(path, MAX_BYTES)

    def head(self, path: str) -> bytes | None:
        """The first few thousand bytes of a regular file, or None as for `read`."""
        return self._read(path, HEAD_BYTES)

    def _read(self, path: str, most: int) -> bytes | None:
        try:
            # O_NONBLOCK: a pipe that somebody left in a folder must not stop the linter.
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except (OSError, ValueError):
            return None
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            with os.fdopen(descriptor, "rb", closefd=False) as stream:
                return stream.read(most)
        except OSError:
            return None
        finally:
            os.close(descriptor)

    def exists(self, path: str) -> bool:
        """Whether something is there, a dangling link included."""
        return os.path.lexists(path)

    def real_path(self, path: str) -> str:
        """The path with every symbolic link resolved."""
        return _real_path(path)

    def mode(self, path: str) -> int | None:
        """The permission bits, or None when nothing is there."""
        try:
            return stat.S_IMODE(os.stat(path).st_mode)  # noqa: PTH116 - the protocol speaks of strings
        except (OSError, ValueError):
            return None

    def owner(self, path: str) -> int | None:
        """The user id of the owner, or None when nothing is there."""
        try:
            return os.stat(path).st_uid  # noqa: PTH116 - as above
        except (OSError, ValueError):
            return None

    def names(self, folder: str) -> tuple[str, ...]:
        """The sorted names in a folder; empty for what is not a folder."""
        try:
            return tuple(sorted(os.listdir(folder)))  # noqa: PTH208 - as above
        except (OSError, ValueError):
            return ()


@lru_cache(maxsize=4096)
def _real_path(path: str) -> str:
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return path
