"""The example in this repository: a manifest of 17 jobs that does what the README tells."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from jobs.cli.app import main
from tests.cli.project import Done, Project
from tests.tools import require_tool

TOP = Path(__file__).resolve().parents[1]
MANIFEST = tomllib.loads((TOP / "jobs.toml").read_text())
SCRIPTS = sorted(
    path for path in (TOP / "docs/example").rglob("*") if os.access(path, os.X_OK) and path.is_file()
)


@pytest.fixture
def example(tmp_path: Path) -> Project:
    """A copy of the example, so that what its jobs make stays out of the repository."""
    folder = tmp_path / "one-ceo"
    (folder / "docs").mkdir(parents=True)
    shutil.copytree(TOP / "docs/example", folder / "docs/example")
    shutil.copy(TOP / "jobs.toml", folder)
    (folder / "home/bin").mkdir(parents=True)
    program = folder / "home/bin/jobsctl"  # the judge of guarded jobs
    program.write_text(f'#!/bin/sh\nPYTHONPATH={TOP}/src exec {sys.executable} -m jobs "$@"\n')
    program.chmod(0o755)
    return Project(folder)


def run_here(example: Project, name: str) -> Done:
    path = f"{example.folder}/home/bin:{os.environ['PATH']}"
    return example.start("run", name, "--here", env={"PATH": path})


def test_the_committed_build_is_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--check", "--manifest", str(TOP / "jobs.toml")]) == 0, capsys.readouterr().out


def test_it_has_seventeen_jobs_most_of_them_behind_the_guard() -> None:
    jobs = MANIFEST["jobs"]
    assert len(jobs) == 17
    assert sum(job.get("guard", True) is not False for job in jobs.values()) > len(jobs) / 2


@pytest.mark.parametrize("name", sorted(MANIFEST["jobs"]))
def test_every_job_runs_here(example: Project, name: str) -> None:
    secrets = example.folder / "docs/example/secrets"
    shutil.copy(secrets / "books.env.example", secrets / "books.env")
    done = run_here(example, name)
    assert done.status == 0, done.out + done.err
    assert "end: ok (exit 0" in done.out


def test_a_job_without_its_secrets_is_not_started(example: Project) -> None:
    done = run_here(example, "month-end")
    assert done.status == 66
    assert "its env_file is not there" in done.out


def test_one_quota_stop_spares_the_others_the_question(example: Project) -> None:
    (example.folder / "data").mkdir()
    until = int(time.time()) + 3600
    (example.folder / "data/quota-until").write_text(f"{until}\n")
    first = run_here(example, "ideas")
    assert first.status == 75
    assert f"Claude AI usage limit reached|{until}" in first.out
    second = run_here(example, "digest")
    assert second.status == 0
    assert "skipped: guard claude is open" in second.out
    assert not (example.folder / "data/digest").exists()
    # The judge read the reset time; two minutes are added to it.
    state = (example.folder / ".jobs-here/state/guard/claude").read_text()
    assert state.startswith(f"1 open {until + 120} quota ")


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox", "mksh", "zsh", "yash"])
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_the_scripts_are_good_grammar_anywhere(script: Path, shell: str) -> None:
    words = [require_tool(shell), *(["sh"] if shell == "busybox" else []), "-n", str(script)]
    assert subprocess.run(words, capture_output=True, text=True, check=False).stderr == ""


def test_shellcheck_has_nothing_to_say() -> None:
    words = [require_tool("shellcheck"), *map(str, SCRIPTS)]
    assert subprocess.run(words, capture_output=True, text=True, check=False).stdout == ""
