"""Taking a job out of launchd and putting one in: the order that survives launchd's races.

bootout returns before the job is gone, and a bootstrap in that time gives 5 and strands the job (openclaw#112731).
So: bootout, ask until launchd no longer knows the label, for longer than the job may take to end, then bootstrap;
try again only where that can help.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from jobs.errors import MachineError
from jobs.system.launchctl import Answer, Launchctl, check_session
from jobs.system.launchd_answers import Service
from jobs.system.launchd_codes import REMEDIES, TEXTS, Code, describe

ENDLESS_S = 300  # how long a job with ExitTimeOut 0 (for ever) is waited for


@dataclass(frozen=True, slots=True)
class Patience:
    """How long things are waited for, in seconds, and by which clock."""

    poll_s: float = 0.1
    poll_max_s: float = 1.0
    margin_s: float = 15.0  # beyond the job's ExitTimeOut
    retry_s: float = 1.0
    retries: int = 4
    run_s: float = 3600.0  # for the end of a running job
    sleep: Callable[[float], None] = field(default=time.sleep)
    clock: Callable[[], float] = field(default=time.monotonic)


class StepError(MachineError):
    """One job could not be loaded or unloaded. `held` tells that launchd has not let go of the label."""

    def __init__(self, message: str, *, held: bool = False) -> None:
        super().__init__(message)
        self.held = held


@dataclass(frozen=True, slots=True)
class LaunchdSteps:
    """The steps, over one launchctl."""

    launchctl: Launchctl
    patience: Patience

    def wait_for_end(self, target: str) -> Service | None:
        """The job once it does not run, None when it is not loaded. Raises StepError when it runs on."""
        if self._poll(self.patience.run_s, lambda: self._at_rest(target)):
            return self.launchctl.service(target)
        raise StepError(
            f"it still runs after {self.patience.run_s:g} s; install again later, or use --now to stop it"
        )

    def _at_rest(self, target: str) -> bool:
        service = self.launchctl.service(target)
        return service is None or not service.running

    def _poll(self, limit_s: float, done: Callable[[], bool]) -> bool:
        end = self.patience.clock() + limit_s
        pause = self.patience.poll_s
        while not done():
            left = end - self.patience.clock()
            if left <= 0:
                return False
            self.patience.sleep(min(pause, left))
            pause = min(pause * 1.5, self.patience.poll_max_s)
        return True

    def unload(self, target: str, exit_timeout_s: int) -> None:
        """Take a job out and see it gone. Raises StepError, and ValueError for a target without a label.

        `bootout gui/501` with nothing behind it takes out the whole domain: it logs the user out.
        """
        parts = target.split("/")
        if len(parts) < (2 if parts[0] == "system" else 3) or not parts[-1]:
            raise ValueError(f"{target!r} is no job")
        answer = self.launchctl.call("bootout", target)
        check_session(answer)
        accepted = {Code.OK, Code.NO_SUCH_PROCESS, Code.DRAINING, Code.IN_PROGRESS, Code.NOT_LOADED, None}
        hidden = answer.status == Code.HIDDEN  # from a draining job, on some releases
        if answer.status not in accepted and not hidden:
            raise StepError(f"launchd did not take it out: {_explained(answer)}")
        limit = (exit_timeout_s or ENDLESS_S) + self.patience.margin_s
        if self._poll(limit, lambda: self.launchctl.service(target) is None):
            return
        if hidden:
            raise StepError(f"launchd did not take it out: {_explained(answer)}")
        pid = (self.launchctl.service(target) or Service()).pid
        process = f" (process {pid} has not ended)" if pid else ""
        raise StepError(
            f"launchd still holds the label {limit:g} s after bootout{process}; the job is NOT loaded: "
            "install again when the process is gone",
            held=True,
        )

    def load(
        self, domain: str, label: str, path: Path, *, once: bool = False, drained: bool = False
    ) -> Service:
        """Load a job and see it there. `drained`: a bootout came just before. Raises StepError, NoSessionError."""
        target = f"{domain}/{label}"
        enabled = False
        for attempt in range(self.patience.retries + 1):
            answer = self.launchctl.call("bootstrap", domain, str(path))
            check_session(answer)
            if answer.status == Code.OK or answer.status is None:
                service = self._verified(target, once=once)
                if service is not None:
                    return service
                if answer.status == Code.OK:
                    raise StepError("launchd took it and does not know it afterwards")
                raise StepError(f"launchd did not load it: {_explained(answer)}")
            cause = self._cause(answer, domain, label, path)
            if cause == Code.DISABLED and not enabled:
                self.enable(target)
                enabled = True
                continue
            transient = cause in {Code.IN_PROGRESS, Code.EXISTS} or (cause == Code.HIDDEN and drained)
            if not transient or attempt == self.patience.retries:
                raise StepError(f"launchd did not load it: {_refusal(answer, cause)}")
            if cause == Code.EXISTS:
                self.unload(target, (self.launchctl.service(target) or Service()).exit_timeout_s or 5)
            self.patience.sleep(self.patience.retry_s)
        raise AssertionError("the last attempt raises")

    def _verified(self, target: str, *, once: bool) -> Service | None:
        for _ in range(3):
            service = self.launchctl.service(target)
            if service is not None or once:
                return service or Service()
            self.patience.sleep(self.patience.poll_s)
        return None

    def _cause(self, answer: Answer, domain: str, label: str, path: Path) -> int:
        """The code behind a refusal: 5 hides another one, in the order in which the field has met them."""
        if answer.status != Code.HIDDEN:
            return answer.status or 0
        if self.launchctl.service(f"{domain}/{label}") is not None:
            return Code.IN_PROGRESS
        if self.launchctl.disabled(domain).get(label):
            return Code.DISABLED
        try:
            found = path.stat()
        except OSError:
            return 2
        return Code.BAD_OWNERSHIP if found.st_mode & 0o022 else Code.HIDDEN

    def enable(self, target: str) -> None:
        """Lift the override of a label. Raises StepError, NoSessionError."""
        self._override("enable", target)

    def disable(self, target: str) -> None:
        """Set the override of a label: it outlives files and restarts. Raises StepError, NoSessionError."""
        self._override("disable", target)

    def _override(self, verb: str, target: str) -> None:
        answer = self.launchctl.call(verb, target)
        check_session(answer)
        if answer.status != Code.OK:
            raise StepError(f"launchctl {verb} failed: {_explained(answer)}")


def _explained(answer: Answer) -> str:
    remedy = REMEDIES.get(answer.status or 0)
    return f"{answer.reason}; {remedy}" if remedy else answer.reason


def _refusal(answer: Answer, cause: int) -> str:
    if cause == answer.status:
        hint = (
            "; launchd hides the reason, its log has it: "
            "log show --last 5m --predicate 'process == \"launchd\"' | grep 'Bootstrap failed'"
        )
        return _explained(answer) + (hint if cause == Code.HIDDEN else "")
    text = "the label is still loaded" if cause == Code.IN_PROGRESS else TEXTS[cause]
    remedy = REMEDIES.get(cause)
    return f"{text} (launchctl says {describe(answer.status or 0)})" + (f"; {remedy}" if remedy else "")
