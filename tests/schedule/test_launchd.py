"""The dictionaries that are emitted: golden ones, and that their fires cover every slot in every reading."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from itertools import pairwise
from random import Random
from zoneinfo import ZoneInfo

import pytest

from jobs.schedule.cron import parse_cron
from jobs.schedule.entries import ANY, Entry, is_covered, reduced
from jobs.schedule.firing import Reading, asleep, fires, runs
from jobs.schedule.launchd import MOST, calendar_dictionaries, is_exact
from jobs.schedule.parse_at import parse_at_table, parse_at_text
from jobs.schedule.rule import Rule, Schedule
from jobs.schedule.slots import slots_between
from jobs.schedule.wall import wall_clock
from tests.schedule.random_schedules import random_schedule

DAY = 86400
ZONES = (
    "UTC",
    "America/New_York",
    "Europe/Berlin",
    "Europe/London",
    "Australia/Sydney",
    "Asia/Tokyo",
    "Europe/Athens",
)


def short(dictionary: dict[str, int]) -> str:
    """A dictionary in few letters: `Mo6 D15 W1 H9 M0`."""
    letters = {"Month": "Mo", "Day": "D", "Weekday": "W", "Hour": "H", "Minute": "M"}
    return " ".join(f"{letters[key]}{value}" for key, value in dictionary.items())


def table(**fields: object) -> tuple[Rule, ...]:
    return parse_at_table(fields)


GOLDEN = [
    pytest.param((parse_at_text("09:30"),), True, ["H9 M30"], id="daily"),
    pytest.param(
        (parse_at_text("mon-fri 09:30"),), True, [f"W{day} H9 M30" for day in range(1, 6)], id="weekdays"
    ),
    pytest.param(
        (parse_at_text("mon-fri 09:00"), parse_at_text("sat,sun 09:00")),
        True,
        ["H9 M0"],
        id="all seven weekdays become a wildcard",
    ),
    pytest.param((parse_at_text("09:00"), parse_at_text("sun 09:00")), True, ["H9 M0"], id="covered goes"),
    pytest.param(
        (parse_at_text("mon#1 09:00"),), False, ["W1 H9 M0"], id="AND: the weekday fires less often"
    ),
    pytest.param(
        table(time="09:00", weekday="fri", day=13), False, ["D13 H9 M0"], id="AND: the day fires less often"
    ),
    pytest.param(parse_cron("0 9 13 * 5"), True, ["W5 H9 M0", "D13 H9 M0"], id="OR: two dictionaries"),
    pytest.param(
        parse_cron("0 9 * 6 1"), False, ["Mo6 H9 M0"], id="month beside weekday: days of a month are fewer"
    ),
    pytest.param(
        parse_cron("0 9 * 1-11 1"), False, ["W1 H9 M0"], id="month beside weekday: the weekday is fewer"
    ),
    pytest.param(parse_cron("0 9 15 3,6 *"), True, ["Mo3 D15 H9 M0", "Mo6 D15 H9 M0"], id="month and day"),
    pytest.param(
        parse_cron("0 9 31 * *"), False, ["D31 H9 M0"], id="day 31 fires on the real ones in any reading"
    ),
    pytest.param(parse_cron("0 9 29 2 *"), False, ["Mo2 D29 H9 M0"], id="leap day"),
    pytest.param(
        table(time="07:00", day="last"), False, [f"D{day} H7 M0" for day in range(28, 32)], id="last"
    ),
    pytest.param(
        table(time="07:00", day="last", month=["feb", "apr"]),
        False,
        ["Mo2 D28 H7 M0", "Mo2 D29 H7 M0", "Mo4 D30 H7 M0"],
        id="last of some months",
    ),
    pytest.param(parse_cron("* * * * *"), True, [""], id="every minute: the empty dictionary"),
    pytest.param(parse_cron("7 * * * *"), True, ["M7"], id="hourly: no hour"),
    pytest.param(parse_cron("*/15 * * * *"), True, ["M0", "M15", "M30", "M45"], id="quarters"),
    pytest.param(parse_cron("* 9 * * 1"), True, ["W1 H9"], id="all sixty minutes: no minute"),
    pytest.param(
        parse_cron("*/15 9-17 * * *"), False, ["M0", "M15", "M30", "M45"], id="over 24: wildcard hour"
    ),
    pytest.param(
        parse_cron("0 8-10 * * *"),
        False,
        ["H7 M0", "H8 M0", "H9 M0", "H10 M0"],
        id="close together: an hour earlier, lest 842 lose the first in spring",
    ),
    pytest.param(parse_cron("0 8,10 * * *"), True, ["H8 M0", "H10 M0"], id="far apart: late is not lost"),
    pytest.param(
        parse_cron("0 8,9 15 * *"),
        False,
        ["D15 H7 M0", "D15 H8 M0", "D15 H9 M0"],
        id="close together on a day",
    ),
    pytest.param(parse_cron("30 2 * * *"), False, ["H2 M30", "H3 M0"], id="in a gap: once more after it"),
    pytest.param(
        parse_cron("30 0 * * 1-2"),
        False,
        ["W1 H0 M30", "W1 H1 M0", "W2 H0 M30", "W2 H1 M0"],
        id="the first hour, too: a change may be at midnight, and 842 loses the one after a change",
    ),
    pytest.param(
        parse_cron("30 2 * * 1-5"),
        False,
        ["H3 M0", *(f"W{day} H2 M30" for day in range(1, 6))],
        id="a change of a weekday: one helper for all",
    ),
]


@pytest.mark.parametrize(("rules", "exact", "expected"), GOLDEN)
def test_dictionaries(rules: tuple[Rule, ...], exact: bool, expected: list[str]) -> None:
    schedule = Schedule(rules)
    assert [short(dictionary) for dictionary in calendar_dictionaries(schedule)] == expected
    assert is_exact(schedule) is exact


def test_a_zone_of_its_own_fires_every_quarter() -> None:
    schedule = Schedule((parse_at_text("mon 09:20"),), "Asia/Tokyo")
    assert [short(dictionary) for dictionary in calendar_dictionaries(schedule)] == [
        "M5",
        "M20",
        "M35",
        "M50",
    ]
    assert not is_exact(schedule)


def test_a_schedule_without_slots_has_no_dictionary() -> None:
    assert calendar_dictionaries(Schedule((Rule((0,), (9,), days=(30,), months=(2,)),))) == ()


@pytest.mark.parametrize(
    ("times", "most"),
    [
        pytest.param([f"{hour:02d}:{hour:02d}" for hour in range(4, 24)], 24, id="20 times: one each"),
        pytest.param([f"{hour:02d}:{hour * 2:02d}" for hour in range(24)] * 2, MOST, id="24 times"),
        pytest.param([f"{n // 60:02d}:{n % 60:02d}" for n in range(240, 1440, 7)], MOST, id="172 times"),
    ],
)
def test_there_are_never_too_many(times: list[str], most: int) -> None:
    schedule = Schedule(tuple(parse_at_text(time) for time in times))
    assert 1 <= len(calendar_dictionaries(schedule)) <= most


def check(
    schedule: Schedule, zone: str, start: int, end: int, sleeps: list[tuple[int, int]], counts: Counter[str]
) -> None:
    """Fail unless every slot runs once in every reading; count what the clock changes make of some."""
    clock = wall_clock(zone)
    slots = slots_between(schedule, start, end, zone)
    instants = sorted({slot.instant for slot in slots if start + DAY < slot.instant < end - 2 * DAY})
    following = dict(pairwise(instants))
    gaps = {change.at for change in clock.changes(start, end) if change.after > change.before}
    dictionaries = calendar_dictionaries(schedule)
    assert 1 <= len(dictionaries) <= MOST
    assert not any("Weekday" in entry and ("Day" in entry or "Month" in entry) for entry in dictionaries)
    for reading in Reading:
        awake = fires(dictionaries, start, end, zone, reading)
        for times in (awake, asleep(awake, sleeps)):
            made = runs(slots, times)
            ran = {run.slot.instant: run for run in made}
            assert len({run.slot.wall for run in made}) == len(made), "a slot ran twice"
            assert all(run.late_s >= -30 for run in made), "a slot ran too early"
            if times is not awake:
                _check_wakes(instants, ran, sleeps)
                counts["runs of a sleeper"] += len(made)
                continue
            counts["runs"] += len(made)
            late = [run for run in made if run.late_s > 0 and run.slot.instant in following]
            assert all(run.late_s <= 3600 for run in late), (schedule, zone, reading)
            counts["late by an hour at most"] += len(late)
            for instant in instants:
                if instant in ran:
                    continue
                # Not run: the next slot of the job came within the hour, at a change of the clock.
                assert following[instant] - instant <= 3600, (schedule, zone, reading, instant)
                where = "in a gap" if instant in gaps else "at a shift of 842"
                assert where == "in a gap" or reading is Reading.RELEASE_842, (schedule, zone, instant)
                counts[f"gave way, {where}"] += 1


def _check_wakes(instants: list[int], ran: Mapping[int, object], sleeps: list[tuple[int, int]]) -> None:
    """Fail unless the newest slot of each sleep runs when the sleep is over, or gives way soon to the next one."""
    for begin, end in sleeps:
        if not instants or end < instants[0]:
            continue
        newest = instants[bisect_right(instants, end) - 1]
        if begin + 3600 <= newest and end < instants[-1]:
            later = instants[bisect_right(instants, end) : bisect_right(instants, end + 3600)]
            assert newest in ran or any(instant in ran for instant in later)


def storm(seed: int, count: int, years: int) -> Counter[str]:
    """What became of the slots of random schedules."""
    random = Random(seed)
    counts: Counter[str] = Counter()
    for number in range(count):
        zone = ZONES[number % len(ZONES)]
        begin = datetime(
            random.randint(2024, 2040), random.randint(1, 12), random.randint(1, 28), tzinfo=ZoneInfo(zone)
        )
        start = int(begin.timestamp())
        end = start + years * 366 * DAY
        sleeps, at = [], start
        while at < end:
            at += random.randint(DAY // 4, 20 * DAY)
            sleeps.append((at, at + random.randint(600, 3 * DAY)))
            at = sleeps[-1][1]
        check(random_schedule(random), zone, start, end, sleeps[:40], counts)
    return counts


def test_every_slot_runs_once() -> None:
    counts = storm(seed=1, count=28, years=1)
    print(dict(counts))
    assert counts["runs"] > 20_000


@pytest.mark.slow
def test_every_slot_runs_once_in_a_thousand_schedules() -> None:
    counts = storm(seed=2, count=1000, years=5)
    print(dict(counts))
    assert counts["runs"] > 1_000_000


@pytest.mark.parametrize(
    "machine", ["UTC", "America/New_York", "Asia/Kathmandu", "Australia/Eucla", "Pacific/Chatham"]
)
@pytest.mark.parametrize("zone", ["Asia/Tokyo", "Europe/Berlin", "Asia/Kolkata"])
@pytest.mark.parametrize("text", ["mon 09:30", "23:59", "fri#2 02:30"])
@pytest.mark.parametrize("reading", Reading)
def test_a_zone_of_its_own_is_covered_anywhere(machine: str, zone: str, text: str, reading: Reading) -> None:
    schedule = Schedule((parse_at_text(text),), zone)
    start = 1796085002
    end = start + 2 * 366 * DAY
    slots = slots_between(schedule, start, end, machine)
    made = runs(slots, fires(calendar_dictionaries(schedule), start, end, machine, reading))
    assert [run.slot for run in made] == slots
    assert max(run.late_s for run in made) <= 3600


def test_reduced_is_the_least() -> None:
    hours = {Entry(hour=hour, minute=minute) for hour in range(24) for minute in (0, 30)}
    days = {Entry(weekday=day, hour=3, minute=5) for day in range(7)}
    assert reduced(hours | days | {Entry(month=3, hour=1, minute=0)}) == {
        Entry(minute=0),
        Entry(minute=30),
        Entry(hour=3, minute=5),
    }


def test_is_covered() -> None:
    assert is_covered(Entry(day=3, hour=1, minute=0), {Entry(hour=1, minute=0)})
    assert not is_covered(Entry(hour=1, minute=0), {Entry(day=3, hour=1, minute=0)})
    assert Entry().dictionary() == {}
    assert Entry(month=1, minute=2).dictionary() == {"Month": 1, "Minute": 2}
    assert ANY not in range(60)
