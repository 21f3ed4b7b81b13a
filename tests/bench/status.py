"""How long `status` takes with a year of records, against a bare start of Python."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from jobs.compile.plan import compile_manifest
from jobs.decode import load
from jobs.install.operation import Operation
from jobs.install.site import Person, site_of
from jobs.install.wanted import wanted_jobs
from jobs.runtime.records import Record, render
from jobs.system.launchctl import Answer, Launchctl
from tests.bench.project import Project
from tests.bench.rows import Row, compare
from tests.launchctl.in_process import ask

JOBS, RECORDS = 1000, 100


class InProcess(Launchctl):
    """The double without a process for each call: nothing that is installed here starts at once."""

    def call(self, *words: str, limit_s: float | None = None) -> Answer:  # noqa: ARG002
        return ask(Path(self.program).parent, *words)


def install(project: Project) -> None:
    """Install all jobs, without three processes for each."""
    manifest = load(project.manifest).manifest
    assert manifest is not None
    files = compile_manifest(manifest)
    site = site_of(manifest.project, Person(os.getuid(), str(project.home), os.getuid()))
    operation = Operation(site, InProcess(str(project.double.program)))
    jobs = wanted_jobs(manifest, files)
    with operation.locked():
        result = operation.install(operation.plan(jobs), jobs, files, [site.logs])
    assert not result.failed


def history(project: Project) -> None:
    """Write RECORDS records of each job."""
    (project.state / "runs").mkdir(exist_ok=True)
    now = int(time.time())
    for name in project.names:
        lines = []
        for run in range(RECORDS // 2, 0, -1):
            at = now - 60 * run
            told = {"time": "2026-12-01T00:00:00+0000", "job": name, "slot": "20261201T0000", "pid": 99999999}
            lines.append(render(Record(at, "start", trigger="schedule", **told)))  # type: ignore[arg-type]
            lines.append(render(Record(at, "end", reason="ok", exit=0, seconds=1, **told)))  # type: ignore[arg-type]
        (project.state / "runs" / f"{name}.jsonl").write_bytes(b"".join(lines))


def answer_at_once(project: Project) -> None:
    """Put canned answers in the place of the double: launchd's own are there at once, the double starts a Python."""
    folder = project.double.folder
    for verb, *words in (["list"], ["print-disabled", f"gui/{os.getuid()}"]):
        (folder / f"answer.{verb}").write_text(project.double.call(verb, *words).stdout)
    project.double.program.write_text(f'#!/bin/sh\nexec /bin/cat "{folder}/answer.$1"\n')


def bench_status() -> Iterator[Row]:
    """`status` of 1,000 jobs with 100,000 records."""
    with tempfile.TemporaryDirectory(prefix="jobs-bench-") as folder:
        project = Project(Path(folder), JOBS)
        install(project)
        history(project)
        answer_at_once(project)
        project.jobs("status")  # compiles the modules, and keeps what it read of the manifest
        yield compare(
            f"status of {JOBS} jobs with {JOBS * RECORDS} records",
            lambda: project.jobs("status"),
            "a bare start of Python",
            lambda: subprocess.run([sys.executable, "-c", "pass"], check=True),
            most=20,
        )
