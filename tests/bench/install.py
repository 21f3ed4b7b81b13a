"""How long an install takes, against the bare launchctl calls in it."""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.bench.project import Project
from tests.bench.rows import Row
from tests.launchctl.control import Double

JOBS, ROUNDS = 100, 3


def took(act: Callable[[], object]) -> float:
    """The seconds of one run."""
    begin = time.perf_counter()
    act()
    return time.perf_counter() - begin


def bare_calls(double: Double, calls: Sequence[Sequence[str]]) -> None:
    """launchctl calls with nothing around them."""
    for words in calls:
        subprocess.run([str(double.program), *words], check=False, capture_output=True)


def needed(project: Project) -> list[list[str]]:
    """What an install cannot do without: is each label free, load it, and is it there."""
    domain = f"gui/{os.getuid()}"
    found = []
    for name in project.names:
        label = f"com.example.{name}"
        plist = project.home / "Library" / "LaunchAgents" / f"{label}.plist"
        shown = ["print", f"{domain}/{label}"]
        found += [shown, ["bootstrap", domain, str(plist)], shown]
    return found


def bench_install() -> Iterator[Row]:
    """An install of 100 jobs, and a second one that has nothing to do."""
    with tempfile.TemporaryDirectory(prefix="jobs-bench-") as folder:
        project = Project(Path(folder), JOBS)
        project.jobs("build")
        calls = needed(project)
        first, again, bare, looks = [], [], [], []
        for _ in range(ROUNDS):
            first.append(took(lambda: project.jobs("install")))
            again.append(took(lambda: project.jobs("install")))
            looks.append(took(lambda: bare_calls(project.double, calls[::3])))
            for name in project.names:  # the files stay, for the bare calls load them
                project.double.call("bootout", f"gui/{os.getuid()}/com.example.{name}")
            bare.append(took(lambda: bare_calls(project.double, calls)))
            project.jobs("uninstall")
        yield Row(
            f"install of {JOBS} jobs",
            statistics.median(first),
            "the bare launchctl calls",
            statistics.median(bare),
            most=1.5,
        )
        yield Row(
            f"a second install of {JOBS} jobs",
            statistics.median(again),
            "one bare `launchctl print` a job",
            statistics.median(looks),
        )
