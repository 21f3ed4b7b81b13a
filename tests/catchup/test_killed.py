"""A catch-up that is killed at any of its steps and started again: nothing twice, nothing lost, never two at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence

import pytest

from jobs.catchup.machine import RealMachine
from jobs.runtime.catchup import Decision
from jobs.runtime.records import Record
from tests.catchup.plant import HOUR, MIDNIGHT, Plant, status_of
from tests.wrapper.sandbox import group_members, wait_until

NOON = MIDNIGHT + 12 * HOUR - 1
STEPS = 20  # at the least


class Dying(RealMachine):
    """A machine on which the catch-up is killed at one of the steps of draining: each call into the world is one."""

    dies_at = -1
    steps = 0

    def step(self) -> None:
        if Dying.steps == Dying.dies_at:
            os.kill(os.getpid(), signal.SIGKILL)
        Dying.steps += 1

    def breaker_open(self, guard: str) -> bool:
        self.step()
        return super().breaker_open(guard)

    def running(self, job: str) -> Record | None:
        self.step()
        return super().running(job)

    def start(self, decision: Decision) -> str | None:
        self.step()
        said = super().start(decision)
        self.step()
        return said

    def _spawn(self, name: str) -> str | None:
        self.step()  # the request is written, nobody is started
        said = super()._spawn(name)
        self.step()
        return said

    def records_since(self, job: str, epoch: int) -> Sequence[Record]:
        found = super().records_since(job, epoch)
        if found:  # one step each time that more is known, and not one for every look
            self._known = getattr(self, "_known", 0)
            if len(found) != self._known:
                self._known = len(found)
                self.step()
        return found


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Plant:
    return Plant(tmp_path_factory.mktemp("plant"))


def check(plant: Plant, step: int) -> bool:
    """Whether the first catch-up was killed at the step; the invariants are asserted."""
    plant.fresh()
    plant.skipped_morning()
    plant.mark("slow")
    killed = status_of(plant.catch_up(NOON, Dying, step=step)) == -signal.SIGKILL
    again = status_of(plant.catch_up(NOON + 1))
    assert again in {0, 1}
    if again == 1:  # a job was met in the middle of its own end; the next look finds the rest
        assert status_of(plant.catch_up(NOON + 2)) in {0, 1}
    assert plant.begun_twice() == []
    assert not [line for line in plant.ran() if line.startswith("two ")]
    assert {line.split()[1] for line in plant.ran() if line.startswith("end ")} == {"a", "b", "c"}
    book = plant.ledger(NOON)
    assert book.lost == []
    assert book.twice == []
    return killed


@pytest.mark.parametrize("step", [4, 9, 13])
def test_killed_and_started_again(plant: Plant, step: int) -> None:
    assert check(plant, step)


@pytest.mark.slow
def test_killed_at_every_step(plant: Plant) -> None:
    killed = 0
    while check(plant, killed):
        killed += 1
    print(f"killed at each of {killed} steps of draining three jobs, and started again: all well")
    assert killed >= STEPS


@pytest.mark.parametrize("deaf", [False, True], ids=["hangs", "ignores-term"])
def test_a_job_over_its_time_is_ended_and_the_next_one_runs(plant: Plant, deaf: bool) -> None:
    plant.fresh()
    plant.skipped_morning()
    plant.mark("hang.a")
    plant.mark("deaf.a", deaf)
    assert status_of(plant.catch_up(NOON, timeout_s=0.3)) == 1
    assert plant.sandbox.story("a")[-1] == "end killed"
    [started] = [record["pid"] for record in plant.sandbox.records("a") if record["event"] == "start"]
    assert group_members(started) == []
    assert {line.split()[1] for line in plant.ran() if line.startswith("end ")} == {"b", "c"}


def test_a_wrapper_is_gone_and_its_job_hangs(plant: Plant) -> None:
    """TERM goes to the group that a killed wrapper has left: nobody else would pass it on."""
    plant.fresh()
    plant.skipped_morning()
    plant.mark("hang.a")
    first = plant.catch_up(NOON)
    wait_until((plant.base / "up").exists)
    [started] = [record["pid"] for record in plant.sandbox.records("a") if record["event"] == "start"]
    for pid in (first, started):
        os.kill(pid, signal.SIGKILL)
    status_of(first)
    assert status_of(plant.catch_up(NOON + 1, timeout_s=0.3)) == 1
    assert group_members(started) == []
    assert {line.split()[1] for line in plant.ran() if line.startswith("end ")} == {"b", "c"}
    assert not [line for line in plant.ran() if line.startswith("two ")]
