"""When launchd starts what, of itself: the emitted calendar, the interval, the load; on a Mac that sleeps and is switched off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from jobs.model.job import Job
from jobs.schedule.firing import asleep, fires
from jobs.schedule.launchd import calendar_dictionaries
from jobs.simulate.scenario import Scenario
from jobs.simulate.spans import Span

Cause = Literal["calendar", "interval", "load"]


class Fire(NamedTuple):
    """A moment at which launchd wants a job to start."""

    at: int
    cause: Cause


def job_fires(job: Job, scenario: Scenario) -> Iterator[Fire]:
    """The fires of a job, one session of the Mac after the other; not in order within a session."""
    if not job.enabled:
        return
    for session in scenario.power.sessions(scenario.start, scenario.end):
        if job.schedule is not None:
            yield from (Fire(at, "calendar") for at in _calendar(job, session, scenario))
        if job.every_s:
            yield from (Fire(at, "interval") for at in interval(job.every_s, session, scenario))
        if job.at_load:
            begin = scenario.power.awake_from(session.begin)
            if begin < session.end:
                yield Fire(begin, "load")


def _calendar(job: Job, session: Span, scenario: Scenario) -> list[int]:
    """The fires of the dictionaries in a session; those in a sleep become one at its end, if it is not switched off by then."""
    if job.schedule is None:
        return []
    # The first session begins with jobs that are loaded already, so a fire at its first second counts.
    load = session.begin - (session.begin == scenario.start)
    times = fires(calendar_dictionaries(job.schedule), load, session.end, scenario.zone, scenario.reading)
    sleeps = [span for span in scenario.power.asleep if session.begin <= span.begin < session.end]
    return [at for at in asleep(times, sleeps) if at < session.end]


def interval(every_s: int, session: Span, scenario: Scenario) -> Iterator[int]:
    """The fires of a StartInterval: counted from the load on, in time awake (launchd.plist(5): missed in sleep)."""
    at = session.begin
    while True:
        at = scenario.power.after(at, every_s)
        if at >= session.end:
            return
        yield at
