"""The wrappers with other tools than GNU's, and on a disk that is full."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from jobs.model.job import Once
from tests.tools import require_tool
from tests.wrapper.sandbox import DAY, NOON, Sandbox, daily, group_members

LATE = 1793513400  # 2026-11-01, the second pass of 01:10 in New York


@pytest.fixture(params=["busybox", "toybox"])
def other_tools(request: pytest.FixtureRequest, tmp_path: Path) -> Sandbox:
    """A sandbox whose library calls the applets of busybox or toybox wherever they have one."""
    box = require_tool(request.param)
    applets = subprocess.run(
        [box, "--list"] if request.param == "busybox" else [box], capture_output=True, text=True, check=True
    ).stdout.split()
    sandbox = Sandbox(tmp_path / "box")
    folder = sandbox.base / "applets"
    folder.mkdir()
    tools = sandbox.base / "generated" / "lib" / "tools.sh"
    text = tools.read_text()
    replaced = set()
    for variable, program in re.findall(r"^(t_\w+)=(\S+)$", text, re.MULTILINE):
        name = Path(program).name
        if name in applets:
            (folder / name).symlink_to(box)
            text = text.replace(f"{variable}={program}\n", f"{variable}='{folder}/{name}'\n")
            replaced.add(name)
    tools.write_text(text)
    assert {"date", "ln", "mkdir", "mv", "rm", "readlink", "rmdir", "wc", "sleep", "tail"} <= replaced
    return sandbox


def test_a_run_from_start_to_end(other_tools: Sandbox) -> None:
    other_tools.add(
        "job", "echo $JOBS_SLOT; echo usage limit", schedule=daily(9), guards=("claude",), log_max=150
    )
    for day in range(3):
        assert other_tools.run("job", now=NOON + day * DAY) == 0
        assert other_tools.run("job", now=NOON + day * DAY) == 0
    assert other_tools.story("job") == ["end ok", "skip not-due"] * 3
    assert other_tools.holder("job") is None


def test_the_second_pass_of_an_autumn_hour(other_tools: Sandbox) -> None:
    other_tools.add("job", 'echo "$JOBS_SLOT $JOBS_LATE"', schedule=daily(1, 30, "America/New_York"))
    assert other_tools.run("job", now=LATE) == 0
    assert other_tools.said("job") == "20261101T0130 2400\n"


def test_a_time_limit(other_tools: Sandbox) -> None:
    other_tools.add("job", "trap '' TERM; sleep 300 & while :; do sleep 1; done", every_s=60, timeout_s=1)
    process = other_tools.start("job")
    assert process.wait(timeout=30) == 124
    assert group_members(process.pid) == []


def test_a_dead_owner(other_tools: Sandbox) -> None:
    other_tools.add("job", "echo ran", every_s=60)
    folder = other_tools.state / "lock" / "job"
    folder.mkdir(parents=True)
    process = subprocess.Popen(["true"], start_new_session=True)
    process.wait()
    (folder / "owner").symlink_to(f"{process.pid}.{NOON}.77.job")
    assert other_tools.run("job") == 0
    assert other_tools.story("job") == ["end ok"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with room for a few files."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=128k,nr_inodes=60", "tmpfs", str(disk)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip("no disk can be mounted here")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.parametrize("full", ["inodes", "blocks"])
def test_a_full_disk_runs_nothing_twice(small_disk: Path, tmp_path: Path, full: str) -> None:
    sandbox = Sandbox(tmp_path / "box")
    sandbox.add("job", f"echo ran >>{tmp_path}/ran", schedule=daily(9), once=Once("day"))
    (sandbox.base / "state").symlink_to(small_disk)
    small_disk.chmod(0o700)
    assert sandbox.run("job", now=NOON - DAY) == 0
    filler = small_disk / "filler"
    filler.mkdir()
    try:
        for number in range(1000):
            with (filler / str(number if full == "inodes" else 0)).open("ab") as stream:
                stream.write(b"x" * (0 if full == "inodes" else 4096))
    except OSError:
        pass
    for _ in range(3):
        sandbox.start("job", now=NOON).wait(timeout=30)
    runs = (tmp_path / "ran").read_text().count("ran")
    assert runs <= 2
    for path in filler.iterdir():
        path.unlink()
    for _ in range(2):
        assert sandbox.start("job", now=NOON).wait(timeout=30) == 0
    assert (tmp_path / "ran").read_text().count("ran") == 2
