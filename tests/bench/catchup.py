"""What it costs to find out what has to be made up, with a little history and with a lot."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

from jobs.catchup.gather import decisions
from jobs.model.job import Argv, Job, JobCatchup, Manifest, Project
from jobs.schedule.rule import Rule, Schedule
from tests.bench.rows import Row, compare

NOON = 1796126400
JOBS = 1000
NINE = Schedule((Rule((0,), (9,)),), "UTC")


def line(epoch: int, event: str, reason: str, slot: str) -> bytes:
    """A record as the wrappers write it."""
    record = {
        "time": "2026-12-01T09:00:02+0000", "epoch": epoch, "job": "job", "event": event, "reason": reason, "slot": slot,
        "trigger": "schedule", "late": 2, "pid": 4711,
    }  # fmt: skip
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def company(root: Path, size: int) -> Manifest:
    """A thousand guarded jobs, each with `size` bytes of history and a skip this morning."""
    runs = root / "state" / "runs"
    runs.mkdir(parents=True)
    older = line(NOON - 40 * 86400, "start", "schedule", "20261022T0900") + line(
        NOON - 40 * 86400, "end", "ok", "20261022T0900"
    )
    history = older * max(1, size // len(older))
    history += line(NOON - 3 * 3600, "skip", "guard", "20261201T0900")
    names = [f"job{number}" for number in range(JOBS)]
    for name in names:
        (runs / f"{name}.jsonl").write_bytes(history)
    project = Project(
        "bench",
        "com.example",
        str(root),
        str(root),
        "kim",
        ("/bin",),
        str(root),
        str(root / "state"),
        "generated",
    )
    jobs = tuple(
        Job(
            name,
            name,
            Argv(("true",)),
            f"{root}/{name}.log",
            str(root),
            schedule=NINE,
            guards=("claude",),
            catchup=JobCatchup(("guard",), "today"),
        )
        for name in names
    )
    return Manifest("jobs.toml", project, jobs)


def bench_selection_with_a_gigabyte_of_records() -> Iterator[Row]:
    """A thousand jobs: 1 GB of records against 1 MB, and against `tac | grep -m1` over the same files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        large, small = company(folder / "large", 1_000_000), company(folder / "small", 1_000)
        assert sum(decision.candidate for decision in decisions(large, NOON, UTC)) == JOBS

        def judge(manifest: Manifest) -> None:
            decisions(manifest, NOON, UTC)

        yield compare(
            "selection, 1 GB of records",
            lambda: judge(large),
            "1 MB",
            lambda: judge(small),
            most=1.5,
            rounds=3,
        )
        if shutil.which("tac"):
            script = f'for f in "{folder}"/large/state/runs/*; do tac "$f" | grep -m1 skip; done'

            def tac() -> None:
                subprocess.run(["sh", "-c", script], capture_output=True, check=False)

            yield compare("selection, 1 GB of records", lambda: judge(large), "tac | grep -m1", tac, rounds=3)
