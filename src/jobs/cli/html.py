"""Pages that commands write."""

from __future__ import annotations

import sys
from pathlib import Path

from jobs.errors import MachineError


def write_page(text: str, path: Path, told: str) -> None:
    """Write a page whole or not at all, and say so; `-` is stdout, and nothing is said. Raises MachineError."""
    if str(path) == "-":
        sys.stdout.write(text)
        return
    if path.is_dir():
        raise MachineError(f"cannot write {path}: it is a folder")
    from jobs.system.files import write_atomic

    try:
        write_atomic(path, text.encode(), 0o644)
    except OSError as error:
        raise MachineError(f"cannot write {path}: {error.strerror}") from error
    print(f"{path}: {told}")
