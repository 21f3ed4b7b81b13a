"""Machines on which an install cannot work: a full disk, a folder of somebody else's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.install.project import PREFIX, DoubleProject, Project, job
from tests.tools import require_tool

OTHER = 65534

FULL = """
set -u
mount -t tmpfs -o size=1m,mode=700 none "$SMALL" || exit 9
"$PYTHON" -m jobs install >first 2>&1 || exit 10
cp "$PLIST" before
cp changed.toml jobs.toml
"$PYTHON" -m jobs build >built 2>&1 || exit 11
dd if=/dev/zero of="$SMALL/fill" bs=1k 2>/dev/null
dd if=/dev/zero of="$SMALL/fill.rest" bs=1 2>/dev/null
"$PYTHON" -m jobs install >full 2>&1
echo $? >full.status
cp "$PLIST" during
ls -A "$AGENTS" >during.files
rm "$SMALL/fill" "$SMALL/fill.rest"
"$PYTHON" -m jobs install >after 2>&1 || exit 12
"$PYTHON" -m jobs status >status 2>&1 || exit 13
cp "$PLIST" after.plist
"""


@pytest.fixture
def project(tmp_path: Path) -> Iterator[DoubleProject]:
    made = DoubleProject(tmp_path)
    yield made
    made.double.shutdown()


@pytest.mark.slow
@pytest.mark.parametrize("small", ["agents", "state"])
def test_full_disk(project: DoubleProject, small: str) -> None:
    unshare = require_tool("unshare")
    if subprocess.run([unshare, "-m", "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("a file system cannot be mounted here: that needs root")
    project.manifest(job("a").replace("09:30", "10:30"))
    (project.root / "jobs.toml").rename(project.root / "changed.toml")
    project.manifest(job("a"))
    project.jobs("build")
    folder: Path = getattr(project, small)
    folder.mkdir(parents=True)
    plist = project.agents / f"{PREFIX}.a.plist"
    places = {"SMALL": folder, "AGENTS": project.agents, "PLIST": plist, "PYTHON": sys.executable}
    done = subprocess.run(
        [unshare, "-m", "/bin/sh", "-c", FULL],
        cwd=project.root,
        env={**project.environment(), **{key: str(value) for key, value in places.items()}},
        capture_output=True,
        text=True,
        check=False,
    )
    told = {path.name: path.read_text() for path in project.root.iterdir() if path.is_file()}
    assert done.returncode == 0, (done, told)
    assert told["full.status"] == "1\n"
    assert "No space left on device" in told["full"]
    assert "Traceback" not in told["full"]
    assert told["during"] == told["before"]
    assert f"{PREFIX}.a.plist" in told["during.files"]
    assert "jobs-new" not in told["during.files"]
    assert "1 job loaded" in told["after"]
    assert told["after.plist"] == (project.root / f"generated/launchd/{PREFIX}.a.plist").read_text()


class Nothing:
    """A launchd that has nothing loaded and notes what is asked of it."""

    def __init__(self, folder: Path) -> None:
        self.calls = folder / "calls"
        self.program = folder / "launchctl"
        self.program.write_text(
            f'#!/bin/sh\necho "$1" >>"{self.calls}"\n[ "$1" = print-disabled ] || exit 113\n'
        )
        self.program.chmod(0o755)

    def environment(self) -> dict[str, str]:
        return {"JOBS_LAUNCHCTL": str(self.program)}


@pytest.mark.parametrize("what", ["agents", "state", "logs"])
def test_folder_that_is_read_only(what: str) -> None:
    with tempfile.TemporaryDirectory() as name:  # not tmp_path, into which nobody else may look
        root = Path(name)
        root.chmod(0o755)
        launchd = Nothing(root)
        project = Project(root, launchd)
        project.manifest(job("a"))
        project.jobs("build")
        folder = {"agents": project.agents, "state": project.state, "logs": project.home / "Library/Logs/p"}[
            what
        ]
        folder.mkdir(parents=True)
        folder.chmod(0o555)
        before: list[str] = []
        if os.getuid() == 0:
            before = [require_tool("setpriv"), f"--reuid={OTHER}", f"--regid={OTHER}", "--clear-groups"]
            for path in (root, *root.rglob("*")):
                os.chown(path, OTHER, OTHER)
        done = subprocess.run(
            [*before, sys.executable, "-m", "jobs", "install"],
            cwd=project.root,
            env=project.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        out = done.stdout + done.stderr
        if before and "init_fs_encoding" in out:
            pytest.skip("another user cannot start this Python")
        assert done.returncode == 1, out
        assert str(folder) in out
        assert "Traceback" not in out
        asked = launchd.calls.read_text().split() if launchd.calls.exists() else []
        assert set(asked) <= {"print", "print-disabled"}
        assert not list(project.agents.glob("*"))


def test_agents_of_root(project: DoubleProject) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can give its home to somebody else")
    project.manifest(job("a"))
    project.jobs("build")
    shutil.chown(project.home, OTHER)
    out = project.jobs("install", status=2)
    assert "run it without sudo" in out
    assert project.double.calls() == []
