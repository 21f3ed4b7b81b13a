"""launchctl: the only module that runs it.

Every call has a time limit, because kickstart and print have been seen to hang (KiroCrew#1698). What a status means
is named here; who called decides what to do about it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jobs.errors import MachineError, UsageError
from jobs.system.launchd_answers import Listed, Service, read_disabled, read_list, read_service
from jobs.system.launchd_codes import NO_SESSION_TEXT, Code, describe

if TYPE_CHECKING:
    from subprocess import Popen

LIMITS_S: Mapping[str, float] = {"bootstrap": 60.0, "bootout": 60.0, "kickstart": 20.0}
LIMIT_S = 20.0  # of all other calls


@dataclass(frozen=True, slots=True)
class Answer:
    """How one call ended."""

    words: tuple[str, ...]
    status: int | None  # None: no end within the time limit
    out: str = ""
    err: str = ""
    limit_s: float = 0.0

    @property
    def reason(self) -> str:
        """Why it failed, in one line: the code with its text and what launchctl itself said."""
        if self.status is None:
            return f"no answer within {self.limit_s:g} s"
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

    def call(self, *words: str, limit_s: float | None = None) -> Answer:
        """The answer to one call. Raises MachineError when the program cannot be started."""
        import subprocess
        import tempfile

        limit = limit_s if limit_s is not None else self.limits_s.get(words[0], LIMIT_S)
        # Files and not pipes: a job that a launchd starts may inherit and hold a pipe for hours.
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            try:
                process = subprocess.Popen(
                    [self.program, *words], stdin=subprocess.DEVNULL, stdout=out, stderr=err
                )
            except OSError as error:
                raise MachineError(
                    f"launchctl cannot be started: {self.program}: {error.strerror}"
                ) from error
            status = _end(process, limit)
            texts = []
            for stream in (out, err):
                stream.seek(0)
                texts.append(stream.read().decode(errors="replace"))
        answer = Answer(words, status, texts[0], texts[1], limit)
        if self.observe is not None:
            self.observe(answer)
        return answer

    def service(self, target: str) -> Service | None:
        """The loaded job, or None when launchd does not know the label. Raises NoSessionError, MachineError."""
        answer = self.call("print", target)
        if answer.status == Code.OK:
            return read_service(answer.out)
        if answer.status == Code.NOT_LOADED:
            return None
        check_session(answer)
        raise MachineError(f"launchd does not tell about {target}: {answer.reason}")

    def disabled(self, domain: str) -> dict[str, bool]:
        """Label → whether an override switches it off. Raises NoSessionError; empty where launchctl cannot tell."""
        answer = self.call("print-disabled", domain)
        check_session(answer)
        return read_disabled(answer.out) if answer.status == Code.OK else {}

    def listed(self) -> dict[str, Listed] | None:
        """Label → pid and last status of everything in the caller's own domain; None where it cannot be told."""
        answer = self.call("list")
        return read_list(answer.out) if answer.status == Code.OK else None


def _end(process: Popen[bytes], limit_s: float) -> int | None:
    """The status of a process, or None when it had to be killed after `limit_s`.

    A timer kills it, because Popen.wait with a time limit looks at the process in steps of up to 50 ms: more than
    the whole call takes.
    """
    import threading

    expired = threading.Event()

    def expire() -> None:
        expired.set()
        process.kill()

    timer = threading.Timer(limit_s, expire)
    timer.daemon = True
    timer.start()
    try:
        status = process.wait()
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        timer.cancel()
    return None if expired.is_set() else status


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
            raise UsageError(f"JOBS_LAUNCHCTL names {named!r}, and there is no such program")
        return Launchctl(found)
    found = shutil.which("launchctl", path=environment.get("PATH")) or shutil.which("/bin/launchctl")
    if found is None:
        raise UsageError(
            "there is no launchctl on this machine: jobs are installed on a Mac; "
            "here you can `jobsctl build` and `jobsctl lint`"
        )
    return Launchctl(found)
