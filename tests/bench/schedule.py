"""The slot calculator beside cronsim and croniter, in UTC and in a zone with summer time; and a week of many jobs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import islice, takewhile
from zoneinfo import ZoneInfo

from croniter import croniter
from cronsim import CronSim

from jobs.schedule.cron import parse_cron
from jobs.schedule.pattern import pattern_of
from jobs.schedule.rule import Schedule
from jobs.schedule.slots import next_slots
from jobs.schedule.wall import wall_clock
from jobs.week.page import render_page
from jobs.week.plan import make_calendar
from tests.bench.rows import Row, compare
from tests.simulate.days import job, manifest

SHAPES = (
    "* * * * *",
    "*/5 * * * *",
    "{m} * * * *",
    "{m} */2 * * *",
    "{m} 9-17 * * 1-5",
    "{m} {h} * * *",
    "{m} {h} * * 1-5",
    "{m} {h} * * 0",
    "{m} {h} 1,15 * *",
    "{m} {h} 1-7 * 1",
)
EXPRESSIONS = [
    shape.format(m=(7 * row + 3) % 60, h=(5 * row + 1) % 24) for row in range(10) for shape in SHAPES
]
START = 1796085002  # 1 December 2026
COUNT = 1000


def ours(zone: str, count: int) -> int:
    """The number of slots made; nothing is left over from an earlier round."""
    pattern_of.cache_clear()
    wall_clock.cache_clear()
    made = 0
    for text in EXPRESSIONS:
        schedule = Schedule(parse_cron(text), zone)
        made += sum(1 for _ in islice(next_slots(schedule, START, "UTC"), count))
    return made


def cronsims(zone: str, count: int) -> int:
    """The number of times made by cronsim."""
    start = datetime.fromtimestamp(START, ZoneInfo(zone))
    return sum(1 for text in EXPRESSIONS for _ in islice(CronSim(text, start), count))


def croniters(zone: str, count: int) -> int:
    """The number of times made by croniter."""
    start = datetime.fromtimestamp(START, ZoneInfo(zone))
    made = 0
    for text in EXPRESSIONS:
        times = croniter(text, start)
        for _ in range(count):
            times.get_next(datetime)
            made += 1
    return made


def bench_next_slots() -> Iterator[Row]:
    """The next 1,000 slots of 100 schedules: not slower than cronsim, a tenth of croniter's time at most."""
    for zone in ("UTC", "America/New_York"):
        yield compare(
            f"next 1,000 slots of 100 schedules, {zone}",
            partial(ours, zone, COUNT),
            "cronsim",
            partial(cronsims, zone, COUNT),
            most=1,
            rounds=3,
        )
        few = COUNT // 10
        yield compare(
            f"next {few} slots of 100 schedules, {zone}",
            partial(ours, zone, few),
            "croniter",
            partial(croniters, zone, few),
            most=0.1,
            rounds=3,
        )


def bench_week_of_a_thousand_jobs() -> Iterator[Row]:
    """The page of a week of 1,000 jobs, beside cronsim finding their slots and nothing more."""
    expressions = [SHAPES[1 + row % 9].format(m=row % 60, h=row % 24) for row in range(1000)]
    start, end = datetime.fromtimestamp(START, UTC), START + 7 * 86400
    jobs = [
        job(f"job-{number}", schedule=Schedule(parse_cron(text)), guards=("claude",) if number % 2 else ())
        for number, text in enumerate(expressions)
    ]
    found = manifest(*jobs)

    def ours_() -> str:
        return render_page(make_calendar(found, START, START, 7, ZoneInfo("Asia/Tokyo"), {}), "many")

    def peer() -> int:
        return sum(
            1
            for text in expressions
            for _ in takewhile(lambda time: time.timestamp() < end, CronSim(text, start))
        )

    yield compare("week of 1,000 jobs as a page", ours_, "cronsim, their slots alone", peer, rounds=3)
    print(f"  the page has {len(ours_().encode())} bytes, {peer()} slots", file=sys.stderr)
