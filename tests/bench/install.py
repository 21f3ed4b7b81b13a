"""How long an install and a status take, against the bare work in them.

    python tests/bench/install.py

Prints ratios: an install of 100 jobs against the bare launchctl calls it needs, and `status` of 1,000 jobs with
100,000 records against a bare Python start.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.launchctl.control import Double  # noqa: E402 - the path is set above

JOBS, MANY, RECORDS = 100, 1000, 100


def manifest(folder: Path, count: int) -> None:
    """Write a manifest of `count` daily jobs and its script."""
    (folder / "home").mkdir(parents=True)
    work = folder / "work"
    (work / "bin").mkdir(parents=True)
    script = work / "bin" / "run"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    head = (
        f'version = 1\n[project]\nname = "p"\nprefix = "com.example"\nroot = "{work}"\nhome = "{folder}/home"\n'
        'path = ["/usr/bin", "/bin"]\n'
    )
    tables = [
        f'[jobs.job-{number:04}]\nrun = ["bin/run"]\nat = "{number % 24:02}:{number % 60:02}"\n'
        for number in range(count)
    ]
    (work / "jobs.toml").write_text(head + "\n".join(tables))


def jobs(folder: Path, double: Double, *words: str) -> None:
    """Run the program in the project."""
    environment = {
        **os.environ,
        **double.environment(),
        "HOME": str(folder / "home"),
        "PYTHONPATH": str(ROOT / "src"),
        "JOBS_MANIFEST": str(folder / "work" / "jobs.toml"),
    }
    subprocess.run(
        [sys.executable, "-m", "jobs", *words],
        env=environment,
        cwd=folder / "work",
        check=True,
        stdout=subprocess.DEVNULL,
    )


class Cost(NamedTuple):
    """Seconds on the clock, and seconds of processor time of all processes: the second holds on a busy machine too."""

    wall: float
    cpu: float


def cost(act: Callable[[], object], times: int = 1) -> Cost:
    """The cheapest of several runs."""
    found = []
    for _ in range(times):
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        act()
        after, end = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        found.append(Cost(end - begin, cpu))
    return min(found)


def bare_calls(double: Double, calls: Sequence[Sequence[str]]) -> None:
    """The same launchctl calls with nothing around them."""
    for words in calls:
        subprocess.run([str(double.program), *words], check=False, capture_output=True)


def bench_install(folder: Path) -> None:
    """Print the ratio of an install to its launchctl calls."""
    manifest(folder, JOBS)
    double = Double(folder / "launchd", home=str(folder / "home"))
    jobs(folder, double, "build")
    first = cost(lambda: jobs(folder, double, "install"))
    calls = [words for _, words in double.calls()]
    second = cost(lambda: jobs(folder, double, "install"))
    jobs(folder, double, "uninstall")
    needed = [words for words in calls if words[0] == "bootstrap"]
    needed += [["print", f"gui/{os.getuid()}/com.example.job-{number:04}"] for number in range(JOBS)] * 2
    bare = cost(lambda: bare_calls(double, needed))
    print(
        f"install of {JOBS} jobs: {first.wall:.2f} s with {len(calls)} calls; the bare calls: {bare.wall:.2f} s"
    )
    print(f"  ratio {first.wall / bare.wall:.2f} by the clock, {first.cpu / bare.cpu:.2f} by processor time")
    print(f"second install: {second.wall:.2f} s, {second.wall / JOBS * 1000:.1f} ms a job")


def bench_status(folder: Path) -> None:
    """Print the ratio of a status of many jobs to a bare start of Python."""
    manifest(folder, MANY)
    double = Double(folder / "launchd", home=str(folder / "home"))
    jobs(folder, double, "build")
    jobs(folder, double, "install")
    runs = folder / "home" / "Library" / "Application Support" / "p" / "runs"
    runs.mkdir(exist_ok=True)
    now = int(time.time())
    for number in range(MANY):
        lines = []
        for run in range(RECORDS // 2):
            at = now - 60 - (RECORDS // 2 - run) * 60
            row = {
                "time": "2026-12-01T00:00:00+0000",
                "epoch": at,
                "job": f"job-{number:04}",
                "event": "start",
            }
            lines.append(json.dumps({**row, "slot": "20261201T0000", "trigger": "schedule", "pid": 99999999}))
            lines.append(
                json.dumps({**row, "event": "end", "reason": "ok", "exit": 0, "seconds": 1, "pid": 99999999})
            )
        (runs / f"job-{number:04}.jsonl").write_text("\n".join(lines) + "\n")
    bare = cost(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True), 5)
    took = cost(lambda: jobs(folder, double, "status"), 3)
    print(
        f"status of {MANY} jobs with {MANY * RECORDS} records: {took.wall:.2f} s; bare Python {bare.wall * 1000:.0f} ms"
    )
    print(f"  {took.wall / bare.wall:.1f} times by the clock, {took.cpu / bare.cpu:.1f} by processor time")


def main() -> None:
    """Run both."""
    with tempfile.TemporaryDirectory(prefix="jobs-bench-") as folder:
        bench_install(Path(folder) / "install")
        if "--quick" not in sys.argv:
            bench_status(Path(folder) / "status")


if __name__ == "__main__":
    main()
