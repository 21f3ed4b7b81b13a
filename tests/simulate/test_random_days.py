"""Whatever the day: every slot ran once or stands with a reason, nothing ran twice, and records agree with runs."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobs.model.job import Job
from jobs.runtime.wrapper_rules import REFUSED
from jobs.schedule.firing import Reading, asleep, fires
from jobs.schedule.firing import runs as runs_of_fires
from jobs.schedule.launchd import calendar_dictionaries
from jobs.schedule.slots import slots_between
from jobs.simulate.result import simulate
from jobs.simulate.scenario import Scenario
from jobs.simulate.spans import Power
from jobs.simulate.story import stories
from jobs.simulate.world import World
from tests.schedule.random_schedules import random_schedule
from tests.simulate.days import manifest, random_days, random_jobs, unguarded

QUICK = settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)


@QUICK
@given(random_jobs(), random_days())
def test_every_slot_ran_once_or_stands_with_a_reason(jobs: tuple[Job, ...], scenario: Scenario) -> None:
    result = simulate(manifest(*jobs), scenario)
    expected = {
        (job.name, slot.id)
        for job in jobs
        if job.schedule is not None
        for slot in slots_between(job.schedule, scenario.start, scenario.end, scenario.zone)
    }
    assert Counter((story.job, story.slot.id) for story in result.slots) == Counter(expected)
    for story in result.slots:
        if story.outcome in {"on time", "late", "made up"}:
            assert story.run is not None
            assert story.run.started >= story.slot.instant - 30
        else:
            assert story.run is None
            assert story.reason
    retried = {job.name for job in jobs if job.once is not None and job.once.mark == "success"}
    good = Counter(
        (run.job, run.slot.id)
        for run in result.runs
        if run.slot is not None and (run.word == "ok" if run.job in retried else run.word not in REFUSED)
    )
    assert all(count == 1 for count in good.values())
    assert good.keys() <= expected


@QUICK
@given(random_jobs(), random_days())
def test_nothing_runs_while_the_mac_is_dark_and_locks_hold(jobs: tuple[Job, ...], scenario: Scenario) -> None:
    result = simulate(manifest(*jobs), scenario)
    locks = {job.name: job.lock.name if job.lock else f"none of {job.name}" for job in jobs}
    by_lock: dict[str, list[tuple[int, int]]] = {}
    for run in result.runs:
        assert scenario.power.dark(run.started) == ""
        end = scenario.end if run.ended is None else run.ended
        assert scenario.power.off_after(run.started) >= end
        by_lock.setdefault(locks[run.job], []).append((run.started, end))
    for spans in by_lock.values():
        spans.sort()
        assert all(first[1] <= second[0] for first, second in pairwise(spans))


@QUICK
@given(st.randoms(use_true_random=False), random_days())
def test_without_guards_and_lengths_it_is_the_model_of_launchd_and_wrapper(
    random: object, scenario: Scenario
) -> None:
    from random import Random

    schedule = random_schedule(Random(random.random()))  # type: ignore[attr-defined]
    plain = Scenario(
        scenario.start,
        scenario.end,
        scenario.zone,
        Power((), scenario.power.asleep),
        lengths={"plain": 1},
        reading=scenario.reading,
    )
    world = World(manifest(unguarded(schedule)), plain)
    world.advance(plain.end)
    times = asleep(
        fires(calendar_dictionaries(schedule), plain.start - 1, plain.end, plain.zone, plain.reading),
        plain.power.asleep,
    )
    slots = slots_between(schedule, plain.start, plain.end, plain.zone)
    expected = [(run.slot.id, run.fired) for run in runs_of_fires(slots, times) if run.fired < plain.end]
    ran = [(run.slot.id, run.started) for run in world.jobs["plain"].runs if run.slot is not None]
    assert ran == expected


@QUICK
@given(random_jobs(), random_days())
def test_records_tell_the_same_as_runs(jobs: tuple[Job, ...], scenario: Scenario) -> None:
    world = World(manifest(*jobs), scenario)
    world.advance(scenario.end)
    for state in world.jobs.values():
        starts = [record for record in state.records if record.event == "start"]
        ends = [record for record in state.records if record.event == "end"]
        assert len(starts) == len(state.runs)
        assert len(ends) == sum(run.ended is not None for run in state.runs)
        # A record of a miss names slots that did not run, and no slot is missed twice.
        ran = {run.slot.id for run in state.runs if run.slot and run.word not in REFUSED}
        missed = [story.slot.id for story in stories(state, scenario) if story.outcome == "missed"]
        counted = sum(record.count or 0 for record in state.records if record.event == "missed")
        assert counted <= len(missed) + len(ran)
        if state.rules.mark == "start":
            assert not ran & set(missed)


def test_both_readings_are_drawn() -> None:
    assert {reading.value for reading in Reading} == {"manual", "842"}
