"""Which jobs are made up: a table of situations, then the draining of the candidates on a machine of paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest

from jobs.runtime.catchup import CatchupJob, Decision, PassedSlot, decide, in_order
from jobs.runtime.drain import Limits, Made, drain
from jobs.runtime.records import Record
from jobs.schedule.rule import Rule, Schedule

MIDNIGHT = 1796083200  # 2026-12-01T00:00:00Z
HOUR = 3600
DAILY = Schedule((Rule((0,), (9, 18)),), "UTC")


def at(hours: float) -> int:
    """The epoch of an hour of the day."""
    return MIDNIGHT + int(hours * HOUR)


def slot(hours: float) -> PassedSlot:
    return PassedSlot(f"20261201T{int(hours):02}{int(hours % 1 * 60):02}", at(hours))


def job(**changes: object) -> CatchupJob:
    base = CatchupJob("job", "com.example.job", DAILY, ("claude",), ("guard",), "today")
    return replace(base, **changes)  # type: ignore[arg-type]


def skip(hours: float, reason: str = "guard", slot_hour: float = 9) -> Record:
    return Record(at(hours), "skip", reason=reason, slot=slot(slot_hour).name, pid=1)


def start(hours: float, pid: int = 2) -> Record:
    return Record(at(hours), "start", reason="schedule", slot=slot(9).name, pid=pid)


def end(hours: float, reason: str = "ok", pid: int = 2) -> Record:
    return Record(at(hours), "end", reason=reason, slot=slot(9).name, pid=pid)


@dataclass
class Situation:
    """Records oldest first; `slots` are those of the window that have passed at `now`."""

    records: list[Record] = field(default_factory=list)
    slots: list[PassedSlot] = field(default_factory=lambda: [slot(9)])
    job: CatchupJob = field(default_factory=job)
    now: int = at(12)
    claims: tuple[str, ...] = ()
    running: tuple[int, ...] = ()
    installed: int | None = None


def judge(case: Situation) -> Decision:
    return decide(
        case.job,
        now=case.now,
        passed=lambda _schedule, _start, _now, _window: case.slots,
        records=list(reversed(case.records)),
        claims=case.claims,
        installed=case.installed,
        alive=lambda pid, _began: pid in case.running,
    )


YES = [
    pytest.param(Situation([skip(9)]), id="skipped-this-morning"),
    pytest.param(Situation([end(8), skip(9)]), id="success-then-skip"),
    pytest.param(Situation([skip(9), skip(9.5, "canary")]), id="skipped-behind-a-canary"),
    pytest.param(Situation([skip(9), skip(10, "not-due")]), id="a-kickstart-in-between-says-nothing"),
    pytest.param(Situation([skip(9)], [slot(9)], now=at(12)), id="two-slots-a-day-one-passed"),
    pytest.param(
        Situation([skip(9), skip(18, "guard", 18)], [slot(9), slot(18)], now=at(19)), id="both-skipped"
    ),
    pytest.param(Situation([start(9), end(9.1, "quota")]), id="stopped-by-the-quota"),
    pytest.param(Situation([start(9), end(9.1, "billing")]), id="stopped-by-billing"),
    pytest.param(Situation([skip(8), end(8.5), skip(9)]), id="two-outages-in-a-day"),
    pytest.param(Situation([skip(9)], job=job(window=6 * HOUR)), id="window-in-hours"),
    pytest.param(Situation([skip(9, "lock")], job=job(reasons=("busy",))), id="busy-if-asked-for"),
    pytest.param(
        Situation([start(9), end(9.1, "failed")], job=job(reasons=("failed",), retry=True)), id="failed"
    ),
    pytest.param(Situation([start(9)], job=job(reasons=("failed",), retry=True)), id="crashed"),
    pytest.param(Situation([], job=job(reasons=("missed",), guards=())), id="missed-while-off"),
    pytest.param(Situation([skip(9)], job=job(deadline_s=4 * HOUR)), id="before-its-deadline"),
    pytest.param(Situation([skip(9)], installed=at(8)), id="installed-before"),
]

NO = [
    pytest.param(Situation([skip(-10)]), "newest record", id="yesterdays-skip"),
    pytest.param(
        Situation([skip(9), start(10), end(10.1)], claims=(slot(9).name,)), "newest record", id="made-up"
    ),
    pytest.param(Situation([skip(9)], []), "slot passed", id="no-slot-has-passed"),
    pytest.param(Situation([skip(9)], job=job(schedule=None)), "guarded", id="interval"),
    pytest.param(Situation([skip(9)], job=job(guards=())), "guarded", id="unguarded"),
    pytest.param(Situation([skip(9)], job=job(reasons=())), "guarded", id="catchup-false"),
    pytest.param(Situation([]), "newest record", id="never-skipped"),
    pytest.param(Situation([skip(9, "lock")]), "newest record", id="busy-not-asked-for"),
    pytest.param(Situation([start(9), end(9.1, "failed")]), "newest record", id="failed-runs-at-most-once"),
    pytest.param(Situation([start(9)], running=(2,)), "newest record", id="is-running"),
    pytest.param(Situation([start(9)]), "newest record", id="crashed-runs-at-most-once"),
    pytest.param(Situation([skip(9)], claims=(slot(9).name,)), "slot passed", id="claimed-by-hand"),
    pytest.param(
        Situation([skip(9)], [slot(9), slot(18)], now=at(19), claims=(slot(18).name,)),
        "slot passed",
        id="newer-ran",
    ),
    pytest.param(Situation([skip(9)], job=job(deadline_s=HOUR)), "slot passed", id="past-its-deadline"),
    pytest.param(Situation([skip(9)], installed=at(10)), "newest record", id="installed-since"),
    pytest.param(
        Situation([skip(9), Record(at(11), "missed", reason="expired", slot=slot(9).name)]),
        "newest record",
        id="expired",
    ),
    pytest.param(
        Situation([skip(9)], job=job(reasons=("missed",), guards=())),
        "newest record",
        id="guard-not-asked-for",
    ),
]


@pytest.mark.parametrize("case", YES)
def test_made_up(case: Situation) -> None:
    decision = judge(case)
    assert decision.candidate, decision.answers
    assert decision.slot == case.slots[-1]
    assert decision.others == tuple(slot.name for slot in case.slots[:-1])


@pytest.mark.parametrize(("case", "no"), NO)
def test_not_made_up(case: Situation, no: str) -> None:
    decision = judge(case)
    assert not decision.candidate
    assert no in [answer.filter for answer in decision.answers if not answer.yes], decision.answers


def test_a_clock_set_back_changes_nothing() -> None:
    case = Situation([skip(9)], now=at(8.9), slots=[slot(9)])
    assert judge(case).candidate
    assert not judge(replace(case, slots=[])).candidate


def test_the_oldest_slot_goes_first() -> None:
    late, early, same = (
        judge(Situation([skip(hour)], [slot(hour)], job=job(name=name)))
        for name, hour in (("late", 10), ("early", 9), ("a", 10))
    )
    assert [decision.job.name for decision in in_order([late, early, same])] == ["early", "a", "late"]


@dataclass
class Paper:
    """A machine whose time passes only in sleep, with a script for each job: (seconds, reason) or a refusal."""

    script: Mapping[str, tuple[float, str] | str]
    time: float = float(at(12))
    open_after: dict[str, float] = field(default_factory=dict)
    stubborn: bool = False
    immortal: bool = False
    log: list[str] = field(default_factory=list)
    alive: dict[str, float] = field(default_factory=dict)
    stopped: set[str] = field(default_factory=set)
    left: dict[str, Record] = field(default_factory=dict)
    most: int = 0

    def now(self) -> int:
        return int(self.time)

    def clock(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds

    def breaker_open(self, guard: str) -> bool:
        return self.time >= self.open_after.get(guard, float("inf"))

    def start(self, decision: Decision) -> str | None:
        name = decision.job.name
        entry = self.script[name]
        self.log.append(f"start {name}")
        if isinstance(entry, str):
            return None if entry == "silent" else entry
        self.alive[name] = self.time + entry[0]
        self.most = max(self.most, sum(end > self.time for end in self.alive.values()))
        return None

    def running(self, job: str) -> Record | None:
        return self.left.get(job)

    def _pid(self, name: str) -> int:
        return list(self.script).index(name) + 10

    def records_since(self, job: str, epoch: int) -> Sequence[Record]:
        if job not in self.alive:
            return []
        name, entry = job, self.script[job]
        assert not isinstance(entry, str)
        seconds, reason = entry
        began = self.alive[name] - float(seconds)
        if reason in {"guard", "lock"}:
            return [Record(int(began), "skip", reason=reason, pid=self._pid(name))]
        rows = [Record(int(began), "start", reason="catchup", pid=self._pid(name))]
        if name in self.stopped:
            rows.append(Record(int(self.time), "end", reason="killed", exit=143, pid=self._pid(name)))
        elif self.alive[name] <= self.time and reason != "crash":
            rows.append(Record(int(self.alive[name]), "end", reason=reason, exit=0, pid=self._pid(name)))
        return [row for row in rows if row.epoch >= epoch]

    def group_lives(self, pid: int) -> bool:
        name = list(self.script)[pid - 10]
        return name not in self.stopped and self.alive[name] > self.time

    def launchd_runs(self, decision: Decision) -> bool:
        return self.group_lives(self._pid(decision.job.name))

    def came_and_went(self, decision: Decision) -> bool:
        return self.script[decision.job.name] == "silent"

    def signal_group(self, pid: int, *, kill: bool) -> None:
        name = list(self.script)[pid - 10]
        self.log.append(f"{'KILL' if kill else 'TERM'} {name}")
        if not self.immortal and (kill or not self.stubborn):
            self.stopped.add(name)


def candidates(*names: str) -> list[Decision]:
    return [Decision(job(name=name), (), slot(9), "guard") for name in names]


def made(paper: Paper, *names: str, timeout_s: int = 600) -> list[Made]:
    return list(drain(candidates(*names), paper, Limits(timeout_s, 10), paper.log.append))


def test_one_after_the_other_with_a_pause() -> None:
    paper = Paper({"a": (30, "ok"), "b": (5, "ok"), "c": (1, "failed")})
    assert [one.outcome for one in made(paper, "a", "b", "c")] == ["ok", "ok", "failed"]
    assert paper.most == 1
    assert [line for line in paper.log if line.startswith("start ")] == ["start a", "start b", "start c"]
    assert paper.time - at(12) >= 30 + 5 + 1 + 2 * 10


def test_a_run_of_a_killed_catch_up_ends_first() -> None:
    paper = Paper({"a": (30, "ok"), "b": (5, "ok"), "c": (40, "ok")})
    began = Record(int(paper.time), "start", reason="catchup", trigger="catchup", pid=12)
    paper.alive["c"], paper.left["c"] = paper.time + 40, began
    known = candidates("a", "b", "c")
    ends = list(drain(known[:2], paper, Limits(600, 0), paper.log.append, known))
    assert [(one.decision.job.name, one.outcome) for one in ends] == [("c", "ok"), ("a", "ok"), ("b", "ok")]
    assert paper.most == 1
    assert "start c" not in paper.log


def test_what_launchd_has_started_meanwhile_is_waited_for() -> None:
    paper = Paper({"a": (30, "ok"), "b": (5, "ok")})
    paper.alive["a"] = paper.time + 30
    paper.left["a"] = Record(int(paper.time), "start", reason="schedule", trigger="schedule", pid=10)
    assert [one.outcome for one in made(paper, "a", "b")] == ["ok", "ok"]
    assert "start a" not in paper.log
    assert paper.most == 1


def test_a_breaker_that_opens_leaves_the_rest_due() -> None:
    paper = Paper(
        dict.fromkeys("abcde", (10, "ok")) | {"b": (10, "quota")}, open_after={"claude": at(12) + 25}
    )
    assert [one.outcome for one in made(paper, *"abcde")] == [
        "ok",
        "refused",
        "waiting",
        "waiting",
        "waiting",
    ]
    assert "start c" not in paper.log


@pytest.mark.parametrize(
    ("entry", "outcome", "words"),
    [
        pytest.param((1, "guard"), "skipped", "skipped (guard)", id="a-newer-refusal"),
        pytest.param((1, "lock"), "skipped", "skipped (lock)", id="launchd-fires-it-in-the-middle"),
        pytest.param(
            "not loaded: jobsctl install", "not-started", "not loaded: jobsctl install", id="not-loaded"
        ),
        pytest.param(
            "silent",
            "skipped",
            "it ran nothing and left no new record: its log tells why",
            id="a-skip-that-is-on-record-already",
        ),
        pytest.param((1, "crash"), "failed", "crashed", id="killed-wrapper"),
        pytest.param(
            (1, "billing"), "refused", "the tool refused again (billing): the slot stays due", id="billing"
        ),
    ],
)
def test_ends(entry: tuple[float, str] | str, outcome: str, words: str) -> None:
    [one] = made(Paper({"a": entry}), "a")
    assert (one.outcome, one.words) == (outcome, words)


@pytest.mark.parametrize(
    ("paper", "signals", "outcome"),
    [
        pytest.param(Paper({"a": (9999, "ok")}), ["TERM a"], "failed", id="hangs"),
        pytest.param(
            Paper({"a": (9999, "ok")}, stubborn=True), ["TERM a", "KILL a"], "failed", id="ignores-term"
        ),
        pytest.param(
            Paper({"a": (9999, "ok")}, immortal=True), ["TERM a", "KILL a"], "hung", id="cannot-be-killed"
        ),
    ],
)
def test_the_time_limit(paper: Paper, signals: list[str], outcome: str) -> None:
    [one] = made(paper, "a", timeout_s=60)
    assert one.outcome == outcome
    assert [line for line in paper.log if line[:4] in {"TERM", "KILL"}] == signals
