"""Measure the slot calculator beside cronsim and croniter: `python tests/bench/schedule.py`.

The work: the next 1,000 slots of 100 schedules, in UTC and in a zone with summer time. croniter is slow enough to be
given a tenth of the slots; its time is scaled. Each figure is the best of several rounds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime
from itertools import islice
from pathlib import Path
from time import perf_counter
from zoneinfo import ZoneInfo

from croniter import croniter
from cronsim import CronSim

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))

from jobs.schedule.cron import parse_cron
from jobs.schedule.pattern import pattern_of
from jobs.schedule.rule import Schedule
from jobs.schedule.slots import next_slots
from jobs.schedule.wall import wall_clock

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


def best(work: Callable[[str, int], int], zone: str, count: int, rounds: int) -> float:
    """The seconds of the quickest round, for 1,000 slots of each schedule."""
    seconds = []
    for _ in range(rounds):
        begin = perf_counter()
        work(zone, count)
        seconds.append(perf_counter() - begin)
    return min(seconds) * COUNT / count


def main() -> None:
    """Print the table."""
    for zone in ("UTC", "America/New_York"):
        mine = best(ours, zone, COUNT, 5)
        sim = best(cronsims, zone, COUNT, 3)
        iter_ = best(croniters, zone, COUNT // 10, 1)
        print(
            f"{zone:18} jobs {mine:6.3f} s   cronsim {sim:6.3f} s ({sim / mine:4.1f}x)   "
            f"croniter {iter_:6.2f} s ({iter_ / mine:5.1f}x)"
        )


if __name__ == "__main__":
    main()
