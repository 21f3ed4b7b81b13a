"""The commands as a user calls them: a real manifest, a real build, the double, real wrappers."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.install.project import PREFIX, DoubleProject, interval, job
from tests.install.world import DOMAIN


@pytest.fixture
def project(tmp_path: Path) -> Iterator[DoubleProject]:
    made = DoubleProject(tmp_path)
    yield made
    made.double.shutdown()


def test_from_manifest_to_launchd_and_back(project: DoubleProject) -> None:
    out = project.install(job("a"), job("b"))
    assert out.splitlines()[-1] == "2 jobs loaded"
    assert sorted(path.name for path in project.agents.iterdir()) == [
        f"{PREFIX}.{name}.plist" for name in "ab"
    ]
    project.double.forget_calls()
    assert project.jobs("install").splitlines()[-1] == "2 jobs loaded"
    assert project.double.writes() == []
    (row, _) = project.json("status")["jobs"]
    assert (row["name"], row["state"], row["drift"]) == ("a", "loaded", [])
    assert "2 jobs removed" in project.jobs("uninstall")
    assert not list(project.agents.iterdir())


def test_dry_run_changes_nothing_and_prints_the_calls(project: DoubleProject) -> None:
    project.manifest(job("a"))
    project.jobs("build")
    out = project.jobs("install", "--dry-run")
    assert f"$ launchctl bootstrap {DOMAIN} {project.agents}/{PREFIX}.a.plist" in out
    assert project.double.writes() == []
    assert not project.state.exists()
    assert not project.agents.exists()


def test_stale_build_stops(project: DoubleProject) -> None:
    project.install(job("a"))
    project.manifest(job("a", 'timeout = "5m"'))
    assert "is stale" in project.jobs("install", status=1)
    assert "run `jobsctl build` first" in project.jobs("install", status=1)


def test_lint_error_stops(project: DoubleProject) -> None:
    project.script("a", 'mkdir -p "$HOME/.lock" || exit 1\ntrap \'rm -rf "$HOME/.lock"\' EXIT\necho work')
    project.manifest(job("a"))
    project.jobs("build")
    project.jobs("lint", "--fail-on", "error", status=1)
    assert "nothing was installed" in project.jobs("install", status=2)
    assert project.double.writes() == []


def test_without_launchctl(project: DoubleProject) -> None:
    project.manifest(job("a"))
    project.jobs("build")
    project.variables = {"JOBS_LAUNCHCTL": None, "PATH": "/usr/bin:/bin"}
    assert "there is no launchctl on this machine: jobs are installed on a Mac" in project.jobs(
        "install", status=2
    )


@pytest.mark.parametrize("code", [125, 112], ids=["S34-125", "S34-112"])
def test_no_desktop_session(project: DoubleProject, code: int) -> None:
    project.manifest(job("a"))
    project.jobs("build")
    project.double.set(session=code)
    out = project.jobs("install", status=1)
    assert 'no desktop session: log in once at the screen of this Mac, or use domain = "user"' in out
    assert len(project.double.calls()) == 1
    assert "launchd is not asked" in project.jobs("status", status=1)


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"SUDO_UID": "501"}, "run it without sudo"),
        ({"HOME": "/nonexistent"}, "the manifest is for the home"),
        ({"HOME": None}, "the manifest is for the home"),
    ],
    ids=["sudo", "other-home", "no-home"],
)
def test_wrong_user(project: DoubleProject, variables: dict[str, str | None], words: str) -> None:
    project.manifest(job("a"))
    project.jobs("build")
    project.variables = variables
    assert words in project.jobs("install", status=2)


def test_launch_agents_is_a_file(project: DoubleProject) -> None:
    project.manifest(job("a"))
    project.jobs("build")
    project.agents.parent.mkdir(parents=True)
    project.agents.write_text("")
    assert "LaunchAgents" in project.jobs("install", status=1)
    assert project.double.writes() == []


def test_foreign_plist_is_named_and_forced(project: DoubleProject) -> None:
    project.manifest(job("a"), job("b"))
    project.jobs("build")
    project.agents.mkdir(parents=True)
    foreign = project.agents / f"{PREFIX}.a.plist"
    foreign.write_text("mine")
    out = project.jobs("install", status=1)
    assert "left alone: a:" in out
    assert foreign.read_text() == "mine"
    assert "1 job loaded; NOT as the manifest says: a" in out
    assert "a copy of what was there is kept" in project.jobs("install", "--force", "a")
    assert [path.read_text() for path in (project.state / "install/kept").iterdir()] == ["mine"]
    assert "did you mean" in project.jobs("install", "--force", "aa", status=2)


def test_rollback_takes_wrappers_and_jobs_back(project: DoubleProject) -> None:
    project.install(job("a"))
    wrapper = (project.root / "generated/bin/a").read_bytes()
    project.install(job("a", 'timeout = "5m"'), job("b"))
    assert project.json("rollback", "--list")[0]["steps"] == 1
    assert "back to set 1: 1 job loaded; 1 removed" in project.jobs("rollback")
    assert (project.root / "generated/bin/a").read_bytes() == wrapper
    assert not (project.root / "generated/bin/b").exists()
    assert "the manifest says otherwise" not in project.jobs("status", status=1)
    assert "is stale" in project.jobs("install", status=1)


def test_manifest_is_gone(project: DoubleProject) -> None:
    project.install(job("a"), job("b"))
    (project.root / "jobs.toml").unlink()
    assert "1 job removed" in project.jobs("uninstall", "a")
    assert "1 job removed" in project.jobs("uninstall", "--state", str(project.state))
    assert not list(project.agents.iterdir())


def wait(true: Any) -> None:
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def running(project: DoubleProject, name: str) -> bool:
    service = project.double.services().get(f"{PREFIX}.{name}")
    return service is not None and service["state"] == "running"


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM], ids=["ctrl-c", "kill-9", "term"]
)
def test_stop_in_the_middle_is_completed_by_the_next_install(
    project: DoubleProject, number: signal.Signals
) -> None:
    project.script("a", "touch up; while [ -e up ]; do sleep 0.05; done")
    project.install(interval("a"), job("b"))
    project.double.call("kickstart", f"{DOMAIN}/{PREFIX}.a")
    wait(lambda: running(project, "a"))
    project.manifest(interval("a", 'kill_after = "5s"'), job("b", 'kill_after = "5s"'))
    project.jobs("build")
    project.double.forget_calls()
    process = project.start("install", "--now") if number == signal.SIGKILL else project.start("install")
    wait(lambda: any(words[0] == "bootstrap" for words in project.double.writes()))
    process.send_signal(number)
    process.communicate(timeout=30)
    assert process.returncode in {130, -number, 0}
    (project.root / "up").unlink(missing_ok=True)
    wait(lambda: not running(project, "a"))
    project.jobs("install")
    assert project.json("status")["not_in_manifest"] == []
    project.double.forget_calls()
    project.jobs("install")
    assert project.double.writes() == []


def test_fire_in_virtual_time_runs_the_real_wrapper(project: DoubleProject) -> None:
    project.install(job("a"))
    tomorrow = (int(time.time()) // 86400 + 1) * 86400
    project.double.set_clock(tomorrow)
    assert project.double.advance(tomorrow + 86400) == 1
    project.variables = {"JOBS_NOW": str(tomorrow + 10 * 3600)}
    (row,) = project.json("status")["jobs"]
    assert row["last"]["word"] == "ok"
    assert row["last"]["slot"] == time.strftime("%Y%m%dT0930", time.gmtime(tomorrow))
    assert row["missed"] == 0
    assert "ended well" in project.jobs("why", "a")
    assert "ok" in project.jobs("history", "a")
    assert "done" in project.jobs("logs", "a")


def test_s37_slots_without_a_run_are_counted(project: DoubleProject) -> None:
    project.install(job("a"))
    days = int(time.time()) // 86400 * 86400 + 5 * 86400
    project.variables = {"JOBS_NOW": str(days)}
    (row,) = project.json("status")["jobs"]
    assert row["missed"] in {4, 5}  # by the hour of the day at which the test runs
    assert "launchd did not start it" in project.jobs("why", "a")


def test_wrapper_that_is_gone_shows_as_78(project: DoubleProject) -> None:
    project.install(job("a"))
    (project.root / "generated/bin/a").unlink()
    project.double.call("kickstart", f"{DOMAIN}/{PREFIX}.a")
    project.double.settle()
    (row,) = project.json("status")["jobs"]
    assert row["ended"].startswith("exit 78: launchd could not start it")
    findings = project.json("doctor", "--no-probe", status=1)
    assert {"files", "loaded"} <= {finding["check"] for finding in findings}


def test_doctor_with_a_probe(project: DoubleProject) -> None:
    project.install(job("a", 'env_file = "/nowhere/.env"'), status=0)
    findings = project.json("doctor", status=1)
    assert ("probe", "env_file is not there: /nowhere/.env") in {
        (one["check"], one["message"]) for one in findings
    }
    assert set(project.double.services()) == {f"{PREFIX}.a"}


def test_disable_enable_restart(project: DoubleProject) -> None:
    project.install(job("a"), job("b"))
    assert "switched off" in project.jobs("disable", "a")
    assert "2 jobs" not in project.jobs("install")
    assert project.json("status", "a")["jobs"][0]["state"] == "switched off"
    assert "switched on" in project.jobs("enable", "a")
    assert "started again" in project.jobs("restart", "b")
    assert "did you mean" in project.jobs("restart", "bb", status=2)


@pytest.mark.parametrize(
    "verb",
    [
        "install",
        "uninstall",
        "rollback",
        "enable",
        "disable",
        "restart",
        "status",
        "history",
        "logs",
        "why",
        "doctor",
    ],
)
def test_help_has_an_example(project: DoubleProject, verb: str) -> None:
    assert f"jobsctl {verb}" in project.jobs(verb, "--help")
