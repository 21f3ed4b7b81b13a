"""What a benchmark gives back, and how time is taken."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One comparison. `most` is the ratio that it should stay below, if there is one."""

    name: str
    ours_s: float  # median
    base: str
    base_s: float  # median
    most: float | None = None

    @property
    def ratio(self) -> float:
        return self.ours_s / self.base_s if self.base_s else float("inf")


def compare(
    name: str,
    ours: Callable[[], object],
    base_name: str,
    base: Callable[[], object],
    *,
    most: float | None = None,
    rounds: int = 11,
) -> Row:
    """Run both in turn, so that a busy machine is busy for both; the medians."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for function, found in zip((ours, base), times, strict=True):
            start = time.perf_counter()
            function()
            found.append(time.perf_counter() - start)
    return Row(name, statistics.median(times[0]), base_name, statistics.median(times[1]), most)
