"""The table of a zone's wall clock."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from jobs.schedule.wall import Change, WallClock, wall_clock

YEAR = 366 * 86400


def epoch(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def test_changes() -> None:
    clock = wall_clock("America/New_York")
    assert clock.changes(epoch("2026-01-01"), epoch("2027-01-01")) == (
        Change(epoch("2026-03-08T07:00"), -18000, -14400),
        Change(epoch("2026-11-01T06:00"), -14400, -18000),
    )
    spring = epoch("2026-03-08T07:00")
    assert clock.changes(spring, spring + 1) == (Change(spring, -18000, -14400),)
    assert clock.changes(spring - 1, spring) == ()
    assert wall_clock("UTC").changes(0, YEAR) == ()


def test_reached_and_instant_are_inverse() -> None:
    clock = wall_clock("America/New_York")
    for at in range(epoch("2026-10-30"), epoch("2026-11-03"), 600):
        reading = clock.reached(at)
        assert clock.instant(reading) >= at
        assert clock.instant(reading - 1) < at


def test_the_table_grows_both_ways_without_seams() -> None:
    grown = WallClock(ZoneInfo("Europe/Berlin"))
    for at in (
        epoch("2026-06-01"),
        epoch("2030-01-01"),
        epoch("1975-01-01"),
        epoch("2060-01-01"),
        epoch("1940-01-01"),
    ):
        grown.offset(at)
    fresh = WallClock(ZoneInfo("Europe/Berlin"))
    fresh.offset(epoch("1939-01-01"))
    span = epoch("1939-06-01"), epoch("2061-01-01")
    assert grown.changes(*span) == fresh.changes(*span)


def test_the_ends_of_time() -> None:
    for at in (-62135510400, 253402214400):
        clock = WallClock(ZoneInfo("America/New_York"))
        assert -86400 < clock.offset(at) < 86400


def test_a_stretch_is_what_one_offset_reaches() -> None:
    clock = wall_clock("America/New_York")
    wall = epoch("2026-07-01T00:00")
    stretch = clock.stretch(wall)
    assert (stretch.start, stretch.end) == (epoch("2026-03-08T03:00"), epoch("2026-11-01T02:00"))
    gap = epoch("2026-03-08T02:30")
    assert clock.stretch(gap).start == clock.stretch(gap).end
    twice = epoch("2026-11-01T01:30")
    assert clock.stretch(twice).offset == -14400


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "last"),
    [
        pytest.param("1938-01-01", "1948-01-01", id="war years"),
        pytest.param("1970-01-01", "2040-01-01", id="since 1970"),
    ],
)
def test_no_change_of_any_zone_is_overlooked(first: str, last: str) -> None:
    """Looking every three days finds what looking every day finds."""
    step = 86400
    start, end = epoch(first), epoch(last)
    for name in sorted(zoneinfo.available_timezones()):
        zone = ZoneInfo(name)
        offsets = [datetime.fromtimestamp(at, zone).utcoffset() for at in range(start, end, step)]
        seen = sum(a != b for a, b in pairwise(offsets))
        assert len(WallClock(zone).changes(start + 1, end - step + 1)) == seen, name
