"""The commands against a second double with other spellings: whatever is read too narrowly breaks here."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.install.project import PREFIX, Project, interval, job
from tests.launchctl_second.control import DOMAIN, Second, write_plist


class SecondProject(Project):
    def __init__(self, folder: Path, era: str) -> None:
        self.second = Second(folder / "second", era)
        super().__init__(folder, self.second)

    def started(self, name: str) -> Path:
        """Where a job's script writes its pid."""
        return self.root / f"{name}.started"


@pytest.fixture(params=["old", "new"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SecondProject]:
    made = SecondProject(tmp_path, request.param)
    yield made
    made.second.shutdown()


A, B = f"{PREFIX}.a", f"{PREFIX}.b"


def wait_for(path: Path) -> None:
    end = time.monotonic() + 10
    while not path.exists():
        assert time.monotonic() < end, path
        time.sleep(0.01)


def run_long(project: SecondProject, name: str, *, obeys: bool) -> None:
    """Install a job that runs on, and start it."""
    trap = "trap 'exit 0' TERM" if obeys else "trap '' TERM"
    project.script(name, f"{trap}\necho $$ >{project.started(name)}\nwhile :; do sleep 0.05; done")
    project.install(interval(name, 'kill_after = "1s"'))
    project.second.call("kickstart", f"{DOMAIN}/{PREFIX}.{name}")
    wait_for(project.started(name))


def test_install_is_done_once(project: SecondProject) -> None:
    out = project.install(job("a"), interval("b"))
    assert "2 jobs loaded" in out
    assert project.second.labels() == {A, B}
    project.second.forget_calls()
    assert "2 jobs loaded" in project.jobs("install")
    assert project.second.writes() == []
    project.jobs("status")


@pytest.mark.slow
def test_changed_and_removed_jobs(project: SecondProject) -> None:
    project.install(job("a"), interval("b"))
    project.second.forget_calls()
    out = project.install(job("a").replace("09:30", "10:30"))
    assert "1 job loaded; 1 removed" in out
    assert project.second.labels() == {A}
    assert [words[0] for words in project.second.writes()] == ["bootout", "bootout", "bootstrap"]
    assert "1 job removed" in project.jobs("uninstall")
    assert project.second.labels() == set()


@pytest.mark.slow
def test_running_job_is_stopped_with_now(project: SecondProject) -> None:
    run_long(project, "a", obeys=True)
    project.manifest(interval("a").replace("30m", "45m"))
    project.jobs("build")
    assert "1 job loaded" in project.jobs("install", "--now")
    assert project.second.labels() == {A}


@pytest.mark.slow
def test_job_that_ignores_term_is_waited_for(project: SecondProject) -> None:
    run_long(project, "a", obeys=False)
    pid = int(project.started("a").read_text())
    project.manifest(interval("a").replace("30m", "45m"))
    project.jobs("build")
    assert "1 job loaded" in project.jobs("install", "--now")
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert project.second.labels() == {A}


@pytest.mark.slow
def test_override_is_lifted_and_items_of_the_login_do_not_count(project: SecondProject) -> None:
    project.second.call("disable", f"{DOMAIN}/{A}")
    assert "an override switches it off" in project.install(job("a"))
    assert project.second.labels() == {A}
    project.second.forget_calls()
    project.jobs("install")
    assert project.second.writes() == []


@pytest.mark.slow
def test_disable_and_enable(project: SecondProject) -> None:
    project.install(job("a"))
    assert "switched off" in project.jobs("disable", "a")
    assert project.second.labels() == set()
    project.second.forget_calls()
    project.jobs("install")
    assert project.second.writes() == []
    assert "switched off" in project.jobs("status")
    assert "loaded" in project.jobs("enable", "a")
    assert project.second.labels() == {A}


@pytest.mark.slow
def test_restart(project: SecondProject) -> None:
    run_long(project, "a", obeys=True)
    first = project.started("a").read_text()
    project.started("a").unlink()
    assert "started again" in project.jobs("restart", "a")
    wait_for(project.started("a"))
    assert project.started("a").read_text() != first


@pytest.mark.slow
def test_running_job_in_the_table(project: SecondProject) -> None:
    run_long(project, "a", obeys=True)
    (row,) = project.json("status")["jobs"]
    assert row["state"] == "running"
    assert row["pid"]
    assert row["drift"] == []


@pytest.mark.slow
def test_label_of_somebody_else_is_left(project: SecondProject) -> None:
    foreign = project.home / "elsewhere" / "x.plist"
    write_plist(foreign, A, "/bin/sleep", "1000")
    project.second.load(foreign)
    assert "left alone" in project.install(job("a"), status=1)
    assert project.second.labels() == {A}
    assert str(foreign) in project.second.call("print", f"{DOMAIN}/{A}").stdout


@pytest.mark.slow
@pytest.mark.parametrize("code", [112, 125])
def test_no_desktop_session(tmp_path: Path, code: int) -> None:
    project = Project(tmp_path, Second(tmp_path / "second", "new", session=code))
    out = project.install(job("a"), status=1)
    assert "no desktop session" in out
    assert not list(project.agents.glob("*"))


@pytest.mark.slow
def test_probe_of_the_doctor(project: SecondProject) -> None:
    project.install(job("a"))
    project.start("doctor", "--probe").communicate(timeout=60)
    assert project.second.labels() == {A}


@pytest.mark.slow
def test_rollback(project: SecondProject) -> None:
    project.install(job("a"))
    project.install(job("a").replace("09:30", "10:30"))
    assert "1 job loaded" in project.jobs("rollback")
    assert '"Hour" => 9' in project.second.call("print", f"{DOMAIN}/{A}").stdout
