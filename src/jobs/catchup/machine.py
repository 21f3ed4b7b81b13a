"""The machine that draining works on: wrappers, records, process groups, and launchd where there is one."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from jobs.errors import MachineError
from jobs.runtime.breaker import load as load_breaker
from jobs.runtime.catchup import Decision
from jobs.runtime.records import Record, newest_first, process_lives
from jobs.system.clock import now as wall_clock
from jobs.system.files import make_folder, write_atomic
from jobs.system.launchctl import Launchctl, NoSessionError
from jobs.system.launchd_codes import Code

REQUEST_LIVES_S = 120
NEWEST = 50  # records among which a run that goes on is looked for
DEAD = frozenset({"Z", "X"})  # states of a process that only waits to be waited for
STANDARD_PATH = "/usr/bin:/bin:/usr/sbin:/sbin"


@dataclass
class RealMachine:
    """What `jobs.runtime.drain.Machine` asks for.

    `targets` names each job in launchd; without a launchctl the wrapper in `wrappers` is started directly.
    """

    state: Path
    wrappers: Path
    launchctl: Launchctl | None
    targets: Mapping[str, str]
    _children: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def now(self) -> int:
        """The epoch."""
        return wall_clock()

    def clock(self) -> float:
        """Seconds of a clock that never jumps."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)

    def breaker_open(self, guard: str) -> bool:
        """Whether the guard lets nobody through now."""
        return load_breaker(self.state / "guard" / guard, self.now()).state == "open"

    def start(self, decision: Decision) -> str | None:
        """Leave a request, then start the job; a sentence if it cannot be started, and the request is taken back."""
        name = decision.job.name
        request = self.state / "requests" / name
        slot = decision.slot.name if decision.slot else "-"
        make_folder(request.parent, 0o700)
        write_atomic(request, f"catchup {slot} {self.now() + REQUEST_LIVES_S}\n".encode(), 0o600)
        try:
            refusal = self._kickstart(name) if self.launchctl else self._spawn(name)
        except MachineError as error:
            refusal = str(error)
        if refusal is not None:
            with suppress(OSError):
                request.unlink()
        return refusal

    def _kickstart(self, name: str) -> str | None:
        launchctl, target = self.launchctl, self.targets[name]
        if launchctl is None:
            return "there is no launchctl"
        try:
            if launchctl.service(target) is None:
                return "launchd does not know it: `jobsctl install` loads it"
        except NoSessionError as error:
            return str(error)
        answer = launchctl.call("kickstart", target)
        if answer.status is None or answer.status == Code.OK:
            return None  # without an answer it may be waiting for the throttle: the records tell
        return f"launchctl kickstart: {answer.reason}"

    def _spawn(self, name: str) -> str | None:
        wrapper = self.wrappers / name
        environment = {"PATH": STANDARD_PATH}
        if "JOBS_NOW" in os.environ:
            environment["JOBS_NOW"] = os.environ["JOBS_NOW"]
        try:
            self._children[name] = subprocess.Popen(
                [str(wrapper)],
                env=environment,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            return f"cannot start {wrapper}: {error.strerror}"
        return None

    def ask_wrapper(self, name: str) -> None:
        """Run the wrapper once with the word catchup, where it is known to have nothing to run: it records what expired."""
        environment = {"PATH": STANDARD_PATH, "JOBS_TRIGGER": "catchup"}
        if "JOBS_NOW" in os.environ:
            environment["JOBS_NOW"] = os.environ["JOBS_NOW"]
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run(
                [str(self.wrappers / name)],
                env=environment,
                cwd="/",
                stdin=subprocess.DEVNULL,
                capture_output=True,
                start_new_session=True,
                timeout=60,
                check=False,
            )

    def running(self, job: str) -> Record | None:
        """The start of the run that goes on: its wrapper lives, or what a killed wrapper has left of its group."""
        ended: set[int | None] = set()
        for record in islice(newest_first(self.state / "runs" / f"{job}.jsonl"), NEWEST):
            if record.event == "end":
                ended.add(record.pid)
            elif record.event == "start" and record.pid is not None and record.pid not in ended:
                if _is_there(record.pid):
                    lives = process_lives(record.pid, record.epoch)
                else:
                    # While a group lives, its number is given to no other process: it is what the wrapper has left.
                    lives = self.group_lives(record.pid)
                if lives:
                    return record
        return None

    def records_since(self, job: str, epoch: int) -> Sequence[Record]:
        """The records from an epoch on, oldest first."""
        found = []
        for record in newest_first(self.state / "runs" / f"{job}.jsonl"):
            if record.epoch < epoch:
                break
            found.append(record)
        return found[::-1]

    def group_lives(self, pid: int) -> bool:
        """Whether the group, or its leader not yet waited for by launchd, is there."""
        for child in self._children.values():
            if child.pid == pid:
                child.poll()
        try:
            os.killpg(pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return not _only_zombies(pid)

    def launchd_runs(self, decision: Decision) -> bool:
        """Whether launchd still counts the job as running."""
        if self.launchctl is None:
            return False
        try:
            service = self.launchctl.service(self.targets[decision.job.name])
        except MachineError:
            return False
        return service is not None and service.running

    def came_and_went(self, decision: Decision) -> bool:
        """Whether the wrapper has taken the request, and is gone."""
        child = self._children.get(decision.job.name)
        if child is not None:
            return child.poll() is not None
        request = self.state / "requests" / decision.job.name
        return not request.exists() and not self.launchd_runs(decision)

    def signal_group(self, pid: int, *, kill: bool) -> None:
        """TERM to the wrapper, which ends its group itself, or to the group that it has left; KILL to the whole group."""
        with suppress(ProcessLookupError, PermissionError):
            if kill:
                os.killpg(pid, signal.SIGKILL)
            elif _is_there(pid):
                os.kill(pid, signal.SIGTERM)
            else:
                os.killpg(pid, signal.SIGTERM)


def _is_there(pid: int) -> bool:
    """Whether a process has the number, and is not dead and only not waited for (Linux tells; elsewhere: as it seems)."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    with suppress(OSError, IndexError):
        return _stat(pid)[0] not in DEAD
    return True


def _stat(pid: int | str) -> list[str]:
    """What Linux tells of a process, from its state on: STATE PARENT GROUP ... Raises OSError without /proc or process."""
    return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(") ")[2].split()


def _only_zombies(group: int) -> bool:
    """Whether all that is left of a group is dead and only not waited for (Linux tells; elsewhere: no)."""
    proc = Path("/proc")
    if not (proc / "self").exists():
        return False
    for entry in proc.iterdir():
        if not entry.name.isdigit():
            continue
        with suppress(OSError, ValueError):
            fields = _stat(entry.name)
            if int(fields[2]) == group and fields[0] not in DEAD:
                return False
    return True
