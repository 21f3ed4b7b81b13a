"""How a simulated run will end, known when it begins: power, quota, failures and the time limit are all in the scenario."""

from __future__ import annotations

from dataclasses import dataclass

from jobs.model.job import Job
from jobs.schedule.slots import Slot, slot_id
from jobs.schedule.wall import WallClock
from jobs.simulate.scenario import REFUSAL_S, Scenario


@dataclass(frozen=True, slots=True)
class Ending:
    """The instant of an end, its word and exit status; and the guard that refused, with the reset that it named."""

    at: int
    word: str
    status: int
    signal: int | None = None
    guard: str | None = None
    reset: int | None = None


def ending(
    job: Job, slot: Slot | None, number: int, now: int, scenario: Scenario, clock: WallClock
) -> Ending:
    """The end of the run of that number of a job, begun now. Switching off is not looked at: it ends whatever runs."""
    length = scenario.length_s(job.name, number)
    end = scenario.power.after(now, length)
    refusal = _refusal(job, now, end, scenario)
    limit = scenario.power.after(now, job.timeout_s) if job.timeout_s else end + 1
    if refusal is not None and refusal.at < limit:
        return refusal
    if limit < end:
        return Ending(limit, "timeout", 124)
    if scenario.fails and _fails(job, slot, now, scenario, clock):
        return Ending(end, "failed", 1)
    return Ending(end, "ok", 0)


def _refusal(job: Job, now: int, end: int, scenario: Scenario) -> Ending | None:
    """The first refusal that a run meets: the quota is out when it begins, or runs out on the way."""
    found: list[Ending] = []
    for guard in job.guards:
        for span in scenario.quota_out.get(guard, ()):
            if span.begin >= end or span.end <= now:
                continue
            at = min(end, scenario.power.after(max(now, span.begin), REFUSAL_S))
            if at < span.end:
                reset = span.end if scenario.named else None
                found.append(Ending(at, "quota", 1, guard=guard, reset=reset))
    return min(found, key=lambda refusal: refusal.at, default=None)


def _fails(job: Job, slot: Slot | None, now: int, scenario: Scenario, clock: WallClock) -> bool:
    name = slot_id(slot.wall if slot else clock.reading(now) // 60)
    time = f"{name[9:11]}:{name[11:]}"
    dated = f"{name[:4]}-{name[4:6]}-{name[6:8]}T{time}"
    return (job.name, time) in scenario.fails or (job.name, dated) in scenario.fails
