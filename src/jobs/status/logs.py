"""Reading a job's log: its end, and what is appended while one watches."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

BLOCK = 64 * 1024


def tail(path: Path, count: int) -> list[str]:
    """The last lines of a log, without line ends; nothing for one that is not there. Raises OSError."""
    try:
        with path.open("rb") as stream:
            end = stream.seek(0, os.SEEK_END)
            data = b""
            while end > 0 and data.count(b"\n") <= count:
                start = max(0, end - BLOCK)
                stream.seek(start)
                data = stream.read(end - start) + data
                end = start
    except FileNotFoundError:
        return []
    lines = data.decode(errors="replace").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines[-count:] if count else []


def follow(path: Path, sleep: Callable[[float], None] = time.sleep, pause_s: float = 0.3) -> Iterator[str]:
    """Text as it is appended from now on, for ever. A rotated log (another file, or a shorter one) is read anew."""
    about = path.stat() if path.exists() else None
    position, known = (about.st_size, about.st_ino) if about is not None else (0, 0)

    def appended(position: int, known: int) -> Iterator[str]:
        while True:
            data = b""
            with contextlib.suppress(FileNotFoundError), path.open("rb") as stream:
                now = os.fstat(stream.fileno())
                if now.st_ino != known or now.st_size < position:
                    known, position = now.st_ino, 0
                stream.seek(position)
                data = stream.read(BLOCK)
                position += len(data)
            if data:
                yield data.decode(errors="replace")
            else:
                sleep(pause_s)

    return appended(position, known)
