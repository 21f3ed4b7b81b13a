"""The shell function `jobs`, in real interactive shells on a terminal."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from jobs.cli.app import VERBS, main
from jobs.cli.shell_init import function_text
from jobs.errors import UsageError
from tests.tools import require_tool

SHELLS = {
    "bash": ["bash", "--noprofile", "--norc", "--noediting", "-i"],
    "zsh": ["zsh", "-f", "-i", "+Z"],
    "fish": ["fish", "--no-config", "-i", "--features=no-query-term"],
}
LOAD = {
    "bash": 'eval "$(jobsctl shell-init bash)"',
    "zsh": 'eval "$(jobsctl shell-init zsh)"',
    "fish": "jobsctl shell-init fish | source",
}
LAST_PID = {"bash": "$!", "zsh": "$!", "fish": "$last_pid"}
STATUS = {"bash": "$?", "zsh": "$?", "fish": "$status"}


class Terminal:
    """An interactive shell on a terminal of its own; every line typed is answered up to a mark."""

    def __init__(self, shell: str, folder: Path) -> None:
        self.shell = shell
        program = require_tool(SHELLS[shell][0])
        environment = {
            "PATH": f"{folder}:/usr/bin:/bin",
            "HOME": str(folder),
            "TERM": "dumb",
            "PS1": "",
            "LANG": "C.UTF-8",
        }
        self.pid, self.handle = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execve(program, [program, *SHELLS[shell][1:]], environment)
        self.count = 0
        self.type("true")

    def type(self, line: str) -> str:
        """What the shell prints for a line, and at its end `status N`."""
        self.count += 1
        # The mark is put together by the shell, so that the echo of the typed line does not hold it.
        os.write(self.handle, f"{line}\recho status {STATUS[self.shell]} m''ark{self.count}\r".encode())
        return self._read_until(f"mark{self.count}")

    def _read_until(self, mark: str) -> str:
        text, end = "", time.monotonic() + 30
        while mark not in text:
            ready, _, _ = select.select([self.handle], [], [], max(0, end - time.monotonic()))
            assert ready, f"no answer from {self.shell}: {text!r}"
            text += os.read(self.handle, 65536).decode(errors="replace")
        return text.replace("\r", "")

    def close(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        os.close(self.handle)
        os.waitpid(self.pid, 0)


@pytest.fixture(params=sorted(SHELLS))
def terminal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Terminal]:
    """A shell with the function loaded. Its jobsctl prints the function, or else what it was called with."""
    (tmp_path / "function").write_text(function_text(request.param))
    program = tmp_path / "jobsctl"
    program.write_text(
        f'#!/bin/sh\nif [ "$1" = shell-init ] && [ $# = 2 ]; then cat {tmp_path}/function; exit; fi\n'
        'printf "tool got:"; printf " <%s>" "$@"; echo; exit 7\n'
    )
    program.chmod(0o755)
    opened = Terminal(request.param, tmp_path)
    try:
        yield opened
    finally:
        opened.close()


def test_tool_and_builtin_side_by_side(terminal: Terminal) -> None:
    terminal.type(LOAD[terminal.shell])
    # The tool, with its words and its status.
    for verb in VERBS:
        assert f"tool got: <{verb.name}>" in terminal.type(f"jobs {verb.name}")
    said = terminal.type("jobs build --output 'a b'")
    assert "tool got: <build> <--output> <a b>" in said
    assert "status 7 " in said
    assert "tool got: <--help>" in terminal.type("jobs --help")
    assert "tool got: <--version>" in terminal.type("jobs --version")
    # The shell's own, with a real background job.
    terminal.type("sleep 321 &")
    pid = terminal.type(f"echo pid {LAST_PID[terminal.shell]} .").rpartition("pid ")[2].partition(" .")[0]
    for line, expected in (
        ("jobs", ["sleep 321"]),
        ("jobs -l", ["sleep 321", pid]),
        ("jobs %1", ["sleep 321"]),
        ("jobs -p", [pid]),
        ("jobs -p %1", [pid]),
        ("echo (jobs -p)" if terminal.shell == "fish" else "echo $(jobs -p)", [pid]),
        ("command jobs | cat" if terminal.shell == "bash" else "jobs | cat", ["sleep 321"]),
    ):
        said = terminal.type(line)
        assert "tool got" not in said
        assert "status 0 " in said
        assert all(word in said for word in expected), said
    assert "status 0 " not in terminal.type("jobs %9")
    terminal.type("kill %1")


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_an_alias_of_that_name_gives_way(shell: str, tmp_path: Path) -> None:
    (tmp_path / "function").write_text(function_text(shell))
    (tmp_path / "jobsctl").write_text('#!/bin/sh\necho "tool got: $*"\n')
    (tmp_path / "jobsctl").chmod(0o755)
    terminal = Terminal(shell, tmp_path)
    try:
        terminal.type("alias jobs='jobs -l'")
        terminal.type(f'eval "$(cat {tmp_path}/function)"')
        assert "tool got: build" in terminal.type("jobs build")
    finally:
        terminal.close()


def test_under_strict_options() -> None:
    for shell in ("bash", "zsh"):
        script = f"set -eu\n{function_text(shell)}jobs\necho end\n"
        done = subprocess.run(
            [require_tool(shell), "-c", script], capture_output=True, text=True, check=False
        )
        assert (done.stdout, done.stderr) == ("end\n", "")


@pytest.mark.parametrize("shell", sorted(SHELLS))
def test_the_text_is_good_grammar(shell: str, tmp_path: Path) -> None:
    script = tmp_path / "function"
    script.write_text(function_text(shell))
    done = subprocess.run(
        [require_tool(shell), "-n", str(script)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_an_unknown_shell(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError, match="zsh, bash and fish"):
        function_text("tcsh")
    assert main(["shell-init", "tcsh"]) == 2
    assert "use jobsctl" in capsys.readouterr().err


def test_the_command_prints_the_function(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shell-init", "zsh"]) == 0
    assert capsys.readouterr().out == function_text("zsh")
