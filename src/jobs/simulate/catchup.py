"""The catch-up job in virtual time: its interval, the look of its wrapper, and the real decision, order and draining."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from jobs.catchup.gather import catchup_job, overdue, passed_slots
from jobs.compile.plist import catchup_at_login
from jobs.model.job import CatchupSettings
from jobs.runtime.catchup import Decision, PassedSlot, Window, decide, in_order
from jobs.runtime.drain import Limits, Made, drain
from jobs.runtime.records import Record
from jobs.runtime.wrapper_rules import CATCHUP, catchup_wanted, name_of
from jobs.schedule.rule import Schedule
from jobs.simulate.fires import interval
from jobs.simulate.state import JobState
from jobs.simulate.world import TICK, World

REQUEST_S = 120
POLL_S = 1.0
LONGEST_LOOK_S = 10


class _Interrupted(Exception):  # noqa: N818 - no error: the Mac is switched off, or the simulation is over
    """The catch-up's own process is gone."""


class VirtualMachine:
    """What draining needs of the world (`jobs.runtime.drain.Machine`), in a simulated one."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._began = world.now
        self._off = world.scenario.power.off_after(world.now)

    def now(self) -> int:
        """The epoch."""
        return self.world.now

    def clock(self) -> float:
        """Seconds awake since the catch-up began."""
        return self.world.scenario.power.awake_s(self._began, self.world.now)

    def sleep(self, seconds: float) -> None:
        """Let the world go on meanwhile; between two looks, until something happens."""
        world = self.world
        until = world.scenario.power.after(world.now, ceil(seconds))
        if seconds == POLL_S:
            until = max(until, min(world.next_event(), until + LONGEST_LOOK_S))
        world.advance(until)
        if world.now >= min(self._off, world.scenario.end):
            raise _Interrupted

    def breaker_open(self, guard: str) -> bool:
        """Whether the guard lets nobody through now."""
        return self.world.breaker(guard).state == "open"

    def start(self, decision: Decision) -> str | None:
        """Leave a request and start the job."""
        state = self.world.jobs[decision.job.name]
        state.request_until = self.world.now + REQUEST_S
        self.world.launch(state)
        return None

    def running(self, job: str) -> Record | None:
        """The start of the run that goes on."""
        process = self.world.jobs[job].process
        if process is None:
            return None
        return next(
            (
                record
                for record in reversed(self.world.jobs[job].records)
                if record.event == "start" and record.pid == process.pid
            ),
            None,
        )

    def records_since(self, job: str, epoch: int) -> Sequence[Record]:
        """The records of a job from an epoch on, oldest first."""
        found = []
        for record in reversed(self.world.jobs[job].records):
            if record.epoch < epoch:
                break
            found.append(record)
        return found[::-1]

    def group_lives(self, pid: int) -> bool:
        """Whether the process is there."""
        return pid in self.world.living

    def launchd_runs(self, decision: Decision) -> bool:
        """Whether the job runs."""
        return self.world.jobs[decision.job.name].process is not None

    def came_and_went(self, decision: Decision) -> bool:
        """Whether the start has come to nothing: its process is gone, or there was none."""
        return self.world.jobs[decision.job.name].process is None

    def signal_group(self, pid: int, *, kill: bool) -> None:
        """TERM to the wrapper, which obeys; nothing is left for a KILL."""
        from jobs.simulate.ending import Ending

        process = self.world.living.get(pid)
        if process is not None:
            signal = 9 if kill else 15
            self.world.end(process, Ending(self.world.now, "killed", 128 + signal, signal=signal))


class Catchup:
    """The catch-up job of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.settings = world.manifest.catchup or CatchupSettings()
        self.made: list[tuple[int, Made]] = []
        self.ticks = 0
        self._busy = False
        self._jobs = [
            (state, catchup_job(state.job))
            for state in world.jobs.values()
            if state.job.schedule is not None and state.job.catchup is not None
        ]
        if world.manifest.catchup is None or self.settings.every_s is None or not self._jobs:
            return
        at_login = catchup_at_login(world.manifest)
        for session in world.scenario.power.sessions(world.scenario.start, world.scenario.end):
            if at_login and session.begin > world.scenario.start:
                world.at(session.begin, TICK, self.tick)  # RunAtLoad
            for at in interval(self.settings.every_s, session, world.scenario):
                world.at(at, TICK, self.tick)

    def tick(self) -> None:
        """One start of the catch-up by launchd: most of the time its wrapper finds nothing to do."""
        self.ticks += 1
        world = self.world
        if self._busy or not any(
            catchup_wanted(state.words, state.cursor, state.job.guards, world.breaker)
            for state, _ in self._jobs
        ):
            return
        self._busy = True
        try:
            self._drain()
        except _Interrupted:
            pass
        finally:
            self._busy = False

    def _drain(self) -> None:
        """One `jobsctl catchup`."""
        world, zone = self.world, self.world.scenario.zone
        now = world.now

        def passed(schedule: Schedule, _start: int, now: int, window: Window) -> Sequence[PassedSlot]:
            return passed_slots(schedule, now, window, zone)

        decisions = [
            decide(
                job,
                now=now,
                passed=passed,
                records=reversed(state.records),
                claims=state.claims,
                installed=state.since,
                alive=lambda pid, _began: pid in world.living,
            )
            for state, job in self._jobs
            if not self._newest_has_run(state)
        ]
        for decision in decisions:
            state = world.jobs[decision.job.name]
            words = (state.cursor.slot, state.cursor.word, str(state.cursor.wall))
            if overdue(decision, words, state.claims, now, zone) and state.process is None:
                world.start_wrapper(state, CATCHUP)
        limits = Limits(self.settings.timeout_s, self.settings.pause_s, POLL_S)
        for made in drain(in_order(decisions), VirtualMachine(world), limits, lambda _words: None):
            self.made.append((world.now, made))

    def _newest_has_run(self, state: JobState) -> bool:
        """Whether the newest slot that has passed is claimed: then `decide` says no, and need not be asked."""
        table = state.rules.table
        slot = table.newest(self.world.now - 30) if table else None
        return slot is not None and name_of(slot.wall) in state.claims
