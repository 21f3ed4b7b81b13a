"""The result of a simulation as plain records: slots, intervals, collisions, a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from jobs.model.job import Job, Manifest
from jobs.runtime.wrapper_rules import REFUSED, name_of
from jobs.simulate.catchup import Catchup
from jobs.simulate.scenario import Scenario
from jobs.simulate.state import JobState, Run
from jobs.simulate.story import OUTCOMES, SlotStory, stories
from jobs.simulate.world import World


@dataclass(frozen=True, slots=True)
class Collision:
    """A stretch of time in which more than one job ran: all that took part, and how many there were at most."""

    begin: int
    end: int
    jobs: tuple[str, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Phase:
    """The starts of an interval job from one change of its phase to the next."""

    first: int
    count: int


@dataclass(frozen=True, slots=True)
class IntervalStory:
    """An interval job: its starts, in phases; what it would have had without sleep, and fires that found it running."""

    job: Job
    runs: int
    skipped: int
    refused: int
    phases: tuple[Phase, ...]
    undisturbed: int
    dropped: int


@dataclass(frozen=True, slots=True)
class Result:
    """Everything that a report says. `apart` holds jobs that are not simulated, with the reason."""

    scenario: Scenario
    slots: tuple[SlotStory, ...]
    intervals: tuple[IntervalStory, ...]
    runs: tuple[Run, ...]
    collisions: tuple[Collision, ...]
    apart: tuple[tuple[str, str], ...]
    catchups: int
    made_up: int
    jobs: tuple[str, ...]

    def counts(self) -> dict[str, int]:
        """The number of slots by outcome."""
        found = Counter(story.outcome for story in self.slots)
        return {outcome: found[outcome] for outcome in OUTCOMES}

    def refusals(self) -> int:
        """The number of runs that a tool refused."""
        return sum(run.word in REFUSED for run in self.runs)


def simulate(manifest: Manifest, scenario: Scenario, names: Collection[str] = ()) -> Result:
    """What becomes of a manifest. All jobs are played; `names` are those that the result tells of (none: all)."""
    world = World(manifest, scenario)
    catchup = Catchup(world)
    world.advance(scenario.end)
    shown = [state for name, state in world.jobs.items() if not names or name in names]
    told = tuple(story for state in shown for story in stories(state, scenario))
    check(told, shown)
    return Result(
        scenario,
        told,
        tuple(_interval(state, scenario) for state in shown if state.job.every_s),
        tuple(run for state in shown for run in state.runs),
        collisions(
            [run for state in world.jobs.values() for run in state.runs],
            scenario.end,
            {state.job.name for state in shown},
        ),
        tuple(_apart(manifest, names)),
        catchup.ticks,
        sum(made.outcome == "ok" for _, made in catchup.made),
        tuple(state.job.name for state in shown),
    )


def check(told: Sequence[SlotStory], states: Sequence[JobState]) -> None:
    """Raise AssertionError if a slot ran twice, or neither ran nor stands with a reason: that would be this tool's fault."""
    again = {state.job.name for state in states if state.rules.mark == "success"}
    ran = Counter(
        (run.job, name_of(run.slot.wall))
        for state in states
        for run in state.runs
        if run.slot is not None and run.word not in REFUSED and (run.word == "ok" or run.job not in again)
    )
    twice = [key for key, count in ran.items() if count > 1]
    if twice:
        raise AssertionError(f"ran twice: {twice}")
    silent = [
        (story.job, name_of(story.slot.wall))
        for story in told
        if (story.outcome in {"missed", "once", "due"}) == (story.run is not None)
        or (story.outcome in {"missed", "due"} and not story.reason)
    ]
    if silent:
        raise AssertionError(f"neither ran nor missed for a reason: {silent}")


def collisions(runs: Sequence[Run], end: int, names: Collection[str]) -> tuple[Collision, ...]:
    """The stretches in which several jobs ran at once, one of the named ones among them."""
    edges: list[tuple[int, int, str]] = []
    for run in runs:
        stop = end if run.ended is None else run.ended
        if stop > run.started:
            edges += [(run.started, 1, run.job), (stop, 0, run.job)]
    found: list[Collision] = []
    running: set[str] = set()
    taking: dict[str, None] = {}
    begin = most = 0
    for at, starts, job in sorted(edges):
        if starts:
            running.add(job)
            if len(running) == 2:
                begin, most, taking = at, 2, dict.fromkeys(sorted(running))
            elif len(running) > 2:
                most = max(most, len(running))
                taking[job] = None
            continue
        running.discard(job)
        if len(running) == 1 and at > begin and names & taking.keys():
            found.append(Collision(begin, at, tuple(taking), most))
    return tuple(found)


def _interval(state: JobState, scenario: Scenario) -> IntervalStory:
    every = state.job.every_s or 1
    starts = sorted(
        {run.arrived for run in state.runs if run.trigger == "interval"}
        | {
            record.epoch
            for record in state.records
            if record.event == "skip" and record.trigger == "interval"
        }
    )
    phases: list[Phase] = []
    previous = None
    for at in starts:
        if previous is None or (at - previous) % every:
            phases.append(Phase(at, 1))
        else:
            phases[-1] = Phase(phases[-1].first, phases[-1].count + 1)
        previous = at
    refused = sum(run.word in REFUSED for run in state.runs)
    return IntervalStory(
        state.job,
        len(state.runs) - refused,
        sum(record.event == "skip" for record in state.records),
        refused,
        tuple(phases),
        (scenario.end - scenario.start - 1) // every,
        state.dropped,
    )


def _apart(manifest: Manifest, names: Collection[str]) -> list[tuple[str, str]]:
    found = []
    for job in manifest.jobs:
        if names and job.name not in names:
            continue
        if not job.enabled:
            found.append((job.name, "switched off (enabled = false)"))
        elif job.watch:
            found.append((job.name, f"starts when {', '.join(job.watch)} changes: not simulated"))
        elif job.keep_alive:
            found.append((job.name, "is kept alive by launchd: its restarts are not simulated"))
    return found
