"""The machine's clock and zone."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

import pytest

from jobs.system import clock

JULY, DECEMBER = 1782907200, 1796085002


def offsets() -> tuple[float, float]:
    """The hours east of UTC in July and in December 2026, in the zone found."""
    zone = clock.local_zone()
    hours = []
    for instant in (JULY, DECEMBER):
        offset = datetime.fromtimestamp(instant, zone).utcoffset()
        assert offset is not None
        hours.append(offset.total_seconds() / 3600)
    return hours[0], hours[1]


@pytest.mark.parametrize(
    ("value", "expected", "name"),
    [
        pytest.param("America/New_York", (-4, -5), "America/New_York", id="a name"),
        pytest.param(":Europe/Berlin", (2, 1), "Europe/Berlin", id="a name with a colon"),
        pytest.param("", (0, 0), "UTC", id="empty"),
        pytest.param("UTC", (0, 0), "UTC", id="UTC"),
        pytest.param("JST-9", (9, 9), "JST-9", id="rules without summer time"),
        pytest.param("EST5EDT,M3.2.0,M11.1.0", (-4, -5), "EST5EDT,M3.2.0,M11.1.0", id="rules"),
        pytest.param("XST5XDT", (-4, -5), "XST5XDT,M3.2.0,M11.1.0", id="rules that leave the dates out"),
        pytest.param("<+0545>-5:45", (5.75, 5.75), "<+0545>-5:45", id="a quoted name"),
    ],
)
def test_tz(monkeypatch: pytest.MonkeyPatch, value: str, expected: tuple[float, float], name: str) -> None:
    monkeypatch.setenv("TZ", value)
    assert offsets() == expected
    assert str(clock.local_zone()) == name


@pytest.mark.parametrize("value", ["Nowhere/Atall", "/no/such/file", "§5"])
def test_tz_that_is_none_falls_back_to_the_offset_of_now(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("TZ", value)
    zone = clock.local_zone()
    assert datetime.now(zone).utcoffset() == datetime.now().astimezone().utcoffset()


def test_localtime_is_a_link(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "zoneinfo" / "Asia"
    folder.mkdir(parents=True)
    (folder / "Tokyo").write_bytes(b"")
    link = tmp_path / "localtime"
    link.symlink_to(folder / "Tokyo")
    monkeypatch.delenv("TZ", raising=False)
    monkeypatch.setattr(clock, "LOCALTIME", link)
    assert str(clock.local_zone()) == "Asia/Tokyo"


def test_localtime_is_a_copy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    copy = tmp_path / "localtime"
    copy.write_bytes(resources.files("tzdata").joinpath("zoneinfo", "Asia", "Tokyo").read_bytes())
    monkeypatch.delenv("TZ", raising=False)
    monkeypatch.setattr(clock, "LOCALTIME", copy)
    assert offsets() == (9, 9)


def test_localtime_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TZ", raising=False)
    monkeypatch.setattr(clock, "LOCALTIME", tmp_path / "none")
    assert datetime.now(clock.local_zone()).utcoffset() == datetime.now().astimezone().utcoffset()


def test_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JOBS_NOW", raising=False)
    assert abs(clock.now() - time.time()) < 60
    monkeypatch.setenv("JOBS_NOW", "1796085002")
    assert clock.now() == DECEMBER
    assert datetime.fromtimestamp(clock.now(), UTC).year == 2026
    monkeypatch.setenv("JOBS_NOW", "soon")
    assert abs(clock.now() - time.time()) < 60
