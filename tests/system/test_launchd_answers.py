"""Readers of launchctl's answers, on texts in the shapes of public captures."""

from __future__ import annotations

import pytest

from jobs.system.launchd_answers import (
    Listed,
    Service,
    read_disabled,
    read_list,
    read_raw_status,
    read_service,
)

IDLE = """gui/502/org.acme.tidy = {
	active count = 0
	path = /Users/kim/Library/LaunchAgents/org.acme.tidy.plist
	type = LaunchAgent
	state = not running

	program = /bin/sh
	arguments = {
		/bin/sh
		/Users/kim/bin/tidy.sh
	}

	stdout path = /Users/kim/Library/Logs/tidy.log
	default environment = {
		PATH => /usr/bin:/bin:/usr/sbin:/sbin
	}

	domain = gui/502 [100009]
	asid = 100009
	minimum runtime = 10
	exit timeout = 5
	runs = 3
	last exit code = 0

	event triggers = {
		org.acme.tidy.268435461 => {
			keepalive = 0
			stream = com.apple.launchd.calendarinterval
			descriptor = {
				"Minute" => 5
				"Hour" => 4
			}
		}
	}

	run interval = 3600 seconds
	properties = runatload | inferred program
}
"""
RUNNING = IDLE.replace("state = not running", "state = running").replace(
    "\truns = 3\n", "\truns = 4\n\tpid = 4711\n\timmediate reason = non-ipc demand\n"
)
COALITION = RUNNING.replace(
    "\trun interval", "\tresource coalition = {\n\t\tstate = active\n\t\tname = x\n\t}\n\n\trun interval"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (IDLE, {"state": "not running", "pid": None, "runs": 3, "exit_code": 0, "exit_timeout_s": 5}),
        (RUNNING, {"state": "running", "pid": 4711, "runs": 4, "exit_code": 0}),
        (COALITION, {"state": "running", "pid": 4711}),
        (IDLE.replace("code = 0", "code = (never exited)"), {"exit_code": None, "exit_signal": None}),
        (IDLE.replace("code = 0", "code = 78: EX_CONFIG"), {"exit_code": 78}),
        (
            IDLE.replace("last exit code = 0", "last terminating signal = Terminated: 15"),
            {"exit_code": None, "exit_signal": 15},
        ),
        (
            IDLE.replace("exit code = 0", "exit reason = OS_REASON_CODESIGNING"),
            {"exit_reason": "OS_REASON_CODESIGNING"},
        ),
        (IDLE.replace("gui/502/org", "org", 1), {"state": "not running"}),
        (IDLE.replace("not running", "spawn scheduled"), {"state": "spawn scheduled"}),
        ("", {"state": None, "pid": None, "path": None, "arguments": ()}),
    ],
    ids=[
        "idle",
        "running",
        "state-of-a-coalition-does-not-count",
        "never-exited",
        "sysexits-name",
        "signal-replaces-the-code",
        "killed-for-a-reason",
        "10.14-label-only",
        "throttled",
        "empty",
    ],
)
def test_print(text: str, expected: dict[str, object]) -> None:
    service = read_service(text)
    assert {key: getattr(service, key) for key in expected} == expected


def test_print_gives_path_and_arguments() -> None:
    service = read_service(IDLE)
    assert service.path == "/Users/kim/Library/LaunchAgents/org.acme.tidy.plist"
    assert service.arguments == ("/bin/sh", "/Users/kim/bin/tidy.sh")


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (RUNNING, True),
        (COALITION, True),
        (IDLE.replace("runs = 3", "runs = 9").replace("100009", "100011"), True),
        (
            IDLE.replace(
                '\t\t\t\t"Minute" => 5\n\t\t\t\t"Hour" => 4\n', '\t\t\t\t"Hour" => 4\n\t\t\t\t"Minute" => 5\n'
            ),
            True,
        ),
        (IDLE.replace("=> 5", "=> 6"), False),
        (IDLE.replace("tidy.sh", "other.sh"), False),
        (IDLE.replace("3600", "60"), False),
        (IDLE.replace("LaunchAgents/", "Agents/"), False),
    ],
    ids=[
        "running",
        "coalition",
        "counters",
        "order-of-a-dictionary",
        "calendar",
        "argument",
        "interval",
        "path",
    ],
)
def test_identity_is_what_was_loaded_and_nothing_else(other: str, *, same: bool) -> None:
    assert (read_service(IDLE).identity == read_service(other).identity) is same


@pytest.mark.parametrize(
    ("service", "running"),
    [
        (Service(state="running", pid=1), True),
        (Service(state="xpcproxy"), True),
        (Service(state="not running"), False),
        (Service(state="spawn scheduled"), False),
        (Service(), False),
    ],
)
def test_running(service: Service, *, running: bool) -> None:
    assert service.running is running


WORDS = '\n\tdisabled services = {\n\t\t"org.a" => disabled\n\t\t"org.b" => enabled\n\t}\n'
BOOLEANS = 'disabled services = {\n\t"org.a" => true\n\t"org.b" => false\n}\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (WORDS, {"org.a": True, "org.b": False}),
        (BOOLEANS, {"org.a": True, "org.b": False}),
        (
            WORDS + '\tlogin item associations = {\n\t\t"org.c" => disabled\n\t}\n',
            {"org.a": True, "org.b": False},
        ),
        ("\n\tdisabled services = {\n\t}\n", {}),
        ("", {}),
    ],
    ids=["words", "booleans-without-tab", "login-items-do-not-count", "none", "empty"],
)
def test_print_disabled(text: str, expected: dict[str, bool]) -> None:
    assert read_disabled(text) == expected


def test_list() -> None:
    text = "PID\tStatus\tLabel\n4711\t0\torg.a\n-\t-15\torg.b\n-\t78\torg.c\n812\t-\torg.d\n"
    assert read_list(text) == {
        "org.a": Listed(4711, 0),
        "org.b": Listed(None, -15),
        "org.c": Listed(None, 78),
        "org.d": Listed(812, None),
    }


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (0, (0, None)),
        (256, (1, None)),
        (32512, (127, None)),
        (15, (None, 15)),
        (9, (None, 9)),
        (19968, (78, None)),
    ],
)
def test_raw_status(status: int, expected: tuple[int | None, int | None]) -> None:
    assert read_raw_status(status) == expected
