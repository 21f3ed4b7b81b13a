"""What became of each slot: read from the simulated records and runs, as `jobs why` would from real ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from jobs.runtime.records import Record
from jobs.runtime.wrapper_rules import CATCHUP, REFUSED, name_of
from jobs.schedule.slots import Slot, slots_between
from jobs.simulate.scenario import Scenario
from jobs.simulate.spans import covering
from jobs.simulate.state import JobState, Run

Outcome = Literal["on time", "late", "made up", "missed", "once", "due"]
OUTCOMES: tuple[Outcome, ...] = ("on time", "late", "made up", "missed", "once", "due")
LATE_S = 60


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened to a slot.

    `what` is run, or the reason of a skip (guard, canary, lock, once), or missed; `word` is the end of the run, or the
    reason of the miss; `until` is the epoch up to which the guard's breaker was open then (0: until told).
    """

    at: int
    what: str
    word: str = ""
    guard: str | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True)
class SlotStory:
    """A slot with its outcome.

    `on time`, `late` and `made up` ran at `run.started`; `missed` never will, for `reason`; `once` was not needed, since
    the job had run in that period; `due` is still open when the simulation ends, for `reason`.
    """

    job: str
    slot: Slot
    outcome: Outcome
    reason: str = ""
    run: Run | None = None
    happenings: tuple[Happening, ...] = ()

    @property
    def late_s(self) -> int:
        """Seconds from the slot to its run; 0 without one."""
        return max(0, self.run.started - self.slot.instant) if self.run else 0


def stories(state: JobState, scenario: Scenario) -> list[SlotStory]:
    """The story of each slot of a job that is due in the scenario's time, in order."""
    if state.job.schedule is None:
        return []
    slots = slots_between(state.job.schedule, scenario.start, scenario.end, scenario.zone)
    runs: dict[str, list[Run]] = {}
    for run in state.runs:
        if run.slot is not None:
            runs.setdefault(name_of(run.slot.wall), []).append(run)
    skips: dict[str, list[Record]] = {}
    misses: list[Record] = []
    for record in state.records:
        if record.event == "missed":
            misses.append(record)
        elif record.event == "skip" and record.slot is not None:
            skips.setdefault(record.slot, []).append(record)
    missed = _missed_by_slot(misses, slots)
    newest = name_of(slots[-1].wall) if slots else ""
    return [
        _story(
            state,
            slot,
            runs.get(name_of(slot.wall), []),
            skips.get(name_of(slot.wall), []),
            missed.get(name_of(slot.wall)),
            scenario,
            last=name_of(slot.wall) == newest,
        )
        for slot in slots
    ]


def _missed_by_slot(misses: Sequence[Record], slots: Sequence[Slot]) -> dict[str, Record]:
    """The record that covers each missed slot. A stretch of `not-fired` may hold slots that ran: those say so themselves."""
    found: dict[str, Record] = {}
    position = {name_of(slot.wall): index for index, slot in enumerate(slots)}
    for record in misses:
        first, last = position.get(record.slot or ""), position.get(record.to or "")
        if first is not None and last is not None:
            for slot in slots[first : last + 1]:
                found.setdefault(name_of(slot.wall), record)
    return found


def _story(
    state: JobState,
    slot: Slot,
    runs: Sequence[Run],
    skips: Sequence[Record],
    missed: Record | None,
    scenario: Scenario,
    *,
    last: bool,
) -> SlotStory:
    happenings = tuple(sorted(_happenings(runs, skips, missed), key=lambda one: one.at))
    kept = [run for run in runs if run.word not in REFUSED]
    name = state.job.name
    if kept and not (kept[-1].word not in {None, "ok"} and state.rules.mark == "success" and missed):
        run = kept[-1]
        late = run.started - slot.instant >= LATE_S
        made_up = run.trigger == CATCHUP or len(runs) > 1
        outcome: Outcome = "made up" if made_up else "late" if late else "on time"
        reason = _why_late(state, slot, run, scenario) if outcome == "late" else ""
        return SlotStory(name, slot, outcome, reason, run, happenings)
    if any(skip.reason == "once" for skip in skips):
        return SlotStory(
            name, slot, "once", f"it had run already in that {state.rules.once}", None, happenings
        )
    if missed is not None:
        return SlotStory(name, slot, "missed", _why_missed(state, slot, missed, scenario), None, happenings)
    if not happenings:
        asleep_still = covering(scenario.power.asleep, slot.instant)
        coming = last and (state.pending or (asleep_still is not None and asleep_still.end >= scenario.end))
        reason = _nobody_started_it(state, slot, scenario)
        return SlotStory(name, slot, "due" if coming else "missed", reason)
    what = happenings[-1].what
    reason = "the tool refused" if what == "run" else f"skipped ({what})"
    return SlotStory(name, slot, "due" if last else "missed", reason, None, happenings)


def _happenings(runs: Sequence[Run], skips: Sequence[Record], missed: Record | None) -> Iterator[Happening]:
    for run in runs:
        at = run.ended if run.ended is not None and run.word in REFUSED else run.started
        yield Happening(at, "run", run.word or "running", run.guard, run.until)
    for skip in skips:
        if skip.reason not in {None, "not-due"}:
            yield Happening(skip.epoch, skip.reason or "", "", skip.guard, skip.until)
    if missed is not None:
        yield Happening(missed.epoch, "missed", missed.reason or "")


def _why_late(state: JobState, slot: Slot, run: Run, scenario: Scenario) -> str:
    waited = run.started - run.arrived >= LATE_S
    dark = scenario.power.dark(slot.instant)
    if dark:
        return f"the Mac was {dark}" + (", then it waited for its lock" if waited else "")
    if waited:
        return "waited for its lock"
    busy = any(other.started <= slot.instant < (other.ended or scenario.end) for other in state.runs)
    return "the job was still running" if busy else "launchd fired late"


def _why_missed(state: JobState, slot: Slot, missed: Record, scenario: Scenario) -> str:
    """The record's reason in words."""
    if missed.reason == "superseded":
        return "skipped, and a newer slot came before it could be made up"
    if missed.reason == "expired":
        return "its deadline or window had passed"
    return _nobody_started_it(state, slot, scenario)


def _nobody_started_it(state: JobState, slot: Slot, scenario: Scenario) -> str:
    dark = scenario.power.dark(slot.instant)
    if dark == "asleep":
        return "the Mac slept, and one start at its wake stands for all"
    if dark == "off" or scenario.power.dark(slot.instant - 1) == "off":
        return "the Mac was off"
    busy = any(run.arrived <= slot.instant < (run.ended or scenario.end) for run in state.runs)
    return "the job was still running" if busy else "launchd had not started it"
