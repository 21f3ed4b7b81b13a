"""launchctl: the only module that runs it.

Every call has a time limit, because kickstart and print have been seen to hang (KiroCrew#1698). What a status means
is named here; who called decides what to do about it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from jobs.errors import MachineError, UsageError
from jobs.system.launchd_answers import (
    Listed,
    Service,
    read_disabled,
    read_list,
    read_service,
    tells_of_a_service,
)
from jobs.system.launchd_codes import NO_SESSION_TEXT, Code, describe

if TYPE_CHECKING:
    from subprocess import Popen
    from threading import Event
    from typing import IO

LIMITS_S: Mapping[str, float] = {"bootstrap": 60.0, "bootout": 60.0, "kickstart": 20.0}
LIMIT_S = 20.0  # of all other calls
LARGEST = 64 << 20  # bytes of an answer; a domain with thousands of jobs prints some megabytes


@dataclass(frozen=True, slots=True)
class Answer:
    """How one call ended."""

    words: tuple[str, ...]
    status: int | None  # None: no end within the time limit
    out: str = ""
    err: str = ""
    limit_s: float = 0.0
    flooded: bool = False  # it was stopped because of the length of its answer

    @property
    def reason(self) -> str:
        """Why it failed, in one line: the code with its text and what launchctl itself said."""
        if self.status is None and self.flooded:
            return f"more than {LARGEST >> 20} MB of answer: is this a launchctl?"
        if self.status is None:
            return f"no answer within {self.limit_s:g} s"
        if self.status < 0:
            return f"launchctl itself was killed by signal {-self.status}"
        said = next((line.strip() for line in self.err.splitlines() if line.strip()), "")
        text = describe(self.status)
        plain = not said or text in said  # what launchctl says often ends with the same words
        return text if plain else f"{text} ({said})"


class NoSessionError(MachineError):
    """The domain is not there: nobody is logged in at the screen. Trying again cannot help."""


@dataclass(slots=True)
class Launchctl:
    """One launchctl program. `observe` is told of every finished call."""

    program: str
    observe: Callable[[Answer], None] | None = None
    limits_s: Mapping[str, float] = field(default_factory=lambda: LIMITS_S)

    def begin(self, *words: str, limit_s: float | None = None) -> Call:
        """A call under way: other work goes on until its answer is asked for. Raises MachineError when it cannot start."""
        limit = limit_s if limit_s is not None else self.limits_s.get(words[0], LIMIT_S)
        return _start(self.program, words, limit, self.observe)

    def call(self, *words: str, limit_s: float | None = None) -> Answer:
        """The answer to one call. Raises MachineError when the program cannot be started."""
        return self.begin(*words, limit_s=limit_s).answer()

    def service(self, target: str) -> Service | None:
        """The loaded job, or None when launchd does not know the label. Raises NoSessionError, MachineError."""
        answer = self.call("print", target)
        if answer.status == Code.OK:
            if not tells_of_a_service(answer.out):
                said = answer.out.strip().split("\n")[0][:60]
                raise MachineError(
                    f"{self.program} answers `print {target}` with nothing that tells of a job"
                    f"{f' ({said!r})' if said else ''}: is it a launchctl?"
                )
            return read_service(answer.out)
        if answer.status in {Code.NOT_LOADED, Code.NO_SUCH_PROCESS}:
            return None
        check_session(answer)
        raise MachineError(f"launchd does not tell about {target}: {answer.reason}")

    def disabled(self, domain: str) -> dict[str, bool]:
        """Label → whether an override switches it off. Raises NoSessionError; empty where launchctl cannot tell."""
        return disabled_of(self.call("print-disabled", domain))


def disabled_of(answer: Answer) -> dict[str, bool]:
    """Label → whether an override switches it off, of an answer to `print-disabled`.

    Empty where this launchctl does not know the verb. Raises NoSessionError, and MachineError when it did not end:
    no other call would fare better.
    """
    check_session(answer)
    if answer.status is None or answer.status < 0:
        raise MachineError(f"launchd does not answer `{' '.join(answer.words)}`: {answer.reason}")
    return read_disabled(answer.out) if answer.status == Code.OK else {}


def listed_of(answer: Answer) -> dict[str, Listed] | None:
    """Label → pid and last status of everything in the caller's own domain, of an answer to `list`; None: not told."""
    return read_list(answer.out) if answer.status == Code.OK else None


def _start(
    program: str, words: tuple[str, ...], limit_s: float, observe: Callable[[Answer], None] | None
) -> Call:
    import subprocess
    import tempfile
    import threading

    # Files and not pipes: a job that a launchd starts may inherit and hold a pipe for hours.
    out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115 - closed with the answer
    try:
        # A group of its own: a launchctl that is a script is ended with what it waits for.
        process = subprocess.Popen(
            [program, *words], stdin=subprocess.DEVNULL, stdout=out, stderr=err, process_group=0
        )
    except OSError as error:
        out.close()
        err.close()
        raise MachineError(f"launchctl cannot be started: {program}: {error.strerror}") from error
    call = Call(words, limit_s, observe, process, (out, err), threading.Event())
    threading.Thread(target=call.watch, daemon=True).start()
    return call


@dataclass(slots=True)
class Call:
    """A call under way."""

    words: tuple[str, ...]
    limit_s: float
    observe: Callable[[Answer], None] | None
    process: Popen[bytes]
    streams: tuple[IO[bytes], IO[bytes]]
    ended: Event
    late: bool = False
    flooded: bool = False

    def watch(self) -> None:
        """End a call that takes too long or says too much.

        In a thread, because Popen.wait with a time limit looks at the process in steps of up to 50 ms: more than the
        whole call takes.
        """
        end = time.monotonic() + self.limit_s
        pause = 0.05
        while not self.ended.wait(max(0.0, min(pause, end - time.monotonic()))):
            pause = min(2 * pause, 1.0)
            self.late = time.monotonic() >= end
            with contextlib.suppress(ValueError):  # closed: it has just ended
                self.flooded = any(os.fstat(stream.fileno()).st_size > LARGEST for stream in self.streams)
            if self.late or self.flooded:
                self._kill()
                return

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def answer(self) -> Answer:
        """The answer, once it is there or the time limit is over. Ask once."""
        with self.streams[0], self.streams[1]:
            try:
                status = self.process.wait()
            except BaseException:
                self._kill()
                self.process.wait()
                raise
            finally:
                self.ended.set()
            texts = []
            for stream in self.streams:
                stream.seek(0)
                texts.append(stream.read(LARGEST).decode(errors="replace"))
        stopped = (self.late or self.flooded) and status == -signal.SIGKILL
        answer = Answer(
            self.words, None if stopped else status, texts[0], texts[1], self.limit_s, self.flooded
        )
        if self.observe is not None:
            self.observe(answer)
        return answer


def check_session(answer: Answer) -> None:
    """Nothing, or NoSessionError when the answer means that the domain does not exist."""
    if answer.status in {Code.NO_SESSION, Code.NO_DOMAIN}:
        raise NoSessionError(f"{NO_SESSION_TEXT} (launchctl {answer.words[0]}: {describe(answer.status)})")


def find(environment: Mapping[str, str] | None = None) -> Launchctl:
    """The launchctl of this machine: JOBS_LAUNCHCTL, else the one on PATH. Raises UsageError."""
    import shutil

    environment = os.environ if environment is None else environment
    named = environment.get("JOBS_LAUNCHCTL")
    if named:
        found = shutil.which(named, path=environment.get("PATH"))
        if found is None:
            raise UsageError(f"JOBS_LAUNCHCTL names {named!r}, and {_why_no_program(named)}")
        return Launchctl(found)
    found = shutil.which("launchctl", path=environment.get("PATH")) or shutil.which("/bin/launchctl")
    if found is None:
        raise UsageError(
            "there is no launchctl on this machine: jobs are installed on a Mac; "
            "here you can `jobsctl build` and `jobsctl lint`"
        )
    return Launchctl(found)


def _why_no_program(named: str) -> str:
    if Path(named).is_dir():
        return "that is a folder"
    if Path(named).is_file():
        return "that file is not executable"
    return "there is no such program"
