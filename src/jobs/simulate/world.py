"""Virtual time: launchd starts wrappers, wrappers decide by `wrapper_rules`, runs take time and end.

The Mac is one heap of events. Power and quota are known beforehand, so an end is computed when its run begins: seconds
of a process are seconds awake, and a Mac that is switched off ends all that runs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from typing import Final

from jobs.model.job import Manifest
from jobs.runtime.breaker import BreakerState, after, read, render
from jobs.runtime.wrapper_rules import CATCHUP, Go, Start, Stop, arrive, begin, finish, locked_out
from jobs.schedule.firing import Reading
from jobs.schedule.wall import wall_clock
from jobs.simulate.ending import Ending, ending
from jobs.simulate.fires import Cause, job_fires
from jobs.simulate.scenario import Scenario
from jobs.simulate.spans import FAR
from jobs.simulate.state import JobState, Process, Run, job_state

THROTTLE_S: Final = 10
"""launchd's ThrottleInterval: no job starts twice within it."""

# At one instant: the switch first, then ends, then waits that are over, then what launchd starts, catch-up last.
SWITCH, END, WAIT, FIRE, TICK = range(5)

Event = tuple[int, int, int, Callable[[], None]]


class World:
    """The Mac of a manifest from the scenario's start to its end."""

    def __init__(self, manifest: Manifest, scenario: Scenario) -> None:
        self.manifest = manifest
        self.scenario = scenario
        self.now = scenario.start
        self.clock = wall_clock(scenario.zone)
        self.jobs = {job.name: job_state(manifest, job, scenario) for job in manifest.jobs if job.enabled}
        self.breakers: dict[str, str] = {}
        self._cooldown = {guard.name: guard.cooldown_s for guard in manifest.guards}
        self._locks: dict[str, Process] = {}
        self._waiting: dict[str, deque[Process]] = {}
        self._canaries: dict[str, Process] = {}
        self.living: dict[int, Process] = {}
        self._pid = 0
        self._count = 0
        self._events: list[Event] = []
        for state in self.jobs.values():
            for fire in job_fires(state.job, scenario):
                self._events.append(self._event(fire.at, FIRE, self._fire_of(state, fire.cause)))
        for span in scenario.power.off:
            self._events.append(self._event(span.begin, SWITCH, self._switch_off))
        heapify(self._events)

    def at(self, when: int, rank: int, do: Callable[[], None]) -> None:
        """Let something happen at an instant."""
        heappush(self._events, self._event(when, rank, do))

    def _event(self, when: int, rank: int, do: Callable[[], None]) -> Event:
        self._count += 1
        return (when, rank, self._count, do)

    def next_event(self) -> int:
        """The instant at which something happens next; far away if nothing will."""
        return self._events[0][0] if self._events else FAR

    def advance(self, until: int) -> None:
        """Let time pass up to an instant, which is included; never beyond the scenario's end."""
        last = self.scenario.end
        while self._events and self._events[0][0] <= until and self._events[0][0] < last:
            when, _, _, do = heappop(self._events)
            self.now = max(self.now, when)
            do()
        self.now = max(self.now, min(until, last))

    def breaker(self, guard: str) -> BreakerState:
        """The state of a guard's breaker now."""
        return read(self.breakers.get(guard), self.now)

    # launchd

    def _fire_of(self, state: JobState, cause: Cause) -> Callable[[], None]:
        return lambda: self._fire(state, cause)

    def _fire(self, state: JobState, cause: Cause) -> None:
        """One wish of launchd to start the job: never a second time while it runs."""
        if state.process is None:
            self.launch(state)
        elif cause == "interval" and self.scenario.reading is Reading.MANUAL:
            state.dropped += 1  # launchd.plist(5), StartInterval
        else:
            state.pending = True  # launchd-842: once more, right after the exit

    def launch(self, state: JobState) -> None:
        """Start a job that does not run, as soon as the throttle lets it."""
        if state.process is not None or state.delayed:
            return
        wait = state.last_start + THROTTLE_S - self.now
        if wait <= 0:
            self.start_wrapper(state)
            return
        state.delayed = True
        self.at(self.scenario.power.after(self.now, wait), FIRE, lambda: self._delayed(state))

    def _delayed(self, state: JobState) -> None:
        state.delayed = False
        if self.scenario.power.dark(self.now) != "off" and state.process is None:
            self.start_wrapper(state)

    def _switch_off(self) -> None:
        """The Mac is switched off: every process gets its TERM, and launchd forgets what it meant to start."""
        for state in self.jobs.values():
            state.pending = False
        for process in list(self.living.values()):
            if process.run is None:
                self._waiting[self._lock_name(process.of)].remove(process)
                self._gone(process)
            else:
                self.end(process, Ending(self.now, "killed", 143, signal=15))

    # The wrapper

    def start_wrapper(self, state: JobState, trigger: str = "") -> None:
        """One start of the wrapper, up to its skip or to the start of the job."""
        state.last_start = self.now
        self._pid += 1
        if self.now <= state.request_until:
            trigger = CATCHUP
        state.request_until = 0
        start = Start(self.now, self._pid, trigger)
        go = arrive(state.rules, state.memory(), start, self.breaker, self._canary_free)
        if isinstance(go, Stop):
            self._stopped(state, go)
            return
        process = Process(self._pid, state, go)
        state.process = self.living[process.pid] = process
        for guard in go.canaries:
            self._canaries[guard] = process
        lock = state.job.lock
        if lock is None or lock.name not in self._locks:
            self._begin(process)
        elif lock.wait_s:
            self._waiting.setdefault(lock.name, deque()).append(process)
            self.at(self.scenario.power.after(self.now, lock.wait_s), WAIT, lambda: self._waited(process))
        else:
            self._leave(process, locked_out(state.rules, state.memory(), go))

    def _canary_free(self, guard: str) -> bool:
        return guard not in self._canaries

    def _stopped(self, state: JobState, stop: Stop) -> None:
        state.records += stop.records
        state.cursor = stop.cursor or state.cursor

    def _waited(self, process: Process) -> None:
        """The wait for a lock is over; nothing if it was got meanwhile."""
        if process.run is None and not process.gone:
            self._waiting[self._lock_name(process.of)].remove(process)
            state = process.of
            self._leave(process, locked_out(state.rules, state.memory(), process.go))

    def _begin(self, process: Process) -> None:
        """Under the lock: claim and start, or give up."""
        state = process.of
        if state.job.lock is not None:
            self._locks[state.job.lock.name] = process
        begun = begin(state.rules, state.memory(), process.go)
        if isinstance(begun, Stop):
            self._leave(process, begun)
            return
        state.records += begun.records
        state.claims.update(begun.made)
        go: Go = begun.go
        process.begun = begun
        process.run = Run(state.job.name, go.slot, go.trigger, go.start.now, self.now)
        state.runs.append(process.run)
        found = ending(state.job, go.slot, len(state.runs), self.now, self.scenario, self.clock)
        self.at(found.at, END, lambda: self.end(process, found))

    def end(self, process: Process, how: Ending) -> None:
        """The end of a run: the breakers hear of it, the wrapper records it, lock and canaries are given back."""
        if process.gone or process.begun is None or process.run is None:
            return
        state, run, until = process.of, process.run, None
        if how.word not in {"killed", "timeout"}:
            for guard in state.job.guards:
                until = self._judge(process, guard, how) or until
        done = finish(
            state.rules,
            process.begun,
            self.now,
            how.word,
            status=how.status,
            signal=how.signal,
            guard=how.guard,
            until=until,
        )
        state.records.append(done.record)
        state.cursor = done.cursor
        state.claims.update(done.make)
        state.claims.difference_update(done.drop)
        run.ended, run.word, run.guard, run.until = self.now, how.word, how.guard, until
        self._gone(process)

    def _judge(self, process: Process, guard: str, how: Ending) -> int | None:
        """What an end does to a breaker; the instant until which it is open if this run was refused by it."""
        refused = how.guard == guard
        before = self.breaker(guard)
        state = after(
            before,
            "quota" if refused else "ok" if how.status == 0 else "failed",
            how.reset if refused else None,
            self.now,
            canary=guard in process.go.canaries,
            cooldown=self._cooldown.get(guard, 900),
            job=process.of.job.name,
        )
        if state != before:
            text = render(state)
            if text is None:
                self.breakers.pop(guard, None)
            else:
                self.breakers[guard] = text
        return state.until if refused else None

    def _leave(self, process: Process, stop: Stop) -> None:
        self._stopped(process.of, stop)
        self._gone(process)

    def _gone(self, process: Process) -> None:
        """The process is no more: its lock goes to who waits for it, and launchd may start the job again."""
        process.gone = True
        del self.living[process.pid]
        state = process.of
        state.process = None
        for guard in process.go.canaries:
            if self._canaries.get(guard) is process:
                del self._canaries[guard]
        lock = self._lock_name(state)
        if lock and self._locks.get(lock) is process:
            del self._locks[lock]
            waiting = self._waiting.get(lock)
            if waiting and self.scenario.power.dark(self.now) != "off":
                self._begin(waiting.popleft())
        if state.pending:
            state.pending = False
            self.launch(state)

    @staticmethod
    def _lock_name(state: JobState) -> str:
        return state.job.lock.name if state.job.lock else ""
