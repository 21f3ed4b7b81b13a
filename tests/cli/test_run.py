"""`jobs run`: a job started by hand, as launchd would start it."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.project import Done, Project, daily
from tests.wrapper.sandbox import group_members, wait_until

SHOW = "env | sort; pwd; ps -o pgid= -p $$; cat"


def run(project: Project, *words: str, **keys: Any) -> Done:
    return project.start("run", *words, **keys)


def build(project: Project, jobs: str, **keys: Any) -> None:
    project.write(jobs, **keys)
    assert project.call("build").status == 0


def said(done: Done) -> list[str]:
    """What the job itself printed."""
    return [line for line in done.out.splitlines() if not line.startswith("[jobs ")]


@pytest.mark.parametrize("status", [0, 1, 3, 75])
def test_the_status_of_the_job_is_the_status_of_the_command(project: Project, status: int) -> None:
    build(project, daily("a", f"echo here; exit {status}"))
    done = run(project, "a")
    assert done.status == status
    assert said(done) == ["here"]
    assert done.err == f"a: exit status {status}; log: {project.folder}/home/logs/a.log\n"


def test_the_job_sees_what_launchd_would_give_it(project: Project) -> None:
    build(project, daily("a", SHOW))
    done = run(project, "a", env={"SECRET_OF_THE_TERMINAL": "x", "LC_ALL": "C"}, input="typed\n")
    words = said(done)
    assert done.status == 0
    seen = dict(line.split("=", 1) for line in words if "=" in line)
    assert {key: seen[key] for key in ("PATH", "HOME", "LANG", "XPC_SERVICE_NAME", "JOBS_TRIGGER")} == {
        "PATH": "/usr/bin:/bin",
        "HOME": str(project.folder / "home"),
        "LANG": "en_US.UTF-8",
        "XPC_SERVICE_NAME": "com.example.a",
        "JOBS_TRIGGER": "manual",
    }
    assert {"USER", "LOGNAME", "SHELL", "TMPDIR"} <= seen.keys()
    assert not {"SECRET_OF_THE_TERMINAL", "LC_ALL", "PYTHONPATH"} & seen.keys()
    assert str(project.folder) in words
    assert "typed" not in words


def test_only_what_is_new_in_the_log_is_shown(project: Project) -> None:
    build(project, daily("a", "echo once more"))
    run(project, "a")
    log = project.folder / "home/logs/a.log"
    log.write_text("OLD\n" + log.read_text())
    assert said(run(project, "a")) == ["once more"]


def test_force_passes_over_what_has_run_already(project: Project) -> None:
    build(project, '[jobs.a]\nrun = "echo ran"\nevery = "30m"\nonce = "month"\n')
    assert said(run(project, "a")) == ["ran"]
    again = run(project, "a")
    assert (again.status, said(again)) == (0, [])
    assert "it has run already" in again.out
    assert said(run(project, "a", "--force")) == ["ran"]


def test_output_is_shown_while_the_job_runs(project: Project) -> None:
    build(
        project, daily("a", f"echo first; until [ -e {project.folder}/go ]; do sleep 0.05; done; echo second")
    )
    with started(project, "a") as process:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, b"")
        assert any(line == b"first\n" for line in lines)
        (project.folder / "go").touch()
        assert any(line == b"second\n" for line in lines)
    assert process.returncode == 0


def test_a_log_that_is_rotated_while_the_job_runs(project: Project) -> None:
    log = project.folder / "home/logs/a.log"
    script = f"echo before; mv {log} {log}.0; echo moved; echo after >>{log}; echo end"
    build(project, daily("a", script))
    done = run(project, "a")
    assert {"before", "moved", "end", "after"} == set(said(done))


class started:  # noqa: N801 - reads like a function
    """The command in a process of its own, ended at the latest when the block ends."""

    def __init__(self, project: Project, *words: str) -> None:
        self.process = subprocess.Popen(
            project.command("run", *words),
            cwd=project.folder,
            env=project.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def __enter__(self) -> subprocess.Popen[bytes]:
        return self.process

    def __exit__(self, *_: object) -> None:
        try:
            self.process.wait(timeout=30)
        finally:
            self.process.kill()
            if self.process.stdout is not None:
                self.process.stdout.close()


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name
)
def test_being_stopped_stops_the_whole_group(project: Project, number: signal.Signals) -> None:
    seen = project.folder / "group"
    build(
        project,
        daily("a", f"sleep 300 & ps -o pgid= -p $$ >{seen}.part; mv {seen}.part {seen}; wait")
        + 'kill_after = "1s"\n',
    )
    with started(project, "a") as process:
        wait_until(seen.exists)
        process.send_signal(number)
    assert process.returncode == 143
    assert group_members(int(seen.read_text())) == []


# What it refuses.


def lose_execute_bit(project: Project) -> None:
    (project.folder / "generated/bin/a").chmod(0o644)


def change_manifest(project: Project) -> None:
    project.write(daily("a", "echo changed"))


def change_library(project: Project) -> None:
    (project.folder / "generated/lib/run.sh").write_text("echo mine\n")


def lose_wrapper(project: Project) -> None:
    (project.folder / "generated/bin/a").unlink()


@pytest.mark.parametrize("harm", [lose_execute_bit, change_manifest, change_library, lose_wrapper])
def test_a_build_that_is_not_what_the_manifest_says(
    project: Project, harm: Callable[[Project], None]
) -> None:
    build(project, daily("a"))
    harm(project)
    done = project.call("run", "a")
    assert done.status == 2
    assert "run `jobsctl build` first" in done.err


def test_another_job_that_is_stale_does_not_matter(project: Project) -> None:
    build(project, daily("a", "echo ran") + daily("b"))
    project.write(daily("a", "echo ran") + daily("b", "echo changed"))
    assert said(run(project, "a")) == ["ran"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param(["aa"], "has no job 'aa': did you mean 'a'?", id="a near name"),
        pytest.param(["zzz"], "has no job 'zzz': its jobs are a, b", id="no near name"),
        pytest.param(["a", "--state", "x"], "--state is for --here", id="state without here"),
    ],
)
def test_bad_usage(project: Project, words: list[str], message: str) -> None:
    done = project.call("run", *words)
    assert done.status == 2
    assert message in done.err


# On a machine that is not the manifest's.


def test_a_root_that_is_not_here_names_the_way_out(project: Project) -> None:
    build(project, daily("a"), root="/Users/kim/work/one-ceo")
    done = project.call("run", "a")
    assert done.status == 2
    assert "/Users/kim/work/one-ceo, is not on this machine" in done.err
    assert "`jobsctl run a --here`" in done.err


@pytest.fixture
def elsewhere(project: Project) -> Iterator[Project]:
    """A project whose root is on another machine, with a script of its own."""
    script = project.folder / "scripts/show.sh"
    script.parent.mkdir()
    script.write_text('#!/bin/sh\necho "$1 $HOME $PWD"\n')
    script.chmod(0o755)
    project.write(
        '[jobs.a]\nrun = ["scripts/show.sh", "--x"]\nat = "09:30"\n', root="/Users/kim/work/one-ceo"
    )
    yield project
    assert not (project.folder / "generated").exists()


def test_here_runs_from_the_manifests_folder(elsewhere: Project) -> None:
    done = run(elsewhere, "a", "--here")
    assert done.status == 0
    assert said(done) == [f"--x {elsewhere.folder}/home {elsewhere.folder}"]
    assert (elsewhere.folder / ".jobs-here/logs/a.log").is_file()
    assert (elsewhere.folder / ".jobs-here/.gitignore").read_text() == "*\n"
    assert (elsewhere.folder / ".jobs-here").stat().st_mode & 0o777 == 0o700


def test_here_can_keep_its_state_somewhere_else(elsewhere: Project, tmp_path: Path) -> None:
    done = run(elsewhere, "a", "--here", "--state", str(tmp_path / "private"))
    assert said(done) == [f"--x {elsewhere.folder}/home {elsewhere.folder}"]
    assert (tmp_path / "private/logs/a.log").is_file()
    assert not (elsewhere.folder / ".jobs-here").exists()


def test_here_needs_no_build_and_takes_the_manifest_as_it_is_now(elsewhere: Project) -> None:
    run(elsewhere, "a", "--here")
    text = (elsewhere.folder / "jobs.toml").read_text()
    (elsewhere.folder / "jobs.toml").write_text(text.replace("--x", "--y"))
    assert said(run(elsewhere, "a", "--here", "--force"))[0].startswith("--y ")
