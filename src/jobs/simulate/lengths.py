"""How long the jobs take: the median of their last good runs, where there are records."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from statistics import median

from jobs.model.job import Manifest
from jobs.runtime.records import newest_first, runs

RUNS = 20
RECORDS = 400


def recorded_lengths(manifest: Manifest) -> dict[str, int]:
    """The seconds of each job that has good runs on record, a second at least."""
    found: dict[str, int] = {}
    for job in manifest.jobs:
        records = islice(newest_first(Path(manifest.project.state) / "runs" / f"{job.name}.jsonl"), RECORDS)
        seconds = [
            run.seconds
            for run in runs(records, lambda _pid, _began: False)
            if run.word == "ok" and run.seconds is not None
        ][:RUNS]
        if seconds:
            found[job.name] = max(1, round(median(seconds)))
    return found
