"""The run: environment, arguments, ends, clean-up; under every shell."""

from __future__ import annotations

import os
import signal
import subprocess
from ast import literal_eval
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobs.model.job import Argv, Lock
from tests.tools import BYTE_SHELLS, shell_command
from tests.wrapper.sandbox import Sandbox, group_members, kill_group, wait_until

HOSTILE = [
    "two  blanks",
    "it's",
    '"double"',
    "a\nb\n",
    "a & b < c > d | e ; f",
    "$HOME ${HOME} $(id) `id`",
    "back\\slash\\n \\",
    "-n",
    "--",
    "",
    "*",
    "~",
    "~/x",
    "Größe ñ é",
    "日本語 🚀",
    "tab\tand\rreturn",
    "%s %d %%",
    "!history",
    "#no comment",
    "=x",
    "{a,b}",
    "[a-z]?",
    "\x01\x7f\x1b[31m",
]

SHOW = Path(__file__).with_name("show.py")


def shown(sandbox: Sandbox, name: str) -> list[str]:
    """What show.py wrote: its arguments and the values of X_0, X_1 ..., one repr a line."""
    return [literal_eval(line) for line in sandbox.said(name).splitlines()]


@pytest.mark.parametrize("shell", BYTE_SHELLS)
def test_text_reaches_the_job_byte_for_byte(shell: str, tmp_path: Path) -> None:
    any_shell = Sandbox(tmp_path / "box", shell=shell_command(shell))
    folder = any_shell.base / "-a 'b' \"c\" $(d) & é"
    folder.mkdir()
    program = folder / "-it's a $program\n"
    program.write_text(f'#!/bin/sh\nexec /usr/bin/env python3 "{SHOW}" "$PWD" "$@"\n')
    program.chmod(0o755)
    env = tuple((f"X_{number}", value) for number, value in enumerate(HOSTILE))
    any_shell.add("echo", Argv((str(program), *HOSTILE)), every_s=60, cwd=str(folder), env=env)
    assert any_shell.run("echo", env={"PATH": os.environ["PATH"]}) == 0
    assert shown(any_shell, "echo") == [str(folder), *HOSTILE, *HOSTILE]


@pytest.mark.parametrize("shell", BYTE_SHELLS)
@given(
    words=st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), max_size=30)
)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_reaches_the_job(
    shell: str, words: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    sandbox = Sandbox(tmp_path_factory.mktemp("box") / "box", shell=shell_command(shell))
    env = tuple((f"X_{number}", value) for number, value in enumerate(words))
    sandbox.add("echo", Argv(("/usr/bin/env", "python3", str(SHOW), *words)), every_s=60, env=env)
    assert sandbox.run("echo") == 0
    assert shown(sandbox, "echo") == [*words, *words]


def test_shell_line_reaches_sh_as_written(any_shell: Sandbox) -> None:
    any_shell.add("line", 'printf \'%s|\' "$0" \'a  b\' $(echo c d) "$HOME" && echo -- "it\'s"', every_s=60)
    assert any_shell.run("line") == 0
    assert any_shell.said("line") == f"line|a  b|c|d|{any_shell.base}|-- it's\n"


def test_environment_is_the_manifests_whatever_was_there(any_shell: Sandbox) -> None:
    keys = ("HOME", "USER", "LOGNAME", "PATH", "LANG", "LC_ALL", "COLOUR", "jobs_name", "IFS")
    line = "; ".join(f'echo "{key}=${{{key}-unset}}"' for key in keys) + "; umask"
    any_shell.add("env", line, every_s=60, umask=0o027, env=(("COLOUR", "red"), ("jobs_name", "theirs")))
    strange = {
        "HOME": "/nowhere",
        "PATH": "/bin:/nowhere",
        "LC_ALL": "C",
        "LANG": "C",
        "USER": "x",
        "CDPATH": "/",
    }
    assert any_shell.run("env", env=strange) == 0
    assert any_shell.said("env").splitlines() == [
        f"HOME={any_shell.base}",
        "USER=kim",
        "LOGNAME=kim",
        "PATH=/usr/local/bin:/usr/bin:/bin",
        "LANG=en_US.UTF-8",
        "LC_ALL=unset",
        "COLOUR=red",
        "jobs_name=theirs",
        "IFS= \t",
        "",
        "0027",
    ]


def test_env_file_is_read_with_export_and_wins(any_shell: Sandbox) -> None:
    secrets = any_shell.base / "the secrets.env"
    secrets.write_text("# a comment\nTOKEN='s3 cret'\nexport OTHER=2\nCOLOUR=blue\nUNSET=$NOT_THERE\n")
    any_shell.add(
        "env",
        "sh -c 'echo \"$TOKEN $OTHER $COLOUR\"'",
        every_s=60,
        env_file=str(secrets),
        env=(("COLOUR", "red"),),
    )
    assert any_shell.run("env") == 0
    assert any_shell.said("env") == "s3 cret 2 blue\n"


@pytest.mark.parametrize("key", ["cwd", "env_file"])
def test_what_is_missing_is_said_and_the_slot_stays_due(sandbox: Sandbox, key: str) -> None:
    gone = str(sandbox.base / "gone")
    keys: dict[str, Any] = {key: gone}
    sandbox.add("job", "echo ran", every_s=60, **keys)
    assert sandbox.run("job") == 66
    assert sandbox.story("job") == ["end not-started"]
    assert gone in sandbox.log("job").read_text()
    assert sandbox.claims("job") == []
    assert sandbox.holder("job") is None


@pytest.mark.parametrize(
    ("line", "status", "reason", "signal_number"),
    [
        pytest.param("exit 0", 0, "ok", None, id="good"),
        pytest.param("exit 3", 3, "failed", None, id="failed"),
        pytest.param("exit 127", 127, "failed", None, id="not-found"),
        pytest.param("kill -KILL $$", 137, "killed", 9, id="killed"),
        pytest.param("kill -TERM $$", 143, "killed", 15, id="terminated"),
        pytest.param("kill -SEGV $$", 139, "killed", 11, id="crashed"),
    ],
)
def test_ends(any_shell: Sandbox, line: str, status: int, reason: str, signal_number: int | None) -> None:
    any_shell.add("job", line, every_s=60)
    assert any_shell.run("job") == status
    end = any_shell.records("job")[-1]
    assert (end["event"], end["reason"], end["exit"], end.get("signal")) == (
        "end",
        reason,
        status,
        signal_number,
    )
    assert any_shell.said("job") == ""
    assert any_shell.holder("job") is None


def test_a_program_that_is_not_there(any_shell: Sandbox) -> None:
    any_shell.add("job", Argv(("no-such-program",)), every_s=60)
    assert any_shell.run("job") == 127
    assert "no-such-program" in any_shell.said("job")


def test_timeout_leaves_nothing_alive_and_the_lock_free(any_shell: Sandbox) -> None:
    stubborn = "trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & sleep 300 & echo up; while :; do sleep 1; done"
    any_shell.add("job", stubborn, every_s=60, timeout_s=1)
    process = any_shell.start("job")
    assert process.wait(timeout=30) == 124
    assert group_members(process.pid) == []
    assert any_shell.story("job") == ["end timeout"]
    assert any_shell.holder("job") is None
    any_shell.add("job", "echo again", every_s=60)
    assert any_shell.run("job") == 0
    assert any_shell.said("job").endswith("again\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_stop_is_passed_on_and_recorded(any_shell: Sandbox, number: signal.Signals) -> None:
    any_shell.add("job", "trap 'echo bye; exit 5' TERM; sleep 300 & echo up; wait", every_s=60, timeout_s=300)
    process = any_shell.start("job")
    wait_until(lambda: any_shell.log("job").exists() and "up" in any_shell.said("job"))
    process.send_signal(number)
    assert process.wait(timeout=30) == 143
    assert any_shell.said("job") == "up\nbye\n"
    assert any_shell.story("job") == ["end killed"]
    assert group_members(process.pid) == []
    assert any_shell.holder("job") is None


def test_children_left_behind_end_with_the_run(any_shell: Sandbox) -> None:
    any_shell.add("job", "sleep 300 & (trap '' TERM; exec sleep 300) & exit 0", every_s=60)
    process = any_shell.start("job")
    assert process.wait(timeout=30) == 0
    assert group_members(process.pid) == []


def test_abandoned_children_keep_the_lock(sandbox: Sandbox) -> None:
    sandbox.add("job", "sleep 300 & exit 0", every_s=60, launchd={"AbandonProcessGroup": True})
    process = sandbox.start("job")
    try:
        assert process.wait(timeout=30) == 0
        assert len(group_members(process.pid)) == 1
        assert sandbox.run("job") == 0
        assert sandbox.story("job") == ["end ok", "skip lock"]
    finally:
        kill_group(process.pid)
    assert sandbox.run("job", env={}) == 0
    assert sandbox.story("job")[-1] == "end ok"
    kill_group(int(str(sandbox.holder("job")).split(".")[0]))


def test_started_from_a_script_it_gets_a_group_of_its_own(sandbox: Sandbox) -> None:
    sandbox.add("job", "echo ran; sleep 300 & exit 0", every_s=60, lock=Lock("job"))
    script = sandbox.base / "caller.sh"
    script.write_text(f"'{sandbox.command('job')[1]}'; echo \"status $?\"; echo alive\n")
    done = subprocess.run(["sh", str(script)], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "status 0\nalive\n"
    assert sandbox.said("job") == "ran\n"


def test_log_rotation(sandbox: Sandbox) -> None:
    sandbox.add(
        "job", "echo $JOBS_NAME-0123456789012345678901234567890123456789", every_s=60, log_max=200, log_keep=2
    )
    for _ in range(9):
        assert sandbox.run("job") == 0
    logs = sorted(path.name for path in (sandbox.base / "logs").iterdir())
    assert set(logs) - {"job.log"} == {"job.log.1", "job.log.2"}
    text = "".join((sandbox.base / "logs" / name).read_text() for name in ("job.log.2", "job.log.1"))
    assert text.count("end: ok") == text.count(": start (") > 1


def test_private_state_and_what_the_job_is_told(sandbox: Sandbox) -> None:
    line = 'echo "$JOBS_NAME/$JOBS_TRIGGER/$JOBS_SLOT/$JOBS_LATE/$JOBS_MISSED/${JOBS_NOW-}${JOBS_FORCE-}"'
    sandbox.add("job", line, every_s=60)
    assert sandbox.run("job", trigger="manual", env={"JOBS_FORCE": "1"}) == 0
    assert sandbox.said("job") == "job/manual//0/0/\n"
    for path in [sandbox.state, *sandbox.state.rglob("*")]:
        if not path.is_symlink():
            assert path.stat().st_mode & 0o077 == 0, path


def test_state_of_somebody_else_is_refused(sandbox: Sandbox) -> None:
    sandbox.add("job", "echo ran", every_s=60)
    sandbox.state.write_text("not a folder")
    assert sandbox.start("job").wait(timeout=30) == 69
    assert "not run: cannot make the state folder" in sandbox.log("job").read_text()
