"""Start a wrapper as launchd would, and follow its log while it runs."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from jobs.errors import MachineError
from jobs.system.files import make_folder

LAUNCHD_PATH = "/usr/bin:/bin:/usr/sbin:/sbin"
LOOK_EVERY_S = 0.2
"""How long new lines of the log may wait to be shown. The end of the process is not waited for in such steps."""


def launchd_environment(label: str, own: Mapping[str, str]) -> dict[str, str]:
    """The whole environment of a job under launchd: what an agent is given, then the EnvironmentVariables of its plist.

    No shell has read a profile, and nothing of the caller's environment is passed on except where TMPDIR is.
    """
    import pwd
    import tempfile

    user = pwd.getpwuid(os.getuid())
    return {
        "PATH": LAUNCHD_PATH,
        "HOME": user.pw_dir,
        "USER": user.pw_name,
        "LOGNAME": user.pw_name,
        "SHELL": user.pw_shell or "/bin/sh",
        "TMPDIR": tempfile.gettempdir(),
        "XPC_SERVICE_NAME": label,
    } | dict(own)


def run_followed(program: Path, environment: Mapping[str, str], log: Path, out: BinaryIO) -> int:
    """Run a wrapper in a session of its own, from /, with no input; its status, as a shell would tell it.

    What it appends to `log` is copied to `out` while it runs. ^C, TERM and HUP are passed to its process group as
    TERM; it then ends in its own time. Raises MachineError when it cannot be started.
    """
    import subprocess
    import threading

    try:
        make_folder(log.parent, 0o755)
        with log.open("ab") as stream:
            follower = LogFollower(log)  # before the start: a job may rotate its log at once
            process = subprocess.Popen(
                [str(program)],
                env=dict(environment),
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )
    except OSError as error:
        raise MachineError(f"cannot start {program}: {error.strerror} ({error.filename})") from error
    ended = threading.Event()

    def wait() -> None:
        process.wait()
        ended.set()

    with _passing_signals(process.pid), contextlib.closing(follower):
        threading.Thread(target=wait, daemon=True).start()
        while not ended.wait(LOOK_EVERY_S):
            follower.copy(out)
        follower.copy(out)
    status = process.returncode
    return 128 - status if status < 0 else status


@contextlib.contextmanager
def _passing_signals(group: int) -> Iterator[None]:
    """Turn ^C, TERM and HUP into a TERM to a process group, as long as this lasts."""

    def stop(_number: int, _frame: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGTERM)

    before = {
        number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@dataclass(slots=True)
class LogFollower:
    """Reads what is appended to a log from the moment it is made; goes on in the new file when the log is rotated."""

    path: Path
    _stream: BinaryIO | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._open()
        if self._stream is not None:
            self._stream.seek(0, os.SEEK_END)

    def copy(self, out: BinaryIO) -> None:
        """Write to `out` what has come since the last call."""
        if self._stream is None:
            self._open()
        if self._stream is None:
            return
        self._drain(out)
        if self._was_replaced():
            self._drain(out)  # what was written between the last read and the rename
            self._stream.close()
            self._stream = None
            self._open()
            self._drain(out)

    def close(self) -> None:
        """Give the file back."""
        if self._stream is not None:
            self._stream.close()

    def _open(self) -> None:
        with contextlib.suppress(OSError):
            self._stream = self.path.open("rb")

    def _drain(self, out: BinaryIO) -> None:
        if self._stream is None:
            return
        if os.fstat(self._stream.fileno()).st_size < self._stream.tell():
            self._stream.seek(0)  # somebody emptied it
        while data := self._stream.read(1 << 16):
            out.write(data)
        out.flush()

    def _was_replaced(self) -> bool:
        if self._stream is None:
            return False
        try:
            now = self.path.stat()
        except OSError:
            return False
        held = os.fstat(self._stream.fileno())
        return (now.st_ino, now.st_dev) != (held.st_ino, held.st_dev)
