"""The model of launchd-842 against worked examples of its source, row by row."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from jobs.schedule.firing import Reading, fires
from jobs.schedule.launchd842 import next_alarm, searches
from jobs.schedule.mktime import LocalTime

YEAR = 366 * 86400
NEW_YORK = "America/New_York"


def epoch(text: str, zone: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp())


def local(instant: int, zone: str) -> str:
    return datetime.fromtimestamp(instant, ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M %Z")


ROWS = [
    pytest.param(
        NEW_YORK, "2026-03-06 09:00", {"Hour": 9, "Minute": 0}, ["2026-03-07 09:00 EST"], id="1 plain day"
    ),
    pytest.param(
        NEW_YORK,
        "2026-03-07 09:00",
        {"Hour": 9, "Minute": 0},
        ["2026-03-08 10:00 EDT", "2026-03-09 09:00 EDT"],
        id="2 spring: an hour late",
    ),
    pytest.param(
        NEW_YORK,
        "2026-10-31 09:00",
        {"Hour": 9, "Minute": 0},
        ["2026-11-01 08:00 EST", "2026-11-01 09:00 EST", "2026-11-02 09:00 EST"],
        id="3 autumn: early, then again",
    ),
    pytest.param(
        NEW_YORK, "2026-03-07 09:00", {"Hour": 2, "Minute": 30}, ["2026-03-08 03:30 EDT"], id="4 in the gap"
    ),
    pytest.param(
        "UTC",
        "2026-05-01 10:58",
        {"Hour": 10},
        ["2026-05-01 10:59 UTC", "2026-05-01 11:00 UTC", "2026-05-02 10:00 UTC"],
        id="6 the 61st minute",
    ),
    pytest.param(
        "UTC",
        "2026-01-30 00:00",
        {"Day": 31, "Hour": 12, "Minute": 0},
        [f"2026-{day} 12:00 UTC" for day in ("01-31", "03-03", "03-31", "05-01", "05-31")],
        id="7 day 31 rolls",
    ),
    pytest.param(
        "UTC",
        "2026-01-30 00:00",
        {"Month": 2, "Day": 29, "Hour": 12, "Minute": 0},
        ["2026-03-01 12:00 UTC", "2027-03-01 12:00 UTC", "2028-02-29 12:00 UTC"],
        id="8 leap day rolls",
    ),
    pytest.param(
        "UTC",
        "2026-01-30 00:00",
        {"Day": 13, "Weekday": 5, "Hour": 12, "Minute": 0},
        [f"2026-{day} 12:00 UTC" for day in ("01-30", "02-06", "02-13", "02-20")],
        id="9 day or weekday",
    ),
    pytest.param(
        NEW_YORK,
        "2026-01-15 09:00",
        {"Month": 6, "Weekday": 1, "Hour": 9, "Minute": 0},
        ["2026-01-19 09:00 EST"],
        id="10 month ignored beside weekday",
    ),
    pytest.param("UTC", "2026-01-30 00:00", {"Hour": 24}, [], id="11 hour 24 is dropped"),
    pytest.param(
        "UTC",
        "2026-01-30 00:00",
        {"Hour": -5, "Minute": 0},
        ["2026-01-30 01:00 UTC", "2026-01-30 02:00 UTC"],
        id="12 negative is a wildcard",
    ),
    pytest.param("UTC", "2026-01-30 00:00", {}, ["2026-01-30 00:01 UTC"], id="13 empty: every minute"),
    pytest.param(
        NEW_YORK,
        "2026-08-01 09:00",
        {"Month": 7, "Day": 4, "Hour": 9, "Minute": 0},
        ["2027-07-04 10:00 EDT"],
        id="14 yearly in summer: an hour late",
    ),
    pytest.param(
        "UTC",
        "2026-06-14 23:57",
        {"Day": 15},
        ["2026-06-15 00:00 UTC", "2026-06-15 00:01 UTC"],
        id="day alone: every minute of it",
    ),
    pytest.param(
        "UTC",
        "2026-06-15 23:58",
        {"Day": 15},
        ["2026-06-15 23:59 UTC", "2026-06-16 00:00 UTC", "2026-07-15 00:00 UTC"],
        id="day alone: one minute of the next day",
    ),
    pytest.param(
        "UTC",
        "2026-06-14 23:58",  # a Sunday
        {"Weekday": 7},
        ["2026-06-14 23:59 UTC", "2026-06-15 00:00 UTC", "2026-06-21 00:00 UTC"],
        id="weekday alone: one minute of Monday; 7 is Sunday",
    ),
    pytest.param(
        "UTC",
        "2026-01-30 00:00",
        {"Month": 0, "Day": 1, "Hour": 0, "Minute": 0},
        ["2026-02-01 00:00 UTC", "2026-03-01 00:00 UTC"],
        id="month 0 is a wildcard",
    ),
    pytest.param("UTC", "2026-01-30 00:00", {"Day": 0, "Hour": 1}, [], id="day 0 is dropped"),
    pytest.param(
        NEW_YORK,
        "2026-10-31 20:00",
        {"Hour": 1, "Minute": 30},
        ["2026-11-01 01:30 EDT", "2026-11-02 01:30 EST"],
        id="autumn: a time that comes twice fires at the first pass",
    ),
    pytest.param(
        NEW_YORK,
        "2026-11-01 00:30",
        {"Minute": 30},
        ["2026-11-01 01:30 EDT", "2026-11-01 02:30 EST"],
        id="autumn: hourly leaves the second pass out",
    ),
    pytest.param(
        NEW_YORK,
        "2026-02-15 09:00",
        {"Day": 15, "Hour": 9, "Minute": 0},
        ["2026-03-15 10:00 EDT", "2026-04-15 09:00 EDT"],
        id="monthly: an hour late in the month of the change",
    ),
    pytest.param(
        "Europe/London",
        "2027-03-22 01:00",
        {"Weekday": 1, "Hour": 0, "Minute": 36},
        ["2027-04-05 00:36 BST"],
        id="weekly in Monday's first hour: forgotten after the Sunday of the change",
    ),
    pytest.param(
        "America/Havana",
        "2026-03-07 09:00",
        {"Hour": 0, "Minute": 30},
        ["2026-03-07 09:01 CST", "2026-03-07 09:02 CST"],
        id="a change at midnight: no such time, so it fires at once until the clock is past it",
    ),
]


@pytest.mark.parametrize(("zone", "start", "dictionary", "expected"), ROWS)
def test_fires(zone: str, start: str, dictionary: dict[str, int], expected: list[str]) -> None:
    begin = epoch(start, zone)
    found = fires([dictionary], begin, begin + (3 * YEAR if dictionary else 600), zone, Reading.RELEASE_842)
    assert [local(instant, zone) for instant in found[: len(expected)]] == expected
    assert bool(found) == bool(expected)


def test_row_5_mktime_fails_on_the_day_itself() -> None:
    (search,) = searches({"Hour": 2, "Minute": 30})
    assert next_alarm(search, epoch("2026-03-08 00:30", NEW_YORK), LocalTime(NEW_YORK)) is None


def test_a_failed_alarm_fires_until_the_clock_is_past_it() -> None:
    begin = epoch("2026-03-08 00:30", NEW_YORK)
    found = fires([{"Hour": 2, "Minute": 30}], begin, begin + 2 * 86400, NEW_YORK, Reading.RELEASE_842)
    assert local(found[0], NEW_YORK) == "2026-03-08 00:31 EST"
    assert local(found[-2], NEW_YORK) == "2026-03-08 03:00 EDT"
    assert local(found[-1], NEW_YORK) == "2026-03-09 02:30 EDT"
    assert len(found) == 91


@pytest.mark.parametrize(
    "zone", ["UTC", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Tokyo", "America/Santiago"]
)
@pytest.mark.parametrize(
    "dictionary",
    [
        pytest.param({"Hour": 9, "Minute": 0}, id="daily"),
        pytest.param({"Minute": 17}, id="hourly"),
        pytest.param({"Day": 30, "Hour": 9, "Minute": 0}, id="monthly"),
        pytest.param({"Weekday": 0, "Hour": 2, "Minute": 30}, id="weekly"),
        pytest.param({"Month": 3, "Day": 31, "Hour": 2, "Minute": 30}, id="yearly"),
        pytest.param({"Month": 2, "Hour": 3}, id="minutes of an hour of a month"),
    ],
)
def test_the_short_cut_changes_nothing(zone: str, dictionary: dict[str, int]) -> None:
    """Between changes of the clock alarms are not searched one by one; searching them gives the same."""
    begin = epoch("2026-01-20 09:00", zone)
    end = begin + YEAR + YEAR // 4
    found = fires([dictionary], begin, end, zone, Reading.RELEASE_842)
    (search,) = searches(dictionary)
    clock = LocalTime(zone)
    for now, following in list(pairwise(found))[:: max(1, len(found) // 900)]:
        assert next_alarm(search, now, clock) in {following, None}
