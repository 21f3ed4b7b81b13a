"""How long runs take, from the records on this machine."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from statistics import median

from jobs.model.job import Manifest
from jobs.runtime.records import newest_first, runs

LAST_RUNS = 9


def expected_lengths(manifest: Manifest) -> dict[str, int]:
    """The median seconds of each job's last good runs. Jobs without any are left out, all of them on another machine."""
    folder = Path(manifest.project.state) / "runs"
    if not folder.is_dir():
        return {}
    found: dict[str, int] = {}
    for job in manifest.jobs:
        seconds = list(islice(_good(folder / f"{job.name}.jsonl"), LAST_RUNS))
        if seconds:
            found[job.name] = max(1, round(median(seconds)))
    return found


def _good(path: Path) -> Iterable[int]:
    return (run.seconds for run in runs(newest_first(path)) if run.word == "ok" and run.seconds is not None)
