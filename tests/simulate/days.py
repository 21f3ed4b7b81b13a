"""Manifests and days to be simulated: made by hand, or drawn by hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from jobs.cli.when import epoch_of
from jobs.model.job import (
    Argv,
    CatchupReason,
    CatchupSettings,
    Guard,
    Job,
    JobCatchup,
    Lock,
    Manifest,
    Once,
    Project,
)
from jobs.schedule.firing import Reading
from jobs.schedule.parse_at import parse_at_text
from jobs.schedule.rule import Schedule
from jobs.schedule.wall import wall_clock
from jobs.simulate.scenario import Scenario
from jobs.simulate.spans import Power, Span, merged, spans_of

TOKYO = ZoneInfo("Asia/Tokyo")
HOUR, DAY = 3600, 86400
PROJECT = Project(
    name="test",
    prefix="com.example",
    root="/Users/kim/work",
    home="/Users/kim",
    user="kim",
    path=("/usr/bin", "/bin"),
    logs="/Users/kim/logs",
    state="/Users/kim/state",
    output="generated",
)


def job(name: str, *at: str, **keys: Any) -> Job:
    """A job with defaults as the manifest has them; guarded ones are made up."""
    if at:
        keys["schedule"] = Schedule(tuple(parse_at_text(text) for text in at))
    keys.setdefault("lock", Lock(name))
    if keys.get("guards") and keys.get("schedule"):
        keys.setdefault("catchup", JobCatchup(("guard",), "today"))
    return Job(
        name=name,
        label=f"com.example.{name}",
        run=Argv((name,)),
        log=f"/Users/kim/logs/{name}.log",
        cwd="/Users/kim/work",
        **keys,
    )


def manifest(*jobs: Job, catchup: CatchupSettings | None = None) -> Manifest:
    """A manifest with a guard and, unless told otherwise, a catch-up every quarter of an hour."""
    return Manifest(
        "jobs.toml", PROJECT, jobs, (Guard("claude", tool="claude"),), catchup or CatchupSettings()
    )


def day(
    start: str = "2026-12-01",
    end: str = "2026-12-02",
    *,
    asleep: Sequence[str] = (),
    off: Sequence[str] = (),
    out: Sequence[str] = (),
    zone: ZoneInfo = TOKYO,
    **keys: Any,
) -> Scenario:
    """A scenario, told as on the command line."""
    clock = wall_clock(zone)
    begin, stop = epoch_of(start, zone), epoch_of(end, zone)

    def spans(texts: Sequence[str]) -> tuple[Span, ...]:
        return spans_of(texts, clock, begin, stop, lambda text: epoch_of(text, zone))

    power = Power(spans(off), spans(asleep))
    quota = {"claude": spans(out)} if out else {}
    return Scenario(begin, stop, zone, power, quota, **keys)


ZONES = ("Asia/Tokyo", "UTC", "America/New_York", "Europe/Berlin")
TIMES = st.sampled_from([f"{hour:02d}:{minute:02d}" for hour in range(24) for minute in (0, 5, 30)])
REASONS: st.SearchStrategy[tuple[CatchupReason, ...]] = st.sampled_from(
    [("guard",), ("guard", "missed"), ("guard", "busy", "failed")]
)
WEEKDAYS = st.sampled_from(["", "", "", "mon-fri ", "sat,sun "])


@st.composite
def random_jobs(draw: st.DrawFn) -> tuple[Job, ...]:
    """A few jobs of all kinds, some of which share a lock."""
    found = []
    for number in range(draw(st.integers(1, 4))):
        name = f"job{number}"
        keys: dict[str, Any] = {"guards": draw(st.sampled_from([(), ("claude",), ("claude",)]))}
        if draw(st.integers(0, 4)) == 0:
            keys["every_s"] = draw(st.sampled_from([600, 1800, 5400]))
            at: tuple[str, ...] = ()
        else:
            at = tuple(draw(WEEKDAYS) + time for time in draw(st.lists(TIMES, min_size=1, max_size=4)))
            keys["once"] = draw(
                st.sampled_from([None, None, Once("day"), Once("hour", "success"), Once("slot", "success")])
            )
            keys["deadline_s"] = draw(st.sampled_from([None, None, 1800, 4 * HOUR]))
            reasons = draw(REASONS)
            keys["catchup"] = draw(
                st.sampled_from([None, JobCatchup(reasons, "today"), JobCatchup(reasons, 6 * HOUR)])
            )
        keys["lock"] = draw(st.sampled_from([None, Lock(name), Lock("shared"), Lock("shared", wait_s=600)]))
        keys["timeout_s"] = draw(st.sampled_from([None, 300, 2700]))
        keys["at_load"] = draw(st.sampled_from([False, False, True]))
        found.append(job(name, *at, **keys))
    return tuple(found)


@st.composite
def random_spans(draw: st.DrawFn, start: int, end: int, most: int) -> tuple[Span, ...]:
    """Up to `most` stretches between two instants."""
    found = []
    for _ in range(draw(st.integers(0, most))):
        begin = start + draw(st.integers(0, (end - start) // 300)) * 300
        found.append(Span(begin, min(end, begin + draw(st.integers(1, 150)) * 300)))
    return merged(found)


@st.composite
def random_days(draw: st.DrawFn) -> Scenario:
    """A day or two with sleep, a switched-off Mac, quota stops and failures; sometimes when the clocks change."""
    zone = ZoneInfo(draw(st.sampled_from(ZONES)))
    first = draw(st.sampled_from(["2026-12-01", "2026-03-08", "2026-03-29", "2026-10-25", "2026-11-01"]))
    start = epoch_of(first, zone) + draw(st.integers(0, 24)) * HOUR
    end = start + draw(st.integers(6, 60)) * HOUR
    return Scenario(
        start,
        end,
        zone,
        Power(draw(random_spans(start, end, 2)), draw(random_spans(start, end, 2))),
        {"claude": draw(random_spans(start, end, 2))},
        draw(st.booleans()),
        frozenset(draw(st.lists(st.tuples(st.sampled_from(["job0", "job1"]), TIMES), max_size=3))),
        {"job0": draw(st.sampled_from([5, 60, 1200, 2 * HOUR]))},
        draw(st.sampled_from(list(Reading))),
        draw(st.sampled_from([None, 1, 2])),
    )


def unguarded(schedule: Schedule) -> Job:
    """A job with a calendar and nothing else."""
    return job("plain", schedule=schedule, lock=None)
