"""Making up the candidates: one by one, each to its true end.

Everything that touches the machine goes through `Machine`, so that the order of things can be tested without one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from jobs.runtime.catchup import Decision
from jobs.runtime.records import Record

Outcome = Literal["ok", "failed", "refused", "skipped", "not-started", "hung", "waiting"]

START_LIMIT_S = 90
"""How long a start may take to show: launchd's throttle alone is ten seconds (ThrottleInterval)."""


class Machine(Protocol):
    """What draining needs of the world. Times are seconds; `now` is the wall clock, `clock` never jumps."""

    def now(self) -> int:
        """The epoch."""
        ...

    def clock(self) -> float:
        """A clock for durations."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait."""
        ...

    def breaker_open(self, guard: str) -> bool:
        """Whether the guard lets nobody through now; half-open counts as not open."""
        ...

    def start(self, decision: Decision) -> str | None:
        """Start the job with a request for catch-up; a sentence if it cannot be started."""
        ...

    def running(self, job: str) -> Record | None:
        """The start of the job's run that still goes on, whoever started it, or None."""
        ...

    def records_since(self, job: str, epoch: int) -> Sequence[Record]:
        """The records of a job from an epoch on, oldest first."""
        ...

    def group_lives(self, pid: int) -> bool:
        """Whether anything of the process group is alive."""
        ...

    def launchd_runs(self, decision: Decision) -> bool:
        """Whether launchd says that the job runs; False where it cannot be asked."""
        ...

    def came_and_went(self, decision: Decision) -> bool:
        """Whether what `start` started is gone again. A wrapper may leave no record: its skip was on record before."""
        ...

    def signal_group(self, pid: int, *, kill: bool) -> None:
        """TERM to the wrapper's process (which ends its group), or KILL to the whole group."""
        ...


@dataclass(frozen=True, slots=True)
class Made:
    """How one candidate went."""

    decision: Decision
    outcome: Outcome
    words: str
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a run may take, and the pause between two (a provider's burst limit)."""

    timeout_s: float
    pause_s: float
    poll_s: float = 0.5


Tell = Callable[[str], None]


def drain(
    candidates: Sequence[Decision],
    machine: Machine,
    limits: Limits,
    tell: Tell,
    others: Sequence[Decision] = (),
) -> Iterable[Made]:
    """The outcome of each candidate, as it becomes known. A guard that opens leaves the rest of its jobs due.

    `others` are the jobs among which a run may still go on that a killed catch-up has left: it comes to its end
    before anything else is started.
    """
    ran = False
    for decision in others:
        left = machine.running(decision.job.name)
        if left is not None and left.trigger == "catchup":
            tell(f"{decision.job.name}: still at it from a catch-up before")
            yield follow(decision, left, machine, limits, tell)
            ran = True
    for position, decision in enumerate(candidates):
        open_guard = next((guard for guard in decision.job.guards if machine.breaker_open(guard)), None)
        if open_guard is not None:
            yield Made(decision, "waiting", f"guard {open_guard} is open: the slot stays due")
            continue
        if ran and limits.pause_s > 0:
            machine.sleep(limits.pause_s)
        behind = len(candidates) - position - 1
        queue = f", {behind} wait" if behind else ""
        tell(f"{position + 1}/{len(candidates)} {decision.job.name}: starting{queue}")
        made = make_up(decision, machine, limits, tell)
        ran = ran or made.outcome not in {"not-started", "skipped"}
        yield made


def make_up(decision: Decision, machine: Machine, limits: Limits, tell: Tell) -> Made:
    """Start one job and wait for its true end; a run that somebody else has started meanwhile counts as well."""
    already = machine.running(decision.job.name)
    if already is not None:
        return follow(decision, already, machine, limits, tell)
    since = machine.now()
    refusal = machine.start(decision)
    if refusal is not None:
        return Made(decision, "not-started", refusal)
    return _wait(decision, None, since, machine, limits, tell)


def follow(decision: Decision, started: Record, machine: Machine, limits: Limits, tell: Tell) -> Made:
    """Wait for the true end of a run that goes on."""
    return _wait(decision, started, started.epoch, machine, limits, tell)


def _wait(
    decision: Decision, started: Record | None, since: int, machine: Machine, limits: Limits, tell: Tell
) -> Made:
    """The true end of a run: its record, its process group, and launchd's own word, all three."""
    began = machine.clock()
    limit_s = limits.timeout_s
    if decision.job.timeout_s:
        limit_s = min(limit_s, decision.job.timeout_s + decision.job.kill_after_s + 30)
    start_limit_s = START_LIMIT_S + decision.job.lock_wait_s
    stopped_at: float | None = None
    killed = False
    last_told = began
    while True:
        elapsed = machine.clock() - began
        records = machine.records_since(decision.job.name, since)
        started = started or next((record for record in records if record.event == "start"), None)
        end = _end_of(records, started)
        silent = started is None and end is None and machine.came_and_went(decision)
        if silent or (started is None and end is not None and end.event == "skip"):
            # Somebody else's run of the same job may have taken the slot first: it is the one to wait for.
            started = machine.running(decision.job.name)
            if started is not None:
                since = started.epoch
                continue
        if end is not None and (end.pid is None or not machine.group_lives(end.pid)):
            if not machine.launchd_runs(decision):
                return _made(decision, end, elapsed, stopped=stopped_at is not None)
        elif started is None:
            if silent and not machine.records_since(decision.job.name, since):  # none came just now
                words = "it ran nothing and left no new record: its log tells why"
                return Made(decision, "skipped", words, elapsed)
            if elapsed > start_limit_s and end is None:
                return Made(decision, "not-started", f"nothing started within {start_limit_s} s", elapsed)
        elif started.pid is not None and not machine.group_lives(started.pid):
            # The wrapper was killed before it could write its end; look once more, it may just have.
            end = _end_of(machine.records_since(decision.job.name, since), started)
            if end is None:
                return Made(decision, "failed", "crashed", elapsed)
            continue
        elif stopped_at is None and elapsed > limit_s:
            tell(f"{decision.job.name}: over {limit_s:g} s, stopping it")
            machine.signal_group(started.pid or 0, kill=False)
            stopped_at = machine.clock()
        elif (
            stopped_at is not None
            and not killed
            and machine.clock() - stopped_at > decision.job.kill_after_s + 5
        ):
            machine.signal_group(started.pid or 0, kill=True)
            killed = True
        elif (
            killed
            and stopped_at is not None
            and machine.clock() - stopped_at > decision.job.kill_after_s + 35
        ):
            return Made(decision, "hung", "cannot be stopped", elapsed)
        if machine.clock() - last_told >= 60:
            last_told = machine.clock()
            tell(f"{decision.job.name}: running for {int(elapsed)} s")
        machine.sleep(limits.poll_s)


def _end_of(records: Sequence[Record], started: Record | None) -> Record | None:
    """The record that ends this start: its own end, or a skip where there was none."""
    for record in records:
        if record.event == "end" and (started is None or record.pid == started.pid):
            return record
        if started is None and record.event == "skip":
            return record
        if started is None and record.event == "missed" and record.reason == "expired":
            return record
    return None


def _made(decision: Decision, end: Record, seconds: float, *, stopped: bool) -> Made:
    reason = end.reason or "failed"
    if end.event == "skip":
        return Made(decision, "skipped", f"skipped ({reason})", seconds)
    if end.event == "missed":
        return Made(decision, "skipped", "its time is over: recorded as missed", seconds)
    if reason in {"quota", "billing"}:
        return Made(decision, "refused", f"the tool refused again ({reason}): the slot stays due", seconds)
    if reason == "ok":
        return Made(decision, "ok", f"made up {end.slot or ''}".rstrip(), seconds)
    ending = f"{reason} (exit {end.exit})" if end.exit is not None else reason
    return Made(decision, "failed", f"stopped after the time limit: {ending}" if stopped else ending, seconds)
