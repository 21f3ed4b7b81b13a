"""Slots: golden tables at changes of the clock, and equality with a walk through every minute."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from itertools import islice
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.schedule.cron import parse_cron
from jobs.schedule.parse_at import parse_at_table, parse_at_text
from jobs.schedule.rule import LAST_DAY, Rule, Schedule
from jobs.schedule.slots import (
    Slot,
    first_slots,
    is_slot,
    newest_due,
    next_slot,
    next_slots,
    previous_slot,
    previous_slots,
    slot_id,
    slot_named,
    slots_between,
    wall_of,
)
from tests.schedule.random_schedules import random_schedule

DAY = 86400


def epoch(text: str) -> int:
    """The epoch second of an ISO time with an offset, or in UTC."""
    time = datetime.fromisoformat(text)
    return int((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp())


def cron(text: str, zone: str | None = None) -> Schedule:
    return Schedule(parse_cron(text), zone)


def told(slots: list[Slot]) -> list[str]:
    """Slots as `name @ instant in UTC`."""
    return [f"{slot.id} @ {datetime.fromtimestamp(slot.instant, UTC):%Y-%m-%dT%H:%M}" for slot in slots]


CHANGES = [
    pytest.param(
        "America/New_York",
        "30 2 * * *",
        "2026-03-07T12:00",
        ["20260308T0230 @ 2026-03-08T07:00", "20260309T0230 @ 2026-03-09T06:30"],
        id="gap: at its end",
    ),
    pytest.param(
        "America/New_York",
        "0,30 2,3 8 3 *",
        "2026-03-08T00:00",
        [
            "20260308T0200 @ 2026-03-08T07:00",
            "20260308T0230 @ 2026-03-08T07:00",
            "20260308T0300 @ 2026-03-08T07:00",
            "20260308T0330 @ 2026-03-08T07:30",
        ],
        id="gap: two slots at one instant stay two",
    ),
    pytest.param(
        "America/New_York",
        "30 1 * * *",
        "2026-10-31T12:00",
        ["20261101T0130 @ 2026-11-01T05:30", "20261102T0130 @ 2026-11-02T06:30"],
        id="overlap: the first pass, once",
    ),
    pytest.param(
        "America/New_York",
        "0 * * * *",
        "2026-11-01T03:59",
        [
            "20261101T0000 @ 2026-11-01T04:00",
            "20261101T0100 @ 2026-11-01T05:00",
            "20261101T0200 @ 2026-11-01T07:00",
        ],
        id="overlap: hourly pauses for the second pass",
    ),
    pytest.param(
        "Europe/London",
        "0 1 * * *",
        "2026-03-28T12:00",
        ["20260329T0100 @ 2026-03-29T01:00", "20260330T0100 @ 2026-03-30T00:00"],
        id="gap: its first minute",
    ),
    pytest.param(
        "Australia/Lord_Howe",
        "0,15,30 2 4 10 *",
        "2026-10-01T00:00",
        [
            "20261004T0200 @ 2026-10-03T15:30",
            "20261004T0215 @ 2026-10-03T15:30",
            "20261004T0230 @ 2026-10-03T15:30",
        ],
        id="gap of half an hour",
    ),
    pytest.param(
        "Australia/Lord_Howe",
        "15,45 1 5 4 *",
        "2026-04-01T00:00",
        ["20260405T0115 @ 2026-04-04T14:15", "20260405T0145 @ 2026-04-04T14:45"],
        id="overlap of half an hour",
    ),
    pytest.param(
        "Antarctica/Troll",
        "30 1,2 29 3 *",
        "2026-03-28T00:00",
        ["20260329T0130 @ 2026-03-29T01:00", "20260329T0230 @ 2026-03-29T01:00"],
        id="gap of two hours",
    ),
    pytest.param(
        "Pacific/Apia",
        "0 9 * * *",
        "2011-12-29T12:00",
        [
            "20111229T0900 @ 2011-12-29T19:00",
            "20111230T0900 @ 2011-12-30T10:00",
            "20111231T0900 @ 2011-12-30T19:00",
        ],
        id="a day left out",
    ),
    pytest.param(
        "Pacific/Kwajalein",
        "0 9 * * *",
        "1993-08-20T00:00",
        [
            "19930820T0900 @ 1993-08-20T21:00",
            "19930821T0900 @ 1993-08-21T12:00",
            "19930822T0900 @ 1993-08-21T21:00",
        ],
        id="a day left out, the other way around the date line",
    ),
    pytest.param(
        "Africa/Casablanca",
        "30 2 * * *",
        "2026-02-14T12:00",
        ["20260215T0230 @ 2026-02-15T01:30", "20260216T0230 @ 2026-02-16T02:30"],
        id="Ramadan: back an hour",
    ),
    pytest.param(
        "America/Santiago",
        "0 0 * * *",
        "2026-09-05T12:00",
        ["20260906T0000 @ 2026-09-06T04:00", "20260907T0000 @ 2026-09-07T03:00"],
        id="gap at midnight",
    ),
    pytest.param(
        "America/Havana",
        "30 0 1 11 *",
        "2026-10-31T12:00",
        ["20261101T0030 @ 2026-11-01T04:30", "20271101T0030 @ 2027-11-01T04:30"],
        id="overlap at midnight",
    ),
    pytest.param(
        "Asia/Tokyo", "0 0 * 5 *", "1948-05-01T12:00", ["19480502T0000 @ 1948-05-01T15:00"], id="long ago"
    ),
    pytest.param(
        "America/New_York",
        "0 12 18 11 *",
        "1883-11-01T00:00",
        ["18831118T1200 @ 1883-11-18T16:56"],
        id="the day of two noons: offsets with seconds",
    ),
]


@pytest.mark.parametrize(("zone", "text", "after", "expected"), CHANGES)
def test_changes_of_the_clock(zone: str, text: str, after: str, expected: list[str]) -> None:
    assert told(first_slots(cron(text), epoch(after), zone, len(expected))) == expected


DATES = [
    pytest.param(
        parse_at_table({"time": "07:00", "day": "last"}),
        ["20270131", "20270228", "20270331", "20270430", "20270531"],
        id="last day",
    ),
    pytest.param(
        parse_at_table({"time": "07:00", "day": ["last", 31], "month": ["feb", "jan"]}),
        ["20270131", "20270228", "20280131", "20280229", "20290131", "20290228"],
        id="last day in leap years",
    ),
    pytest.param(parse_cron("0 7 29 2 *"), ["20280229", "20320229", "20360229"], id="leap day"),
    pytest.param(parse_cron("0 7 31 * *"), ["20270131", "20270331", "20270531", "20270731"], id="day 31"),
    pytest.param(
        (parse_at_text("mon#1 07:00"),), ["20270104", "20270201", "20270301", "20270405"], id="first Monday"
    ),
    pytest.param((parse_at_text("fri#5 07:00"),), ["20270129", "20270430", "20270730"], id="fifth Friday"),
    pytest.param(
        parse_cron("0 7 13 * 5"), ["20270101", "20270108", "20270113", "20270115"], id="13th or a Friday"
    ),
    pytest.param(
        parse_at_table({"time": "07:00", "day": 13, "weekday": "fri"}),
        ["20270813", "20281013", "20290413"],
        id="13th and a Friday",
    ),
    pytest.param(
        (parse_at_text("mon 07:00"), parse_at_text("mon,tue 07:00")),
        ["20270104", "20270105", "20270111"],
        id="two rules, one slot",
    ),
]


@pytest.mark.parametrize(("rules", "expected"), DATES)
def test_dates(rules: tuple[Rule, ...], expected: list[str]) -> None:
    slots = first_slots(Schedule(rules), epoch("2027-01-01T00:00"), "UTC", len(expected))
    assert [slot.id for slot in slots] == [f"{day}T0700" for day in expected]


def test_a_century_without_a_leap_day_is_crossed() -> None:
    slots = first_slots(cron("0 0 29 2 *"), epoch("2094-01-01"), "UTC", 2)
    assert [slot.id for slot in slots] == ["20960229T0000", "21040229T0000"]


def test_a_schedule_without_slots_ends_at_once() -> None:
    never = Schedule((Rule((0,), (9,), days=(31,), months=(2,)), Rule((), (1,))))
    assert next_slot(never, 0, "UTC") is None
    assert previous_slot(never, 0, "UTC") is None
    assert slots_between(never, 0, 10**9, "UTC") == []


def test_bounds_are_half_open() -> None:
    nine = epoch("2026-12-01T09:00")
    daily = cron("0 9 * * *")
    assert [slot.instant for slot in slots_between(daily, nine, nine + DAY, "UTC")] == [nine]
    assert slots_between(daily, nine + 1, nine + DAY, "UTC") == []
    assert slots_between(daily, nine, nine, "UTC") == []
    assert next_slot(daily, nine, "UTC") == Slot(wall_of("20261202T0900"), nine + DAY)
    assert next_slot(daily, nine - 1, "UTC") == Slot(wall_of("20261201T0900"), nine)
    assert previous_slot(daily, nine, "UTC") == Slot(wall_of("20261130T0900"), nine - DAY)


@pytest.mark.parametrize(
    ("seconds", "grace", "expected"),
    [
        pytest.param(-31, 30, "20261130T0900", id="31 s early: yesterday's"),
        pytest.param(-30, 30, "20261201T0900", id="30 s early: a timer's grace"),
        pytest.param(-1, 0, "20261130T0900", id="no grace"),
        pytest.param(0, 0, "20261201T0900", id="in time"),
        pytest.param(DAY - 31, 30, "20261201T0900", id="late"),
    ],
)
def test_newest_due(seconds: int, grace: int, expected: str) -> None:
    slot = newest_due(cron("0 9 * * *"), epoch("2026-12-01T09:00") + seconds, "UTC", grace)
    assert slot is not None
    assert slot.id == expected


def test_newest_due_of_a_gap_is_its_last_slot() -> None:
    slot = newest_due(cron("0,30 2 * * *"), epoch("2026-03-08T07:00"), "America/New_York")
    assert slot is not None
    assert slot.id == "20260308T0230"


def test_the_schedules_own_zone_wins() -> None:
    slot = next_slot(cron("30 9 * * *", "Asia/Tokyo"), epoch("2026-12-01T00:00"), "America/New_York")
    assert told([slot] if slot else []) == ["20261201T0930 @ 2026-12-01T00:30"]


def test_a_fixed_offset_is_a_zone() -> None:
    slot = next_slot(cron("0 9 * * *"), epoch("2026-12-01T00:00"), timezone(timedelta(hours=5, minutes=45)))
    assert told([slot] if slot else []) == ["20261201T0900 @ 2026-12-01T03:15"]


def test_names_of_slots() -> None:
    slot = slot_named(cron("0 9 * * *"), "20261201T0930", "Asia/Tokyo")
    assert slot.time.isoformat() == "2026-12-01T09:30:00"
    assert slot.id == slot_id(slot.wall) == "20261201T0930"
    assert slot.instant == epoch("2026-12-01T00:30")
    assert slot_id(wall_of("19691231T2359")) == "19691231T2359"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "20261201",
        "20261201T093",
        "20261201t0930",
        "20261301T0930",
        "20261201T2430",
        "20261201T0960",
        "2026120１T0930",
    ],
)
def test_names_that_are_none(text: str) -> None:
    with pytest.raises(ValueError):
        wall_of(text)


def matches(rule: Rule, day: date) -> bool:
    """Whether a rule matches a date, said as its documentation says it."""
    last = (day + timedelta(days=1)).day == 1
    by_day = day.day in rule.days or (last and LAST_DAY in rule.days)
    by_weekday = day.isoweekday() % 7 in rule.weekdays
    return day.month in rule.months and (by_day or by_weekday if rule.either else by_day and by_weekday)


def walked(schedule: Schedule, start: int, end: int, zone: str) -> list[Slot]:
    """The slots of a window, found by looking at the clock in every minute."""
    info = ZoneInfo(zone)
    top = -(10**12)
    found = []
    for instant in range(start - 3 * DAY, end, 60):
        shown = datetime.fromtimestamp(instant, info).replace(tzinfo=UTC)
        reading = int(shown.timestamp()) // 60
        for wall in range(max(top + 1, reading - 2000), reading + 1):
            time = datetime.fromtimestamp(wall * 60, UTC)
            if instant >= start and any(
                time.minute in rule.minutes and time.hour in rule.hours and matches(rule, time.date())
                for rule in schedule.rules
            ):
                found.append(Slot(wall, instant))
        top = max(top, reading)
    return found


WINDOWS = [
    pytest.param("America/New_York", "2026-03-07T00:00", id="New York, spring"),
    pytest.param("America/New_York", "2026-10-31T00:00", id="New York, autumn"),
    pytest.param("Australia/Lord_Howe", "2026-04-03T00:00", id="Lord Howe, autumn"),
    pytest.param("Antarctica/Troll", "2026-10-24T00:00", id="Troll, autumn"),
    pytest.param("Pacific/Apia", "2011-12-29T00:00", id="Apia, a day left out"),
    pytest.param("Africa/Casablanca", "2026-03-20T00:00", id="Casablanca"),
    pytest.param("America/Santiago", "2026-04-04T00:00", id="Santiago, autumn at midnight"),
    pytest.param("Asia/Pyongyang", "2018-05-04T00:00", id="Pyongyang, half an hour for good"),
]


@pytest.mark.parametrize(("zone", "start"), WINDOWS)
def test_equal_to_a_walk_through_every_minute(zone: str, start: str) -> None:
    begin = epoch(start)
    end = begin + 3 * DAY
    random = Random(start)
    for _ in range(3):
        schedule = random_schedule(random)
        dense = Schedule((*schedule.rules, Rule((7, 37), tuple(range(24)))))
        assert slots_between(dense, begin, end, zone) == walked(dense, begin, end, zone)


ZONES = st.sampled_from(
    [
        "UTC",
        "America/New_York",
        "Europe/London",
        "Australia/Lord_Howe",
        "Pacific/Apia",
        "Africa/Casablanca",
        "Asia/Gaza",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(epoch("1995-01-01"), epoch("2045-01-01")), ZONES)
def test_all_ways_agree(seed: int, now: int, zone: str) -> None:
    schedule = random_schedule(Random(seed))
    ahead = list(islice(next_slots(schedule, now, zone), 30))
    back = list(islice(previous_slots(schedule, now + 1, zone), 30))
    assert [slot.wall for slot in ahead] == sorted({slot.wall for slot in ahead})
    assert [slot.instant for slot in ahead] == sorted(slot.instant for slot in ahead)
    assert all(slot.instant > now for slot in ahead)
    assert all(slot.instant <= now for slot in back)
    every = back[::-1] + ahead
    between = slots_between(schedule, every[0].instant, every[-1].instant + 1, zone)
    assert [slot for slot in between if every[0] <= slot <= every[-1]] == every
    assert newest_due(schedule, now, zone, 0) == back[0]
    assert all(is_slot(schedule, slot.wall) for slot in every)
