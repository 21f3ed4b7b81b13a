"""Running launchctl: which program, time limits, the statuses that have a name."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobs.errors import MachineError, UsageError
from jobs.system.launchctl import Launchctl, NoSessionError, find


def program(tmp_path: Path, script: str) -> str:
    path = tmp_path / "launchctl"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_environment_names_the_program(tmp_path: Path) -> None:
    path = program(tmp_path, "exit 0")
    assert find({"JOBS_LAUNCHCTL": path, "PATH": "/nowhere"}).program == path


def test_path_has_the_program(tmp_path: Path) -> None:
    path = program(tmp_path, "exit 0")
    assert find({"PATH": str(tmp_path)}).program == path


def test_linux_gets_a_clear_sentence() -> None:
    with pytest.raises(
        UsageError, match="there is no launchctl on this machine: jobs are installed on a Mac"
    ):
        find({"PATH": "/nowhere"})


def test_wrong_name_is_told() -> None:
    with pytest.raises(UsageError, match="JOBS_LAUNCHCTL names '/nowhere/x'"):
        find({"JOBS_LAUNCHCTL": "/nowhere/x", "PATH": ""})


@pytest.mark.parametrize("code", [112, 125])
@pytest.mark.parametrize("ask", ["service", "disabled"])
def test_no_session(tmp_path: Path, code: int, ask: str) -> None:
    launchctl = Launchctl(program(tmp_path, f"exit {code}"))
    with pytest.raises(NoSessionError, match=f"{code}: "):
        getattr(launchctl, ask)("gui/501/x")


def test_not_loaded_is_none(tmp_path: Path) -> None:
    assert Launchctl(program(tmp_path, "exit 113")).service("gui/501/x") is None


def test_other_refusal_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=r"22: Invalid argument \(Bad request\.\)"):
        Launchctl(program(tmp_path, "echo Bad request. >&2; exit 22")).service("gui/501/x")


def test_time_limit(tmp_path: Path) -> None:
    answer = Launchctl(program(tmp_path, "exec sleep 60")).call("kickstart", "x", limit_s=0.2)
    assert answer.status is None
    assert answer.reason == "no answer within 0.2 s"


def test_child_that_keeps_the_streams_does_not_hold_the_call(tmp_path: Path) -> None:
    answer = Launchctl(program(tmp_path, "sleep 60 & echo out")).call("print", "x", limit_s=5)
    assert (answer.status, answer.out) == (0, "out\n")


def test_missing_program_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="cannot be started"):
        Launchctl(str(tmp_path / "none")).call("list")


def test_own_words_are_not_doubled(tmp_path: Path) -> None:
    script = "echo 'Bootstrap failed: 5: Input/output error' >&2; exit 5"
    assert Launchctl(program(tmp_path, script)).call("bootstrap").reason == "5: Input/output error"
