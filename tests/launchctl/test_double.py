"""The double itself: it must do what the reference says, or the tests on top of it prove nothing."""

from __future__ import annotations

import os
import plistlib
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.launchctl.behaviours import BEHAVIOURS, FIXED
from tests.launchctl.control import Double
from tests.launchctl.fires import fits

LABEL = "org.acme.tidy"
UID = os.getuid()
STUBBORN = "trap '' TERM; while :; do sleep 0.02; done"
TARGET = f"gui/{UID}/{LABEL}"


@pytest.fixture
def double(tmp_path: Path) -> Iterator[Double]:
    made = Double(tmp_path / "launchd", home=str(tmp_path))
    yield made
    made.shutdown()


def load(double: Double, script: str, domain: str = f"gui/{UID}", **keys: Any) -> int:
    """The status of bootstrapping a job that runs a line of shell."""
    path = double.folder / f"{LABEL}.plist"
    path.write_bytes(plistlib.dumps({"Label": LABEL, "ProgramArguments": ["/bin/sh", "-c", script], **keys}))
    path.chmod(0o644)
    return double.call("bootstrap", domain, str(path)).returncode


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not true():
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.01)


def state(double: Double) -> str:
    service = double.services().get(LABEL)
    return service["state"] if service else "gone"


def start(double: Double) -> None:
    assert double.call("kickstart", TARGET).returncode == 0


def test_every_behaviour_names_a_source() -> None:
    marks = ("[S]", "[M]", "[F]", "[P]", "[I]", "none:", "Apple", "reference")
    for key, (_, what, source) in BEHAVIOURS.items():
        assert what, key
        assert any(mark in source for mark in marks), key
    assert all(any(mark in source for mark in marks) for _, source in FIXED)


def test_environment_is_launchds_own(double: Double, tmp_path: Path) -> None:
    load(double, f"env > {tmp_path}/env; pwd >> {tmp_path}/env", EnvironmentVariables={"OWN": "1"})
    start(double)
    double.settle()
    lines = (tmp_path / "env").read_text().splitlines()
    assert "PATH=/usr/bin:/bin:/usr/sbin:/sbin" in lines
    assert f"HOME={tmp_path}" in lines
    assert "OWN=1" in lines
    assert f"XPC_SERVICE_NAME={LABEL}" in lines
    assert not [line for line in lines if line.startswith(("LANG=", "LC_", "PYTHON", "VIRTUAL_ENV"))]
    assert lines[-1] == "/"


def test_process_group_gets_term_at_exit(double: Double, tmp_path: Path) -> None:
    child = f"trap 'echo term > {tmp_path}/mark; exit' TERM; while :; do sleep 0.02; done"
    load(double, f'sh -c "{child}" & sleep 0.2')
    start(double)
    until((tmp_path / "mark").exists)


def test_abandoned_group_lives_on(double: Double, tmp_path: Path) -> None:
    load(double, f"(sleep 0.3; echo alive > {tmp_path}/mark) & :", AbandonProcessGroup=True)
    start(double)
    until((tmp_path / "mark").exists)


def test_draining_job_keeps_its_label(double: Double) -> None:
    double.set(deaf=True)
    load(double, STUBBORN)
    start(double)
    until(lambda: state(double) == "running")
    assert double.call("bootout", TARGET).returncode == 0
    assert double.call("print", TARGET).returncode == 0
    assert double.call("kickstart", TARGET).returncode == 37
    assert load(double, STUBBORN) == 5
    os.kill(double.services()[LABEL]["pid"], signal.SIGKILL)
    until(lambda: double.call("print", TARGET).returncode == 113)


def test_kill_after_exit_timeout(double: Double) -> None:
    load(double, STUBBORN, ExitTimeOut=5)
    start(double)
    until(lambda: state(double) == "running")
    assert double.call("bootout", TARGET).returncode == 0
    until(lambda: double.call("print", TARGET).returncode == 113)


def test_error_5_hides_the_true_code(double: Double) -> None:
    assert load(double, "exit 0") == 0
    assert load(double, "exit 0") == 5
    assert "Bootstrap failed (37:" in double.log()
    double.set(hide=False)
    assert load(double, "exit 0") == 37


@pytest.mark.parametrize(
    ("keys", "domain", "code"),
    [
        ({}, f"user/{UID}", 134),
        ({"LimitLoadToSessionType": "Background"}, f"user/{UID}", 0),
        ({"LimitLoadToSessionType": "Background"}, f"gui/{UID}", 134),
        ({"Label": ""}, f"gui/{UID}", 110),
        ({"Label": "com.apple.launchd.x"}, f"gui/{UID}", 140),
        ({"ProgramArguments": []}, f"gui/{UID}", 111),
        ({"Disabled": True}, f"gui/{UID}", 119),
    ],
)
def test_true_codes(double: Double, keys: dict[str, Any], domain: str, code: int) -> None:
    double.set(hide=False)
    assert load(double, "exit 0", domain, **keys) == code


def test_mode_and_missing_file(double: Double, tmp_path: Path) -> None:
    double.set(hide=False)
    load(double, "exit 0")
    double.call("bootout", TARGET)
    path = double.folder / f"{LABEL}.plist"
    path.chmod(0o664)
    assert double.call("bootstrap", f"gui/{UID}", str(path)).returncode == 122
    assert double.call("bootstrap", f"gui/{UID}", str(tmp_path / "none.plist")).returncode == 2


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["bootstrap", TARGET, "/x.plist"], 64),
        (["bootout", "--wait", TARGET], 64),
        (["bootout", TARGET], 3),
        (["print", TARGET], 113),
        (["kickstart", TARGET], 113),
        (["list", LABEL], 113),
        (["kill", "TERM", TARGET], 113),
        (["enable", TARGET], 0),
        (["unload", "/nowhere.plist"], 0),
        (["nonsense"], 64),
    ],
)
def test_statuses_without_the_job(double: Double, words: list[str], code: int) -> None:
    assert double.call(*words).returncode == code


def test_kill_of_an_idle_job(double: Double) -> None:
    load(double, "exit 0")
    answer = double.call("kill", "TERM", TARGET)
    assert (answer.returncode, answer.stderr.strip()) == (3, "No process to signal.")


def test_overrides_outlive_bootout_and_file(double: Double) -> None:
    load(double, "exit 0")
    double.call("disable", TARGET)
    double.call("bootout", TARGET)
    (double.folder / f"{LABEL}.plist").unlink()
    assert f'"{LABEL}" => disabled' in double.call("print-disabled", f"gui/{UID}").stdout
    double.set(disabled_spelling="booleans")
    assert f'"{LABEL}" => true' in double.call("print-disabled", f"user/{UID}").stdout
    double.set(shared_overrides=False)
    assert LABEL not in double.call("print-disabled", f"user/{UID}").stdout


def test_78_for_a_program_that_is_not_there(double: Double) -> None:
    load(double, "", ProgramArguments=["/nowhere/x"])
    start(double)
    double.settle()
    assert "last exit code = 78: EX_CONFIG" in double.call("print", TARGET).stdout


def test_signal_replaces_the_exit_code(double: Double) -> None:
    load(double, "kill -TERM $$")
    start(double)
    double.settle()
    assert "last terminating signal = Terminated: 15" in double.call("print", TARGET).stdout
    assert "last exit code" not in double.call("print", TARGET).stdout
    assert f"-\t-15\t{LABEL}" in double.call("list").stdout
    assert '"LastExitStatus" = 15;' in double.call("list", LABEL).stdout


def test_list_gives_the_raw_status(double: Double) -> None:
    load(double, "exit 127")
    start(double)
    double.settle()
    assert '"LastExitStatus" = 32512;' in double.call("list", LABEL).stdout


def test_run_at_load_and_throttle(double: Double) -> None:
    double.set(scale=0.05)
    load(double, "exit 0", RunAtLoad=True)
    until(lambda: double.services()[LABEL]["runs"] == 1 and state(double) == "not running")
    begin = time.monotonic()
    double.call("kickstart", TARGET)
    assert time.monotonic() - begin > 0.2  # it blocks while the start is put off
    until(lambda: double.services()[LABEL]["runs"] == 2)


def test_keep_alive_starts_again(double: Double) -> None:
    load(double, "exit 1", KeepAlive={"SuccessfulExit": False})
    until(lambda: double.services()[LABEL]["runs"] >= 2)


def test_keep_alive_after_success_only(double: Double) -> None:
    load(double, "exit 0", KeepAlive={"SuccessfulExit": False})
    double.settle()
    assert double.services()[LABEL]["runs"] == 1


def test_launch_only_once_forgets_the_job(double: Double) -> None:
    load(double, "exit 0", LaunchOnlyOnce=True)
    start(double)
    double.settle()
    assert double.call("kickstart", TARGET).returncode == 113


EPOCH = 1_796_083_200  # 2026-12-01 00:00:00 UTC
DAY = 86400


def test_calendar_in_virtual_time(double: Double, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    double.set_clock(EPOCH)
    load(double, f"echo $JOBS_NOW >> {tmp_path}/fires", StartCalendarInterval={"Hour": 9, "Minute": 30})
    assert double.advance(EPOCH + DAY) == 1
    assert double.advance(EPOCH + DAY) == 0
    assert double.sleep(EPOCH + 5 * DAY) == 1  # four fires in one sleep are one run
    fires = [int(line) for line in (tmp_path / "fires").read_text().split()]
    assert fires == [EPOCH + 9 * 3600 + 1800, EPOCH + 5 * DAY]


def test_interval_in_virtual_time(double: Double, tmp_path: Path) -> None:
    double.set_clock(EPOCH)
    load(double, f"echo $JOBS_NOW >> {tmp_path}/fires", StartInterval=3600)
    assert [double.advance(EPOCH + 7200) for _ in range(3)] == [1, 1, 0]
    assert double.sleep(EPOCH + DAY) == 0  # lost in sleep
    assert [int(line) for line in (tmp_path / "fires").read_text().split()] == [EPOCH + 3600, EPOCH + 7200]


@pytest.mark.parametrize(
    ("entry", "moment", "reading", "expected"),
    [
        ({"Hour": 9, "Minute": 0}, (2026, 12, 1, 9, 0), "exact", True),
        ({"Hour": 9}, (2026, 12, 1, 9, 59), "exact", True),
        ({"Day": 13, "Weekday": 5, "Hour": 0, "Minute": 0}, (2026, 12, 4, 0, 0), "exact", True),
        ({"Day": 13, "Weekday": 5, "Hour": 0, "Minute": 0}, (2026, 12, 13, 0, 0), "exact", True),
        ({"Day": 13, "Weekday": 5, "Hour": 0, "Minute": 0}, (2026, 12, 3, 0, 0), "exact", False),
        ({"Weekday": 7, "Hour": 0, "Minute": 0}, (2026, 12, 6, 0, 0), "exact", True),
        ({"Month": 6, "Weekday": 1, "Hour": 9, "Minute": 0}, (2026, 12, 7, 9, 0), "exact", False),
        ({"Month": 6, "Weekday": 1, "Hour": 9, "Minute": 0}, (2026, 12, 7, 9, 0), "842", True),
        ({"Day": 31, "Hour": 12, "Minute": 0}, (2026, 5, 1, 12, 0), "exact", False),
        ({"Day": 31, "Hour": 12, "Minute": 0}, (2026, 5, 1, 12, 0), "842", True),
        ({"Day": 31, "Hour": 12, "Minute": 0}, (2026, 3, 3, 12, 0), "842", True),
        ({"Month": 2, "Day": 29, "Hour": 12, "Minute": 0}, (2027, 3, 1, 12, 0), "842", True),
    ],
)
def test_calendar_readings(
    entry: dict[str, int], moment: tuple[int, int, int, int, int], reading: str, *, expected: bool
) -> None:
    at = time.localtime(time.mktime((*moment, 0, 0, 0, -1)))
    assert fits(entry, at, reading) is expected
