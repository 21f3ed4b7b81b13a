"""One catch-up at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jobs.errors import MachineError
from jobs.system.files import make_folder


@contextmanager
def one_at_a_time(state: Path) -> Iterator[bool]:
    """Whether this process is the only catch-up of the project. The kernel frees the lock when it ends, however it ends."""
    try:
        make_folder(state, 0o700)
        handle = os.open(state / "catchup.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise MachineError(f"cannot use the state folder {state}: {error.strerror}") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(handle)
