"""The wrapper's decisions in Python are those of its shell: random stories, played by real wrappers and by the rules."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from jobs.model.job import Guard, JobCatchup, Lock, Once
from jobs.runtime.breaker import CLOSED, BreakerState, after, read, render
from jobs.runtime.records import Record, parse
from jobs.runtime.wrapper_rules import (
    NO_CURSOR,
    Begun,
    Cursor,
    Go,
    Memory,
    Rules,
    SlotTable,
    Start,
    Stop,
    arrive,
    begin,
    finish,
    locked_out,
)
from jobs.schedule.rule import ALL_DAYS, ALL_HOURS, Rule, Schedule
from jobs.schedule.slots import slots_between
from jobs.schedule.wall import wall_clock
from tests.wrapper.sandbox import DAY, NOON, Sandbox, daily, wait_until

ZONES = ("UTC", "UTC", "Asia/Tokyo", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe")
CHANGES = (1793512800, 1772953200, 1792890000, 1774746000)  # of New York's and Berlin's clocks in 2026
LOOK_BACK = 70 * DAY
SAME_FIELDS = (
    "epoch",
    "event",
    "reason",
    "slot",
    "to",
    "count",
    "trigger",
    "late",
    "missed",
    "exit",
    "seconds",
    "guard",
    "until",
)


@dataclass(frozen=True)
class Step:
    """One start of the wrapper, and how the world is then."""

    now: int
    trigger: str
    force: bool
    status: int  # of the job: 75 is a refusal
    breaker: str | None  # a file put there before the start; None: left as it is
    busy: bool
    canary_busy: bool


@dataclass
class Model:
    """The state folder as the rules see it."""

    rules: Rules
    since: int | None
    cooldown: int
    cursor: Cursor = NO_CURSOR
    claims: set[str] = field(default_factory=set)
    breaker: str | None = None
    records: list[Record] = field(default_factory=list)

    def play(self, step: Step) -> None:
        """One start, from its first look to the end of its job."""
        if step.breaker is not None:
            self.breaker = step.breaker or None
        memory = Memory(self.cursor, self.claims, self.since)
        start = Start(step.now, 1, step.trigger, step.force)
        go = arrive(
            self.rules, memory, start, lambda _: read(self.breaker, step.now), lambda _: not step.canary_busy
        )
        if isinstance(go, Stop):
            self._stopped(go)
            return
        if step.busy:
            self._stopped(locked_out(self.rules, memory, go))
            return
        run = begin(self.rules, memory, go)
        if isinstance(run, Stop):
            self._stopped(run)
            return
        self.claims.update(run.made)
        self.records += run.records
        self._ended(step, run)

    def _stopped(self, stop: Stop) -> None:
        self.records += stop.records
        self.cursor = stop.cursor or self.cursor

    def _ended(self, step: Step, run: Begun) -> None:
        reason = {0: "ok", 75: "quota"}.get(step.status, "failed")
        guard, until = None, None
        if reason == "quota" and not self.rules.guards:
            reason = "failed"
        if self.rules.guards:
            before = read(self.breaker, step.now)
            canary = step.force or "claude" in run.go.canaries
            verdict = after(
                before, reason, None, step.now, canary=canary, cooldown=self.cooldown, job=self.rules.job
            )
            # A file that counts as closed is left where it is.
            same = verdict == before or verdict.state == before.state == "closed"
            self.breaker = self.breaker if same else render(verdict)
            if reason == "quota":
                guard, until = "claude", verdict.until
        end = finish(self.rules, run, step.now, reason, status=step.status, guard=guard, until=until)
        self.records.append(end.record)
        self.cursor = end.cursor
        self.claims = (self.claims | set(end.make)) - set(end.drop)


def random_schedule(random: Random) -> Schedule:
    minutes = tuple(sorted(random.sample(range(0, 60, 5), random.choice([1, 1, 2, 4]))))
    hours = random.choice([ALL_HOURS, tuple(sorted(random.sample(range(24), random.choice([1, 2, 5]))))])
    days = random.choice([ALL_DAYS, ALL_DAYS, ALL_DAYS, (1, 15), (0,)])
    return Schedule((Rule(minutes, hours, days),), random.choice(ZONES))


def random_breaker(random: Random, now: int) -> str | None:
    """A breaker's file to be put there; "" removes it."""
    kind = random.random()
    if kind < 0.6:
        return None
    if kind < 0.75:
        return ""
    until = now + random.choice([-3600, -1, 0, 1, 900, 86400, 9 * DAY])
    if kind < 0.8:
        until = 0
    word = random.choice(["quota", "quota", "billing", "manual"])
    begun = now + random.choice([-600, -600, -DAY, 7200])
    return f"1 open {until} {word} {random.choice([0, 1, 3])} {begun} other\nlimit\n"


def random_steps(random: Random, count: int) -> list[Step]:
    now = random.choice([NOON, NOON, *CHANGES]) + random.randrange(-DAY, DAY)
    steps = []
    for _ in range(count):
        now += random.choice(
            [0, 0, 20, 61, 61, 300, 300, 1800, 3600, 7200, 6 * 3600, DAY, 3 * DAY, 8 * DAY, -3600]
        )
        now += random.randrange(60)
        if random.random() < 0.3:
            now -= now % 3600 + random.choice([0, 29, 30, 31, -1])
        trigger = random.choice(["", "", "", "catchup", "catchup", "manual"])
        steps.append(
            Step(
                now,
                trigger,
                trigger == "manual" and random.random() < 0.5,
                random.choice([0, 0, 0, 1, 75]),
                random_breaker(random, now),
                random.random() < 0.12,
                random.random() < 0.3,
            )
        )
    return steps


@pytest.fixture
def holder() -> Iterator[str]:
    """The ID of a living process that may stand as the owner of a lock."""
    process = subprocess.Popen(["sleep", "600"], start_new_session=True)
    ticks = 0
    if sys.platform == "linux":
        ticks = int(Path(f"/proc/{process.pid}/stat").read_text().rpartition(") ")[2].split()[19])
    yield f"{process.pid}.{1 << 31}.{ticks}.other"
    process.kill()
    process.wait()


def hold(folder: Path, holder: str, busy: bool) -> None:
    """Put a living owner into a lock's folder, or take it out."""
    owner = folder / "owner"
    if busy and not owner.is_symlink():
        folder.mkdir(parents=True, exist_ok=True)
        owner.symlink_to(holder)
    elif not busy and owner.is_symlink():
        owner.unlink()


def play_both(seed: int, base: Path, holder: str, count: int) -> None:
    """One story; fails at the first difference."""
    random = Random(seed)
    sandbox = Sandbox(base)
    steps = random_steps(random, count)
    cooldown = random.choice([900, 1800])
    sandbox.guards = (Guard("claude", tool="claude", cooldown_s=cooldown),)
    schedule = random_schedule(random) if random.random() < 0.9 else None
    guards = ("claude",) if random.random() < 0.75 else ()
    once = random.choice(
        [
            None,
            None,
            Once("slot"),
            Once("day"),
            Once("week"),
            Once("hour", "success"),
            Once("slot", "success"),
        ]
    )
    deadline = random.choice([None, None, 600, 7200])
    window: Any = random.choice(["today", "today", 6 * 3600, 1800])
    watch = ("/tmp/in",) if random.random() < 0.15 else ()
    exact = random.random() < 0.5
    job = sandbox.add(
        "job",
        f"exit $(cat '{base}/status')",
        exact=exact,
        schedule=schedule,
        every_s=None if schedule else 1800,
        guards=guards,
        once=once,
        deadline_s=deadline,
        watch=watch,
        catchup=JobCatchup(("guard",), window),
    )
    zone = schedule.zone or "UTC" if schedule else "UTC"
    clock = wall_clock(zone)
    table = None
    if schedule:
        first, last = min(step.now for step in steps), max(step.now for step in steps)
        table = SlotTable.of(slots_between(schedule, first - LOOK_BACK, last + DAY, zone), clock)
    rules = Rules(
        job="job",
        trigger="schedule" if schedule else "interval",
        clock=clock,
        table=table,
        event="watch" if schedule and watch else "",
        deadline_s=6 * DAY if job.deadline_s is None else job.deadline_s,
        window=window,
        guards=guards,
        once=once.per if once else "",
        mark=once.mark if once else "start",
        coarse=not exact,
    )
    since = random.choice([None, steps[0].now - random.choice([-3600, 0, 1800, DAY, 40 * DAY])])
    state = sandbox.state
    if since is not None:
        (state / "since").mkdir(parents=True)
        (state / "since" / "job").write_text(f"{since}\n")
    model = Model(rules, since, cooldown)
    breaker = state / "guard" / "claude"
    breaker.parent.mkdir(parents=True)
    for number, step in enumerate(steps):
        if step.breaker:
            breaker.write_text(step.breaker)
        elif step.breaker == "":
            breaker.unlink(missing_ok=True)
        hold(state / "lock" / "job", holder, step.busy)
        hold(state / "canary" / "claude", holder, step.canary_busy)
        (base / "status").write_text(f"{step.status}\n")
        env = {"JOBS_FORCE": "1"} if step.force else {}
        sandbox.run("job", now=step.now, trigger=step.trigger, env=env | ({} if schedule else {"TZ": "UTC"}))
        model.play(step)
        assert seen(sandbox) == told(model), f"seed {seed}, step {number}: {step}, {rules.once=}, {since=}"


def seen(sandbox: Sandbox) -> dict[str, Any]:
    """What the real wrapper left."""
    path = sandbox.state / "runs" / "job.jsonl"
    records = [parse(line) for line in path.read_bytes().splitlines()] if path.exists() else []
    words = NO_CURSOR
    cursor = sandbox.state / "slots" / "job"
    if cursor.exists():
        slot, word, wall, missed = cursor.read_text().split()[:4]
        words = Cursor(slot, word, int(wall), int(missed))
    breaker = sandbox.state / "guard" / "claude"
    return {
        "records": [brief(record) for record in records if record is not None],
        "claims": sandbox.claims("job"),
        "cursor": words,
        "breaker": head(breaker.read_text() if breaker.exists() else None),
    }


def told(model: Model) -> dict[str, Any]:
    """What the rules say."""
    return {
        "records": [brief(record) for record in model.records],
        "claims": sorted(model.claims),
        "cursor": model.cursor,
        "breaker": head(model.breaker),
    }


def brief(record: Record) -> dict[str, Any]:
    found = {name: getattr(record, name) for name in SAME_FIELDS}
    return {name: value for name, value in found.items() if value is not None}


def head(text: str | None) -> str | None:
    """The first line of a breaker's file: the tool's words are the judge's matter."""
    return text.partition("\n")[0] if text else None


@pytest.mark.parametrize("block", range(4))
def test_random_stories_end_alike(tmp_path: Path, holder: str, block: int) -> None:
    for seed in range(block * 12, block * 12 + 12):
        play_both(seed, tmp_path / str(seed), holder, 8)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(8))
def test_many_random_stories_end_alike(tmp_path: Path, holder: str, block: int) -> None:
    for seed in range(1000 + block * 50, 1050 + block * 50):
        play_both(seed, tmp_path / str(seed), holder, 12)


@pytest.mark.parametrize("trigger", ["", "manual"])
def test_a_slot_that_was_taken_during_the_wait_for_the_lock(
    tmp_path: Path, holder: str, trigger: str
) -> None:
    sandbox = Sandbox(tmp_path / "box")
    schedule, clock = daily(12), wall_clock("UTC")
    sandbox.add("job", "true", schedule=schedule, lock=Lock("job", wait_s=30))
    hold(sandbox.state / "lock" / "job", holder, busy=True)
    process = sandbox.start("job", now=NOON, trigger=trigger)
    wait_until(lambda: sleeps(process.pid))
    (sandbox.state / "claims" / "job" / "20261201T1200").mkdir()
    hold(sandbox.state / "lock" / "job", holder, busy=False)
    assert process.wait(timeout=30) == 0
    table = SlotTable.of(slots_between(schedule, NOON - LOOK_BACK, NOON + DAY, "UTC"), clock)
    rules = Rules(job="job", trigger="schedule", clock=clock, table=table)
    go = arrive(rules, Memory(NO_CURSOR, set()), Start(NOON, 1, trigger), lambda _: CLOSED, lambda _: True)
    assert isinstance(go, Go)
    run = begin(rules, Memory(NO_CURSOR, {"20261201T1200"}), go)
    told_of = list(run.records)
    if isinstance(run, Begun):
        told_of.append(finish(rules, run, NOON, "ok", status=0).record)
    assert seen(sandbox)["records"] == [brief(record) for record in told_of]
    assert [record.reason for record in told_of] == (["manual", "ok"] if trigger else ["not-due"])


def sleeps(group: int) -> bool:
    """Whether a process group holds a `sleep`: its wrapper waits."""
    listing = subprocess.run(
        ["ps", "-A", "-o", "pgid=,comm="], capture_output=True, text=True, check=True
    ).stdout
    return any(
        words[0] == str(group) and words[-1].endswith("sleep")
        for words in map(str.split, listing.splitlines())
    )


def test_a_closed_breaker_is_no_file() -> None:
    assert read(None, NOON) == CLOSED == BreakerState()
