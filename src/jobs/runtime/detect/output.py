"""A run's own output, out of the log that all runs of a job share."""

from __future__ import annotations

import os
from pathlib import Path

from jobs.runtime.detect.judge import TAIL_BYTES


def read_output(path: Path, offset: int = 0) -> tuple[bytes, bool]:
    """What stands in a log behind `offset`, and whether that is all of it: of much output only the end is read.

    A log that is shorter than `offset` was begun anew meanwhile and is read from its start. Raises OSError.
    """
    with path.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        start = offset if 0 <= offset <= size else 0
        whole = size - start <= TAIL_BYTES
        stream.seek(start if whole else size - TAIL_BYTES)
        return stream.read(TAIL_BYTES), whole
