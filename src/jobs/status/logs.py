"""Reading a job's log: its end, and what is appended while one watches."""

from __future__ import annotations

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
    """Text as it is appended, for ever. A rotated log (another file under the name, or a shorter one) is read anew."""
    position = path.stat().st_size if path.exists() else 0
    known = path.stat().st_ino if path.exists() else 0
    while True:
        try:
            with path.open("rb") as stream:
                about = os.fstat(stream.fileno())
                if about.st_ino != known or about.st_size < position:
                    known, position = about.st_ino, 0
                stream.seek(position)
                data = stream.read(BLOCK)
                position += len(data)
        except FileNotFoundError:
            data = b""
        if data:
            yield data.decode(errors="replace")
        else:
            sleep(pause_s)
