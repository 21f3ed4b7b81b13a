"""The result of a simulation in words: each job with its slots, then the sum of it all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from jobs.runtime.wrapper_rules import REFUSED
from jobs.schedule.firing import Reading
from jobs.schedule.wall import wall_clock
from jobs.simulate.result import IntervalStory, Result
from jobs.simulate.scenario import DEFAULT_LENGTH_S, Scenario
from jobs.simulate.spans import DAY_S
from jobs.simulate.story import Happening, SlotStory
from jobs.simulate.words import Clock, length

FOLD = 4
"""That many uneventful slots in a row become one line."""
MOST_COLLISIONS = 10
OUTCOME_WORDS: dict[str, str] = {
    "on time": "on time",
    "late": "late",
    "made up": "made up",
    "missed": "missed",
    "once": "not needed (once a period)",
    "due": "still due",
}
READINGS = {Reading.MANUAL: "launchd as its manual says", Reading.RELEASE_842: "launchd as release 842 does"}


def lines(result: Result) -> Iterator[str]:
    """The whole report."""
    scenario = result.scenario
    clock = Clock(wall_clock(scenario.zone), one_day=scenario.end - scenario.start <= DAY_S)
    yield (
        f"{clock.date_and_minute(scenario.start)} to {clock.date_and_minute(scenario.end)}, "
        f"{scenario.zone}, {READINGS[scenario.reading]}"
    )
    yield from assumed(result, clock)
    width = max((len(clock.minute(story.slot.instant)) for story in result.slots), default=5)
    for name, told in groupby(result.slots, key=lambda story: story.job):
        yield ""
        yield name
        yield from (f"  {line}" for line in slot_lines(list(told), clock, width))
    for one in result.intervals:
        yield ""
        yield f"{one.job.name}, every {length(one.job.every_s or 0)}"
        yield from (f"  {line}" for line in interval_lines(one, clock))
    if result.apart:
        yield ""
        yield from (f"{name}: {why}" for name, why in result.apart)
    yield ""
    yield from summary(result, clock)


def assumed(result: Result, clock: Clock) -> Iterator[str]:
    """What the reader did not say and has to know."""
    scenario = result.scenario
    yield f"Assumed: all jobs are loaded at {clock.minute(scenario.start)}, and their intervals begin there."
    unknown = [name for name in result.jobs if name not in scenario.lengths]
    spread = "" if scenario.seed is None else f", half as long to half as long again (seed {scenario.seed})"
    known = [f"{name} {length(scenario.lengths[name])}" for name in result.jobs if name in scenario.lengths]
    parts = ([f"a run takes {DEFAULT_LENGTH_S}s where no other length is known"] if unknown else []) + known
    yield f"Lengths: {', '.join(parts)}{spread}."
    if scenario.quota_out:
        tells = "names" if scenario.named else "does not name"
        yield f"Quota: a run that meets its end is refused within seconds; the tool {tells} the time of its return."


def slot_lines(told: Sequence[SlotStory], clock: Clock, width: int = 5) -> Iterator[str]:
    """A line for each slot; uneventful ones in a row share one."""
    for alike in in_rows(told):
        first = clock.minute(alike[0].slot.instant)
        if len(alike) > 1:
            yield f"{first} to {clock.minute(alike[-1].slot.instant)}  {row_in_words(alike)}"
        else:
            yield f"{first:{width}}  {in_words(alike[0], clock)}"


def in_rows(told: Sequence[SlotStory]) -> Iterator[list[SlotStory]]:
    """The stories of one job in order: rows of uneventful ones that are alike, all others alone."""
    for key, group in groupby(told, key=_uneventful):
        alike = list(group)
        if key is not None and len(alike) >= FOLD:
            yield alike
        else:
            yield from ([story] for story in alike)


def row_in_words(alike: Sequence[SlotStory]) -> str:
    """What became of a row of slots."""
    words = f": {alike[0].reason}" if alike[0].reason else ""
    return f"{len(alike)} slots, all {alike[0].outcome}{words}"


def _uneventful(story: SlotStory) -> tuple[str, str] | None:
    """What a story shares with those that one line may tell together; None for one that is worth its own."""
    if story.outcome == "on time":
        good = story.run is not None and story.run.word == "ok" and len(story.happenings) == 1
        return (story.outcome, "") if good else None
    if story.outcome in {"missed", "once"} and all(
        one.what in {"missed", "once"} for one in story.happenings
    ):
        return story.outcome, story.reason
    return None


def in_words(story: SlotStory, clock: Clock) -> str:
    """What became of a slot, in one line."""
    before = [
        words for one in story.happenings if (words := _before(one, clock)) and not _is_run_of(story, one)
    ]
    return ", ".join([*before, _outcome(story, clock)])


def _is_run_of(story: SlotStory, one: Happening) -> bool:
    return story.run is not None and one.what == "run" and one.at == story.run.started


def _before(one: Happening, clock: Clock) -> str:
    """What happened before the outcome."""
    if one.what == "run":
        if one.word not in REFUSED:
            return f"{one.word} at {clock.second(one.at)}"
        return f"refused at {clock.second(one.at)} ({one.guard}: {_until(one.until, clock)})"
    if one.what == "guard":
        return f"skipped at {clock.second(one.at)} (guard {one.guard} {_until(one.until, clock)})"
    if one.what == "canary":
        return f"skipped at {clock.second(one.at)} (another run tries guard {one.guard})"
    if one.what == "lock":
        return f"skipped at {clock.second(one.at)} (its lock was held)"
    return ""


def _until(until: int | None, clock: Clock) -> str:
    return f"open until {clock.minute(until)}" if until else "open until told"


def _outcome(story: SlotStory, clock: Clock) -> str:
    run = story.run
    if run is None:
        name = {"missed": "missed", "once": "not needed", "due": "still due at the end"}[story.outcome]
        return f"{name}: {story.reason}"
    end = {"ok": "", None: ", still running at the end"}.get(run.word, f", {run.word}")
    if story.outcome == "on time":
        return f"on time{end}"
    if story.outcome == "late":
        return f"ran at {clock.second(run.started)}, {length(story.late_s)} late: {story.reason}{end}"
    return f"made up at {clock.second(run.started)}{end}"


def interval_lines(told: IntervalStory, clock: Clock) -> Iterator[str]:
    """The starts of an interval job, and what sleep cost."""
    starts = sum(phase.count for phase in told.phases)
    words = [f"{starts} starts", f"{told.runs} ran"]
    words += [f"{told.refused} refused"] if told.refused else []
    words += [f"{told.skipped} skipped"] if told.skipped else []
    yield ", ".join(words)
    for number, phase in enumerate(told.phases):
        again = "from" if number == 0 else "then, out of step with before, from"
        times = f"{phase.count} times" if phase.count > 1 else "once"
        yield f"{again} {clock.second(phase.first)}, {times}"
    lost = told.undisturbed - starts - told.dropped
    if lost > 0:
        yield f"{lost} lost: an interval counts only time awake, and begins anew when the Mac is switched on"
    if told.dropped:
        yield f"{told.dropped} lost: the job was still running"


def summary(result: Result, clock: Clock) -> Iterator[str]:
    """The numbers, and what ran at once."""
    counts = result.counts()
    parts = [
        f"{counts[key]} {name}" for key, name in OUTCOME_WORDS.items() if counts[key] or key == "on time"
    ]
    total = len(result.slots)
    yield f"{total} slot{'s' if total != 1 else ''}: {', '.join(parts)}."
    refused = result.refusals()
    if refused:
        yield f"{refused} run{'s' if refused != 1 else ''} refused by a tool."
    if result.made_up:
        yield f"Catch-up looked {result.catchups} times and made up {result.made_up}."
    yield from _collisions(result, clock)


def _collisions(result: Result, clock: Clock) -> Iterator[str]:
    found = result.collisions
    if not found:
        yield "Never did two jobs run at once."
        return
    most = max(one.most for one in found)
    yield f"{len(found)} time{'s' if len(found) != 1 else ''} jobs ran at once, {most} at most:"
    for one in found[:MOST_COLLISIONS]:
        yield f"  {clock.second(one.begin)} to {clock.second(one.end)}  {', '.join(one.jobs)}"
    if len(found) > MOST_COLLISIONS:
        yield f"  and {len(found) - MOST_COLLISIONS} more"


def assumptions(scenario: Scenario) -> dict[str, object]:
    """The scenario's choices, for the JSON report."""
    return {
        "reading": "documented" if scenario.reading is Reading.MANUAL else "842",
        "default_length_s": DEFAULT_LENGTH_S,
        "lengths_s": dict(sorted(scenario.lengths.items())),
        "seed": scenario.seed,
        "reset_named": scenario.named,
        "off": [list(span) for span in scenario.power.off],
        "asleep": [list(span) for span in scenario.power.asleep],
        "quota_out": {
            name: [list(span) for span in spans] for name, spans in sorted(scenario.quota_out.items())
        },
    }
