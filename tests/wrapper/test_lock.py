"""The lock among real processes: busy, dead owners, recycled numbers, orphans, storms."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from jobs.model.job import Lock
from tests.tools import require_tool
from tests.wrapper.sandbox import NOON, Sandbox, group_members, kill_group, wait_until

WAIT_FOR_GO = 'echo up; until [ -e "$GO" ]; do sleep 0.02; done; echo done'
METHODS = pytest.mark.parametrize("method", ["mkdir", "flock"])


def plant_owner(sandbox: Sandbox, name: str, owner: str) -> Path:
    """A lock that somebody left behind."""
    folder = sandbox.state / "lock" / name
    folder.mkdir(parents=True)
    (folder / "owner").symlink_to(owner)
    return folder


def dead_pid() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen(["true"], start_new_session=True)
    process.wait()
    return process.pid


def start_holder(sandbox: Sandbox, name: str, lock: Lock) -> subprocess.Popen[bytes]:
    """A run that holds its lock until `go` exists."""
    go = sandbox.base / "go"
    sandbox.add(name, WAIT_FOR_GO, every_s=60, lock=lock, env=(("GO", str(go)),))
    process = sandbox.start(name)
    wait_until(lambda: sandbox.log(name).exists() and "up" in sandbox.said(name))
    return process


@METHODS
def test_busy_is_a_skip_and_names_the_holder(any_shell: Sandbox, method: str) -> None:
    lock = Lock("shared", method=method)  # type: ignore[arg-type]
    holder = start_holder(any_shell, "holder", lock)
    any_shell.add("job", "echo ran", every_s=60, lock=lock)
    assert any_shell.run("job") == 0
    skip = any_shell.records("job")[0]
    assert (skip["event"], skip["reason"]) == ("skip", "lock")
    assert skip["holder"].split(".")[0] == str(holder.pid)
    assert skip["holder"].endswith(".holder")
    (any_shell.base / "go").touch()
    assert holder.wait(timeout=30) == 0
    assert any_shell.run("job") == 0
    assert any_shell.story("job") == ["skip lock", "end ok"]


@METHODS
def test_wait(any_shell: Sandbox, method: str) -> None:
    holder = start_holder(any_shell, "holder", Lock("shared", method=method))  # type: ignore[arg-type]
    any_shell.add("job", "echo ran", every_s=60, lock=Lock("shared", 30, method=method))  # type: ignore[arg-type]
    waiting = any_shell.start("job")
    (any_shell.base / "go").touch()
    assert holder.wait(timeout=30) == 0
    assert waiting.wait(timeout=30) == 0
    assert any_shell.story("job") == ["end ok"]


def test_without_a_lock_runs_overlap(sandbox: Sandbox) -> None:
    sandbox.add("job", WAIT_FOR_GO, every_s=60, lock=None, env=(("GO", str(sandbox.base / "go")),))
    both = [sandbox.start("job") for _ in range(2)]
    wait_until(lambda: sandbox.log("job").exists() and sandbox.said("job").count("up") == 2)
    (sandbox.base / "go").touch()
    assert [process.wait(timeout=30) for process in both] == [0, 0]


@pytest.mark.parametrize(
    "kind",
    ["dead", "chain-of-dead", "recycled", "recycled-group", "damaged-successor"],
)
def test_a_dead_owner_is_succeeded(any_shell: Sandbox, kind: str) -> None:
    any_shell.add("job", "echo ran", every_s=60)
    stranger = subprocess.Popen(["sleep", "300"], start_new_session=True)
    try:
        dead = f"{dead_pid()}.{NOON}.77.job"
        if kind.startswith("recycled"):
            # Somebody else has the number now: his start is not the owner's.
            dead = f"{stranger.pid}.{NOON - 1000}.77.job"
        folder = plant_owner(any_shell, "job", dead)
        if kind == "chain-of-dead":
            second, third = f"{dead_pid()}.{NOON}.78.job", f"{dead_pid()}.{NOON}.79.job"
            (folder / f"after.{dead}").symlink_to(second)
            (folder / f"after.{second}").symlink_to(third)
        if kind == "damaged-successor":
            # From a chain that was given up long ago: nothing leads there.
            (folder / "after.1.2.3.job").symlink_to(f"{os.getpid()}.{NOON}.0.job")
        assert any_shell.run("job") == 0
        assert any_shell.story("job") == ["end ok"]
        assert any_shell.holder("job") is None
    finally:
        kill_group(stranger.pid)
        stranger.wait()


@pytest.mark.parametrize("owner", ["", "x", "1", "1.2", "abc.def.ghi.job", "..", "-1.0.0.job"])
def test_an_owner_that_cannot_be_read_is_believed(sandbox: Sandbox, owner: str) -> None:
    sandbox.add("job", "echo ran", every_s=60)
    plant_owner(sandbox, "job", owner or "nobody")
    assert sandbox.run("job") == 0
    assert sandbox.story("job") == ["skip lock"]


@METHODS
def test_a_killed_wrapper_whose_job_lives_on_keeps_the_lock(any_shell: Sandbox, method: str) -> None:
    lock = Lock("shared", method=method)  # type: ignore[arg-type]
    holder = start_holder(any_shell, "holder", lock)
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait(timeout=30)
    any_shell.add("job", "echo ran", every_s=60, lock=lock)
    assert group_members(holder.pid)
    assert any_shell.run("job") == 0
    assert any_shell.story("job") == ["skip lock"]
    (any_shell.base / "go").touch()
    wait_until(lambda: not group_members(holder.pid))
    assert any_shell.run("job") == 0
    assert any_shell.story("job") == ["skip lock", "end ok"]


def test_a_killed_wrapper_that_nobody_waits_for_is_dead(sandbox: Sandbox) -> None:
    holder = start_holder(sandbox, "holder", Lock("shared"))
    kill_group(holder.pid)
    wait_until(lambda: not group_members(holder.pid))  # a zombie now: this test has not waited for it
    sandbox.add("job", "echo ran", every_s=60, lock=Lock("shared"))
    assert sandbox.run("job") == 0
    assert sandbox.story("job") == ["end ok"]
    holder.wait(timeout=30)


@METHODS
def test_a_child_that_left_the_group_does_not_keep_the_lock(any_shell: Sandbox, method: str) -> None:
    setsid = require_tool("setsid")
    any_shell.add("job", f"{setsid} sleep 300 & echo $!", every_s=60, lock=Lock("job", method=method))  # type: ignore[arg-type]
    assert any_shell.run("job") == 0
    child = int(any_shell.said("job"))
    try:
        assert any_shell.run("job") == 0
        assert any_shell.story("job") == ["end ok", "end ok"]
    finally:
        kill_group(child)
        kill_group(int(any_shell.said("job").split()[-1]))


@pytest.mark.parametrize("where", ["lock", "lock/job"])
def test_a_folder_that_takes_no_links_means_no_run(sandbox: Sandbox, where: str) -> None:
    sandbox.add("job", "echo ran", every_s=60)
    assert sandbox.run("job") == 0
    target = sandbox.state / where
    for path in sorted(target.rglob("*"), reverse=True):
        path.rmdir()
    target.rmdir()
    target.write_text("a file where a folder should be")
    assert sandbox.start("job").wait(timeout=30) == 69
    assert sandbox.said("job") == "ran\n"


def count_overlaps(sandbox: Sandbox, rounds: int, starters: int, prepare: str) -> tuple[int, int]:
    """Rounds of simultaneous starts; (rounds in which two ran at once, rounds after which the lock was not free).

    The job makes a folder and removes it: a second one inside sees the first one's.
    """
    inside = sandbox.base / "inside"
    sandbox.add(
        "job",
        f'mkdir "{inside}" || {{ echo double >>"{sandbox.base}/doubles"; exit 1; }}; sleep 0.01; rmdir "{inside}"',
        every_s=60,
    )
    wedged = 0
    for _ in range(rounds):
        folder = sandbox.state / "lock" / "job"
        if prepare == "dead":
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "owner").symlink_to(f"{dead_pid()}.{NOON}.77.job")
        starts = [sandbox.start("job") for _ in range(starters)]
        for process in starts:
            process.wait(timeout=60)
        wedged += sandbox.holder("job") is not None
    doubles = sandbox.base / "doubles"
    return (doubles.read_text().count("double") if doubles.exists() else 0, wedged)


def test_storm_on_a_free_lock(sandbox: Sandbox) -> None:
    assert count_overlaps(sandbox, rounds=1, starters=100, prepare="free") == (0, 0)
    assert sandbox.story("job").count("end ok") >= 1


def test_storm_on_a_dead_lock(any_shell: Sandbox) -> None:
    assert count_overlaps(any_shell, rounds=6, starters=8, prepare="dead") == (0, 0)
    assert any_shell.story("job").count("end ok") >= 6


@pytest.mark.slow
def test_long_storm_on_a_dead_lock(any_shell: Sandbox) -> None:
    assert count_overlaps(any_shell, rounds=40, starters=8, prepare="dead") == (0, 0)
    print(f"40 rounds of 8 on a dead lock: {any_shell.story('job').count('end ok')} runs, 0 double, 0 wedged")


@pytest.mark.slow
def test_five_hundred_rounds_with_kill_at_random_moments(sandbox: Sandbox) -> None:
    import random

    dice = random.Random(20261201)
    inside = sandbox.base / "inside"
    # The job holds a kernel lock while it runs: whoever runs beside it cannot get it. The kernel frees it on kill.
    sandbox.add(
        "job",
        f'exec 9>"{inside}"; flock -n 9 || echo double >>"{sandbox.base}/doubles"; sleep 0.02',
        every_s=60,
    )
    require_tool("flock")
    killed = 0
    for _ in range(500):
        starts = [sandbox.start("job") for _ in range(4)]
        time.sleep(dice.random() * 0.04)
        for process in dice.sample(starts, 2):
            if process.poll() is None:
                os.kill(process.pid, signal.SIGKILL)
                killed += 1
        for process in starts:
            process.wait(timeout=60)
    wait_until(lambda: not any(group_members(process.pid) for process in starts))
    assert not (sandbox.base / "doubles").exists()
    before = len(sandbox.records("job"))
    assert sandbox.run("job") == 0
    assert sandbox.story("job")[-1] == "end ok"
    print(f"500 rounds of 4 starts, {killed} wrappers killed: {before} records, 0 double, 0 wedged")
