"""How long a command takes to start."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench.rows import Row, compare

TOP = Path(__file__).resolve().parents[2]


def _process(*words: str) -> Callable[[], object]:
    environment = {**os.environ, "PYTHONPATH": str(TOP / "src")}
    return lambda: subprocess.run(
        [sys.executable, *words],
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def bench_help() -> Iterator[Row]:
    """`jobs --help` against Python itself."""
    yield compare(
        "jobs --help", _process("-m", "jobs", "--help"), "python -c pass", _process("-c", "pass"), most=8
    )


def bench_build_of_the_example() -> Iterator[Row]:
    """`jobs build` of 17 jobs, when all is written and when nothing has changed."""
    with tempfile.TemporaryDirectory() as folder:
        words = ("-m", "jobs", "build", "--manifest", str(TOP / "jobs.toml"), "--output", f"{folder}/out")
        again = _process(*words)

        def anew() -> None:
            subprocess.run(["/bin/rm", "-rf", f"{folder}/out"], check=True)
            again()

        bare = _process("-c", "pass")
        yield compare("jobs build, 17 jobs anew", anew, "python -c pass", bare)
        yield compare("jobs build, 17 jobs unchanged", again, "python -c pass", bare)
