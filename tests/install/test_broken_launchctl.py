"""A launchctl that is none: what it says is never taken for an answer, and nothing is left half done."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from jobs.errors import MachineError
from jobs.system import launchctl
from jobs.system.launchctl import Launchctl
from tests.install.project import Project, job


class Broken:
    """A program in the place of launchctl."""

    def __init__(self, folder: Path, script: str) -> None:
        self.program = folder / "launchctl"
        self.program.write_text(f"#!/bin/sh\n{script}\n")
        self.program.chmod(0o755)

    def environment(self) -> dict[str, str]:
        return {"JOBS_LAUNCHCTL": str(self.program)}


@pytest.mark.parametrize(
    ("script", "words"),
    [
        pytest.param("exit 0", "with nothing that tells of a job", id="does nothing"),
        pytest.param("echo fish and chips", "nothing that tells of a job ('fish and chips')", id="garbage"),
        pytest.param("head -c 3000 /dev/urandom", "nothing that tells of a job", id="bytes"),
        pytest.param("kill -9 $$", "launchctl itself was killed by signal 9", id="is killed"),
        pytest.param("echo no >&2; exit 64", "64: usage error (no)", id="knows no verb"),
        pytest.param("exec /nowhere/launchctl", "127", id="a wrapper around nothing"),
        pytest.param(
            "case $1 in print) exit 113 ;; esac", "launchd took it and does not know it afterwards", id="forgets"
        ),
    ],
)  # fmt: skip
def test_install_and_status(tmp_path: Path, script: str, words: str) -> None:
    project = Project(tmp_path, Broken(tmp_path, script))
    assert words in project.install(job("a"), status=1)
    assert not list(project.agents.glob("*"))
    out = project.start("status").communicate(timeout=30)
    assert "Traceback" not in "".join(out)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        pytest.param(lambda path: path.mkdir(), "that is a folder", id="folder"),
        pytest.param(lambda path: path.write_text("x"), "that file is not executable", id="not executable"),
        pytest.param(lambda _: None, "there is no such program", id="not there"),
    ],
)
def test_no_program(tmp_path: Path, make: object, words: str) -> None:
    project = Project(tmp_path)
    program = tmp_path / "launchctl"
    make(program)  # type: ignore[operator]
    project.variables["JOBS_LAUNCHCTL"] = str(program)
    assert words in project.install(job("a"), status=2)


@pytest.mark.parametrize("verb", ["print", "print-disabled"])
def test_silence_ends_with_the_time_limit(tmp_path: Path, verb: str) -> None:
    # A grandchild that ignores TERM: the script's whole group is ended.
    note = tmp_path / "pid"
    found = Launchctl(str(Broken(tmp_path, f"sleep 1000 & echo $! >{note}; wait").program))
    found.limits_s = {"print": 0.3, "print-disabled": 0.3}
    with pytest.raises(MachineError, match="no answer within"):
        found.service("gui/501/x") if verb == "print" else found.disabled("gui/501")
    end = time.monotonic() + 5
    while _lives(int(note.read_text())):
        assert time.monotonic() < end
        time.sleep(0.01)


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except FileNotFoundError:
        return False


def test_endless_answer_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launchctl, "LARGEST", 1 << 20)
    found = Launchctl(str(Broken(tmp_path, "while :; do head -c 100000 /dev/zero; sleep 0.01; done").program))
    with pytest.raises(MachineError, match="more than 1 MB of answer"):
        found.service("gui/501/x")
