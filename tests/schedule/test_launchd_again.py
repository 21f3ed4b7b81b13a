"""The emitted dictionaries under a second, independent model of launchd: what fires and the wrapper make are the slots."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from datetime import UTC, datetime
from random import Random
from zoneinfo import ZoneInfo

import pytest

from jobs.schedule.launchd import MOST, calendar_dictionaries
from jobs.schedule.rule import Schedule
from jobs.schedule.slots import slots_between
from tests.schedule.launchd_again import Zone, coalesced, documented, release_842, wrapped
from tests.schedule.random_schedules import random_schedule

DAY = 86400
HOUR = 3600
COMMON = ("America/New_York", "Europe/Berlin", "Asia/Tokyo", "Australia/Sydney", "Europe/London", "UTC")
# Changes on a Friday, at midnight, on a Saturday night, by two hours, by half an hour; and years with a day left out.
ODD = {
    "Africa/Cairo": 2024,
    "Asia/Beirut": 2024,
    "America/Asuncion": 2019,
    "America/Havana": 2024,
    "America/Santiago": 2024,
    "Asia/Amman": 2019,
    "Asia/Tehran": 2019,
    "Asia/Gaza": 2024,
    "America/Nuuk": 2024,
    "America/St_Johns": 2008,
    "Atlantic/Azores": 2024,
    "Africa/Casablanca": 2024,
    "Asia/Jerusalem": 2024,
}
STRANGE = {"Antarctica/Troll": 2024, "Australia/Lord_Howe": 2024, "Pacific/Apia": 2011}


@pytest.mark.parametrize(
    ("zone", "now", "dictionary", "expected"),
    [
        ("America/New_York", "2026-03-06 09:00", {"Hour": 9, "Minute": 0}, ["03-07 09:00"]),
        ("America/New_York", "2026-03-07 09:00", {"Hour": 9, "Minute": 0}, ["03-08 10:00", "03-09 09:00"]),
        ("America/New_York", "2026-10-31 09:00", {"Hour": 9, "Minute": 0}, ["11-01 08:00", "11-01 09:00"]),
        ("America/New_York", "2026-03-07 09:00", {"Hour": 2, "Minute": 30}, ["03-08 03:30"]),
        ("UTC", "2026-05-01 10:58", {"Hour": 10}, ["05-01 10:59", "05-01 11:00", "05-02 10:00"]),
        (
            "UTC",
            "2026-01-30 00:00",
            {"Day": 31, "Hour": 12, "Minute": 0},
            ["01-31 12:00", "03-03 12:00", "03-31 12:00", "05-01 12:00", "05-31 12:00"],
        ),
        ("UTC", "2026-01-30 00:00", {"Month": 2, "Day": 29, "Hour": 12, "Minute": 0}, ["03-01 12:00"]),
        (
            "UTC",
            "2026-01-30 00:00",
            {"Day": 13, "Weekday": 5, "Hour": 12, "Minute": 0},
            ["01-30 12:00", "02-06 12:00", "02-13 12:00", "02-20 12:00"],
        ),
        (
            "America/New_York",
            "2026-01-15 09:00",
            {"Month": 6, "Weekday": 1, "Hour": 9, "Minute": 0},
            ["01-19 09:00"],
        ),
        ("UTC", "2026-01-30 00:00", {}, ["01-30 00:01"]),
        (
            "America/New_York",
            "2026-08-01 09:00",
            {"Month": 7, "Day": 4, "Hour": 9, "Minute": 0},
            ["07-04 10:00"],
        ),
    ],
)
def test_the_model_of_842_on_worked_examples(
    zone: str, now: str, dictionary: dict[str, int], expected: list[str]
) -> None:
    begin = int(datetime.fromisoformat(now).replace(tzinfo=ZoneInfo(zone)).timestamp())
    model = Zone(zone)
    found = [
        f"{model.local(at):%m-%d %H:%M}"
        for at in release_842([dictionary], begin, begin + (366 if dictionary else 1) * DAY, model)[
            : len(expected)
        ]
    ]
    assert found == expected


def judge(
    schedule: Schedule, name: str, start: int, days: int, random: Random, counts: Counter[str], latest: int
) -> list[str]:
    """What is wrong: a slot that ran twice, early, or later than sleep explains; one that gave way where none may."""
    zone, end = Zone(name), start + days * DAY
    slots = [(slot.id, slot.instant) for slot in slots_between(schedule, start + 1, end, name)]
    if not slots:
        return []
    instants = [at for _, at in slots]
    dictionaries = calendar_dictionaries(schedule)
    assert len(dictionaries) <= MOST
    awake = {
        "842": release_842(dictionaries, start, end, zone),
        **{
            f"manual, {'after' if gap else 'not in'} gaps, {'twice' if twice else 'once'}": documented(
                dictionaries, start, end, zone, gap=gap, twice=twice
            )
            for gap in (False, True)
            for twice in (False, True)
        },
    }
    sleeps, at = [], start
    while at < end:
        at += random.randint(DAY // 4, 20 * DAY)
        sleeps.append((at, at + random.randint(600, 3 * DAY)))
        at = sleeps[-1][1]
    wrong: list[str] = []
    for reading, times in awake.items():
        for sleeper in (False, True):
            ran = wrapped(slots, coalesced(times, sleeps) if sleeper else times)
            counts["slots"] += len(slots)
            counts["ran"] += len(ran)
            for slot, due in slots:
                if not start + 2 * DAY < due < end - 2 * DAY:
                    continue
                # A start that a change of the clock delays may fall into a sleep that begins meanwhile.
                slept = (
                    next((wake for begin, wake in sleeps if begin - HOUR <= due < wake), due)
                    if sleeper
                    else due
                )
                fired = ran.get(slot)
                if fired is not None:
                    late = fired - max(due, slept)
                    counts["late at a change"] += late > 60
                    if fired < due - 30 or late > latest:
                        wrong.append(f"{reading}: {slot} ran {fired - due} s late")
                    continue
                # Given up for a newer slot: of the same sleep, or one that came within the hour of a change.
                nearest = instants[bisect_right(instants, due) : bisect_right(instants, slept + HOUR)]
                twins = bisect_right(instants, due) - bisect_left(instants, due) > 1
                if sleeper and slept > due:
                    counts["gave way, asleep"] += 1
                    if not nearest and not twins:
                        wrong.append(f"{reading}: {slot} is lost in a sleep, and no newer one came")
                elif nearest or twins:
                    counts["gave way, at a change of the clock"] += 1
                    if not _changes(zone, due) and not _changes(Zone(schedule.zone or name), due):
                        wrong.append(f"{reading}: {slot} gave way far from a change")
                else:
                    wrong.append(f"{reading}: {slot} is lost")
    return wrong


def _changes(zone: Zone, at: int) -> bool:
    """Whether the clock changes within a day and a half."""
    offsets = {
        zone.local(at + hours * HOUR).replace(tzinfo=UTC).timestamp() - at - hours * HOUR
        for hours in (-36, 0, 36)
    }
    return len(offsets) > 1


def play(
    seed: int,
    zones: dict[str, int],
    count: int,
    days: int,
    own: tuple[str, ...] = (),
    latest: int = HOUR,
) -> Counter[str]:
    """Random schedules in zones from a year on, with zones of their `own` if there are some; fails with what was wrong."""
    random = Random(seed)
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for number in range(count):
        name = list(zones)[number % len(zones)]
        begin = datetime(zones[name], random.randint(1, 12), random.randint(1, 28), tzinfo=ZoneInfo(name))
        schedule = random_schedule(random)
        if own:
            schedule = Schedule(schedule.rules, random.choice(own))
        found = judge(schedule, name, int(begin.timestamp()), days, random, counts, latest)
        wrong += [f"{name} {schedule.rules}: {text}" for text in found[:3]]
    print(dict(counts))
    assert wrong == []
    return counts


def test_the_slots_run_in_common_zones() -> None:
    assert play(1, dict.fromkeys(COMMON, 2026), 18, 400)["ran"] > 10_000


@pytest.mark.slow
def test_the_slots_run_in_odd_zones() -> None:
    assert play(2, ODD, 39, 500)["ran"] > 10_000


@pytest.mark.slow
def test_the_slots_run_where_a_change_is_no_hour_or_leaves_out_a_day() -> None:
    """None is lost, but one in the second hour of a gap may wait for the job's next fire."""
    assert play(3, STRANGE, 12, 500, latest=DAY)["ran"] > 10_000


@pytest.mark.slow
def test_the_slots_of_other_zones_run() -> None:
    """Jobs with a zone of their own, on Macs elsewhere."""
    machines = dict.fromkeys((*COMMON, "Asia/Kathmandu", "Pacific/Chatham"), 2026) | {"Africa/Cairo": 2024}
    own = (
        "Asia/Tokyo",
        "Europe/Berlin",
        "America/New_York",
        "Australia/Lord_Howe",
        "Asia/Kolkata",
        "Africa/Cairo",
    )
    assert play(4, machines, 9, 200, own)["ran"] > 10_000
