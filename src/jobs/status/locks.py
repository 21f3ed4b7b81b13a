"""Who holds a lock: the last link of the chain in `lock/NAME/`."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jobs.runtime.records import process_lives

LONGEST_CHAIN = 1000


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that holds a lock. `alive` False: it is gone, and the next contender takes over."""

    pid: int
    since: int  # epoch
    job: str
    alive: bool


def holder(folder: Path, alive: Callable[[int, int], bool] = process_lives) -> Holder | None:
    """The holder of the lock in `folder`, or None when it is free. An ID is PID.EPOCH.TICKS.JOB."""
    owner = _link(folder / "owner")
    for _ in range(LONGEST_CHAIN):
        after = _link(folder / f"after.{owner}") if owner is not None else None
        if after is None:
            break
        owner = after
    parts = (owner or "").split(".", 3)
    if len(parts) < 4 or not (parts[0].isdigit() and parts[1].isdigit()):
        return None
    pid, since = int(parts[0]), int(parts[1])
    return Holder(pid, since, parts[3], alive(pid, since))


def _link(path: Path) -> str | None:
    try:
        return os.readlink(path)
    except OSError:
        return None
