"""What a simulated state folder and a simulated launchd hold of each job."""

from __future__ import annotations

from dataclasses import dataclass, field

from jobs.compile.wrapper import CURSOR_WORDS, DEFAULT_DEADLINE_S
from jobs.model.job import Job, Manifest
from jobs.runtime.records import Record
from jobs.runtime.wrapper_rules import NO_CURSOR, Begun, Cursor, Go, Memory, Rules, SlotTable
from jobs.schedule.launchd import is_exact
from jobs.schedule.slots import Slot, clock_of, slots_between
from jobs.schedule.wall import wall_clock
from jobs.simulate.scenario import Scenario
from jobs.simulate.spans import DAY_S


@dataclass(slots=True)
class Run:
    """One run of a job, as it went: instants, and the word of its end (None: still running when the simulation ends)."""

    job: str
    slot: Slot | None
    trigger: str
    arrived: int
    started: int
    ended: int | None = None
    word: str | None = None
    guard: str | None = None
    until: int | None = None


@dataclass(slots=True, eq=False)
class Process:
    """A wrapper that waits for its lock, or whose job runs. `begun` and `run` are None while it waits."""

    pid: int
    of: JobState
    go: Go
    begun: Begun | None = None
    run: Run | None = None
    gone: bool = False


@dataclass(slots=True, eq=False)
class JobState:
    """A job with its records, claims and cursor; and what launchd remembers: a process, or that a start is pending."""

    job: Job
    rules: Rules
    since: int
    words: frozenset[str]  # of the cursor, that leave a slot to be made up
    cursor: Cursor = NO_CURSOR
    claims: set[str] = field(default_factory=set)
    records: list[Record] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    process: Process | None = None
    pending: bool = False
    delayed: bool = False  # by the throttle
    last_start: int = -(1 << 40)
    request_until: int = 0  # of catch-up, in requests/JOB
    dropped: int = 0  # fires that found the job running and were lost

    def memory(self) -> Memory:
        """What the wrapper reads of the state folder."""
        return Memory(self.cursor, self.claims, self.since)


def job_state(manifest: Manifest, job: Job, scenario: Scenario) -> JobState:
    """The state of a job that was installed when the simulation begins."""
    reasons = job.catchup.reasons if job.catchup and job.schedule else ()
    words = {word for reason in reasons if reason != "missed" for word in CURSOR_WORDS[reason].split(",")}
    return JobState(
        job,
        rules_of(manifest, job, scenario),
        scenario.start,
        frozenset({"always"} if "missed" in reasons else words),
    )


def rules_of(manifest: Manifest, job: Job, scenario: Scenario) -> Rules:
    """The rules of a job's wrapper, with its slots in the scenario's time and a day around it."""
    window = job.catchup.window if job.catchup else manifest.catchup.window if manifest.catchup else "today"
    table = None
    if job.schedule is not None:
        slots = slots_between(job.schedule, scenario.start - DAY_S, scenario.end + DAY_S, scenario.zone)
        table = SlotTable.of(slots, clock_of(job.schedule, scenario.zone))
    return Rules(
        job=job.name,
        trigger=_trigger(job),
        clock=table.clock if table else wall_clock(scenario.zone),
        table=table,
        event="watch" if job.schedule and job.watch else "",
        deadline_s=DEFAULT_DEADLINE_S if job.deadline_s is None else job.deadline_s,
        window=window,
        guards=job.guards,
        once=job.once.per if job.once else "",
        mark=job.once.mark if job.once else "start",
        coarse=job.schedule is not None and not is_exact(job.schedule),
    )


def _trigger(job: Job) -> str:
    if job.schedule:
        return "schedule"
    if job.every_s:
        return "interval"
    if job.watch:
        return "watch"
    return "keep-alive" if job.keep_alive else "load"
