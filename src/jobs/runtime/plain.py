"""Opening a file of the state folder for reading: the file itself, never what somebody has put in its place."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def open_plain(path: Path) -> int:
    """A descriptor of a plain file. Raises OSError; a link, a FIFO, a device or a folder counts as such an error."""
    # O_NONBLOCK: a FIFO of that name must not hold us
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise OSError(errno.ELOOP, "not a plain file", str(path))  # the error of O_NOFOLLOW, for all of them
