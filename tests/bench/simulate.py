"""A simulated month: 100 jobs, beside a plain loop that starts them all and asks nothing."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heappush

from jobs.model.job import CatchupSettings, Job, JobCatchup, Lock, Manifest
from jobs.schedule.cron import parse_cron
from jobs.schedule.rule import Schedule
from jobs.schedule.slots import slots_between
from jobs.simulate.result import simulate
from jobs.simulate.scenario import Scenario
from tests.bench.rows import Row, compare
from tests.simulate.days import DAY, day, job, manifest

SHAPES = (
    "{m} {h} * * *",
    "{m} {h} * * 1-5",
    "{m} 9-17 * * 1-5",
    "{m} */2 * * *",
    "{m} {h} 1,15 * *",
    "*/15 9-17 * * 1-5",
    "{m} {h} * * 0",
    "{m} * * * *",
    "{m} {h},18 * * *",
)


def month() -> tuple[Manifest, Scenario]:
    """100 jobs: 90 with calendars from once a fortnight to every quarter of an hour, 10 with intervals."""
    jobs: list[Job] = []
    for row in range(10):
        for shape in SHAPES:
            cron = shape.format(m=(7 * row + 3) % 60, h=(5 * row + 1) % 24)
            name = f"job{len(jobs)}"
            keys = {"guards": ("claude",), "catchup": JobCatchup(("guard",), "today")} if row % 2 else {}
            jobs.append(job(name, schedule=Schedule(parse_cron(cron)), **keys))
        jobs.append(job(f"every{row}", every_s=1800 + 600 * row, lock=Lock("shared", wait_s=60)))
    scenario = day(
        "2026-12-01",
        "2026-12-31",
        asleep=["23:30-08:10"],
        off=["2026-12-20T12:00..2026-12-21T09:00"],
        out=["09:00-10:00"],
    )
    return manifest(*jobs, catchup=CatchupSettings()), scenario


def bench_month() -> Iterator[Row]:
    """30 days of 100 jobs with sleep, a quota stop every day and catch-up; the aim is two seconds."""
    found, scenario = month()
    row = compare(
        "simulate 30 days of 100 jobs",
        lambda: simulate(found, scenario),
        "a plain loop that starts them all",
        lambda: plain_loop(found, scenario),
        rounds=3,
    )
    yield row
    yield Row("the same, in all", row.ours_s, "two seconds", 2.0, most=1)


def plain_loop(found: Manifest, scenario: Scenario) -> int:
    """The number of runs when nothing ever happens: a heap of starts and ends, two records a run, no questions asked."""
    starts = [
        (at, 0, number)
        for number, one in enumerate(found.jobs)
        for at in (
            [
                slot.instant
                for slot in slots_between(one.schedule, scenario.start, scenario.end, scenario.zone)
            ]
            if one.schedule is not None
            else range(scenario.start, scenario.end, one.every_s or DAY)
        )
    ]
    heapify(starts)
    records: list[dict[str, object]] = []
    while starts:
        at, ends, number = heappop(starts)
        name = found.jobs[number].name
        records.append(
            {"epoch": at, "job": name, "event": "end" if ends else "start", "reason": "ok", "pid": 1}
        )
        if not ends:
            heappush(starts, (at + 60, 1, number))
    return len(records) // 2
