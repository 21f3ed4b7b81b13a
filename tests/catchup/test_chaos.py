"""Random days of real processes: quota stops, kills, sleep, hangs, runs by hand; three promises hold whatever comes.

No slot runs twice; none is lost without a record; catch-up never drains two at once.
"""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.catchup.plant import HOUR, MIDNIGHT, Plant, status_of
from tests.wrapper.sandbox import DAY, group_members, kill_group, wait_until

SLOW_DAYS = 300
FIRES = {"a": (9, 15), "b": (10,), "c": (9, 11, 12)}
LOOKS = (9.5, 11.25, 13, 15.5)
KILLS = ("", "", "", "", "wrapper", "group", "catchup", "job")


@dataclass(frozen=True)
class Trouble:
    """One random day: stretches of hours, and what is killed or hangs at which of the day's events."""

    out: tuple[tuple[float, float], ...]
    asleep: tuple[float, float]
    kills: tuple[str, ...]  # by event, cyclic
    delays: tuple[float, ...]  # seconds after the start, cyclic
    hang: str = ""
    by_hand: tuple[tuple[float, str], ...] = ()


HOURS = st.integers(16, 34).map(lambda half: half / 2)
SPANS = st.tuples(HOURS, HOURS).map(lambda pair: (min(pair), max(pair)))
DAYS = st.builds(
    Trouble,
    out=st.lists(SPANS, max_size=2).map(tuple),
    asleep=SPANS,
    kills=st.lists(st.sampled_from(KILLS), min_size=1, max_size=9).map(tuple),
    delays=st.lists(st.integers(0, 30).map(lambda ms: ms / 1000), min_size=1, max_size=5).map(tuple),
    hang=st.sampled_from(["", "", "", "", "a", "b"]),
    by_hand=st.lists(st.tuples(HOURS, st.sampled_from("abc")), max_size=2).map(tuple),
)


def drawn(seed: int) -> Trouble:
    """The day of a seed."""
    random = Random(seed)

    def span() -> tuple[float, float]:
        first, last = sorted(random.uniform(8, 17) for _ in range(2))
        return first, last

    return Trouble(
        out=tuple(span() for _ in range(random.randrange(3))),
        asleep=span() if random.random() < 0.3 else (0, 0),
        kills=tuple(random.choice(KILLS) for _ in range(9)),
        delays=tuple(random.uniform(0, 0.03) for _ in range(5)),
        hang=random.choice("ab") if random.random() < 0.15 else "",
        by_hand=tuple((random.uniform(8, 17), random.choice("abc")) for _ in range(random.randrange(3))),
    )


class Day:
    """A day of the plant; `counts` says what came to pass."""

    def __init__(self, plant: Plant, trouble: Trouble, counts: Counter[str]) -> None:
        self.plant, self.trouble, self.counts = plant, trouble, counts
        self.events = 0

    def play(self) -> None:
        plant, trouble = self.plant, self.trouble
        plant.fresh()
        if trouble.hang:
            plant.mark(f"hang.{trouble.hang}")
        plan = [(float(hour), "fire", name) for name, hours in FIRES.items() for hour in hours]
        plan += [(hour, "look", "") for hour in LOOKS]
        plan += [(hour, "manual", name) for hour, name in trouble.by_hand]
        first, last = trouble.asleep
        woken = sorted({name for hour, kind, name in plan if kind == "fire" and first < hour < last})
        plan = [event for event in plan if not first < event[0] < last]
        plan += [(last, "fire", name) for name in woken]
        for hour, kind, name in sorted(plan):
            plant.mark("out", any(begin <= hour < end for begin, end in trouble.out))
            self.event(MIDNIGHT + int(hour * HOUR) + 1, kind, name)
        # The evening is quiet: one more look, and in the morning the first fire of each, which tells what was lost.
        plant.mark("out", there=False)
        for name in plant.jobs:
            plant.mark(f"hang.{name}", there=False)
        plant.let_end()
        status_of(plant.catch_up(MIDNIGHT + 20 * HOUR))
        for name, hours in FIRES.items():
            assert plant.sandbox.start(name, now=MIDNIGHT + DAY + hours[0] * HOUR + 1).wait(30) in {0, 75}

    def event(self, now: int, kind: str, name: str) -> None:
        trouble, plant = self.trouble, self.plant
        kill = trouble.kills[self.events % len(trouble.kills)]
        delay = trouble.delays[self.events % len(trouble.delays)]
        self.events += 1
        self.counts[kind] += 1
        if kind == "look":
            pid = plant.catch_up(now, timeout_s=0.3)
            if kill == "catchup":
                self._kill(pid, delay * 2, whole=False)
                self.counts["killed catch-ups"] += 1
                os.waitpid(pid, 0)
                pid = plant.catch_up(now + 1, timeout_s=0.3)
            status_of(pid)
            return
        process = plant.sandbox.start(name, now=now, trigger="manual" if kind == "manual" else "")
        if kill in {"wrapper", "group"}:
            self._kill(process.pid, delay, whole=kill == "group")
            self.counts[f"killed {kill}s"] += 1
        if kill == "job":
            time.sleep(delay)
            for pid in group_members(process.pid):
                if pid != process.pid:
                    self._kill(pid, 0, whole=False)
                    self.counts["killed jobs"] += 1
        if trouble.hang == name and kill not in {"wrapper", "group"}:
            # Somebody stops it by hand, as `jobsctl run` does at ^C.
            wait_until(lambda: process.poll() is not None or (plant.base / "up").exists())
            plant.mark("up", there=False)
            if process.poll() is None:
                self.counts["hangs"] += 1
                process.terminate()
        process.wait(timeout=30)

    @staticmethod
    def _kill(pid: int, delay: float, *, whole: bool) -> None:
        """kill -9 after some milliseconds: at a moment that nobody has chosen."""
        time.sleep(delay)
        if whole:
            kill_group(pid)
        else:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                return

    def check(self) -> None:
        plant = self.plant
        assert plant.begun_twice() == []
        assert not [line for line in plant.ran() if line.startswith("two ")]
        book = plant.ledger(MIDNIGHT + DAY)
        assert book.twice == []
        assert book.lost == []
        self.counts["slots that ran"] += book.ran
        self.counts.update({f"slots {word}": count for word, count in book.told.items()})


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Plant:
    return Plant(tmp_path_factory.mktemp("plant"))


def live(plant: Plant, trouble: Trouble, counts: Counter[str]) -> None:
    day = Day(plant, trouble, counts)
    try:
        day.play()
        day.check()
    finally:
        plant.let_end()


@pytest.mark.parametrize("seed", range(8))
def test_a_random_day(plant: Plant, seed: int) -> None:
    live(plant, drawn(seed), Counter())


@pytest.mark.slow
def test_many_random_days(plant: Plant) -> None:
    counts: Counter[str] = Counter()
    for seed in range(100, 100 + SLOW_DAYS // 2):
        try:
            live(plant, drawn(seed), counts)
        except AssertionError as error:
            raise AssertionError(f"the day of seed {seed}: {drawn(seed)}") from error
    print(f"{SLOW_DAYS // 2} days: {dict(counts)}")
    assert counts["slots that ran"] > SLOW_DAYS
    assert min(counts[f"killed {what}"] for what in ("wrappers", "groups", "catch-ups")) > 10


@pytest.mark.slow
def test_days_that_hypothesis_thinks_of(plant: Plant) -> None:
    counts: Counter[str] = Counter()

    @settings(
        max_examples=SLOW_DAYS // 2,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(DAYS)
    def day(trouble: Trouble) -> None:
        live(plant, trouble, counts)

    day()
    print(f"{SLOW_DAYS // 2} days: {dict(counts)}")
