from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.runtime.detect.reset import FAR, FIVE_HOURS, believable, find_reset
from jobs.runtime.detect.zones import instant, offset_of
from tests.runtime.quota_cases import at

TOKYO, WARSAW, YORK = "Asia/Tokyo", "Europe/Warsaw", "America/New_York"
UNKNOWN = None

# id, text, wall time of the message, zone of the machine, five-hour window, expected wall time (in its zone) or None
TIMES = [
    (
        "zone named, any machine",
        "resets 8pm (Asia/Tokyo)",
        "2026-12-01 00:43",
        "UTC",
        False,
        ("2026-12-01 20:00", TOKYO),
    ),
    ("after midnight", "resets 1:30am", "2026-12-01 20:58", TOKYO, True, ("2026-12-02 01:30", TOKYO)),
    ("three hours and a half", "resets 2:30am", "2026-12-01 23:00", TOKYO, True, ("2026-12-02 02:30", TOKYO)),
    ("just passed, five-hour", "resets 10am", "2026-12-01 10:03", TOKYO, True, ("2026-12-01 10:00", TOKYO)),
    ("just passed, weekly", "resets 10am", "2026-12-01 10:03", TOKYO, False, ("2026-12-01 10:00", TOKYO)),
    ("weekly in 22 hours", "resets 8:22am", "2026-12-01 10:22", TOKYO, False, ("2026-12-02 08:22", TOKYO)),
    ("five-hour, long passed", "resets 2am", "2026-12-01 10:00", TOKYO, True, UNKNOWN),
    ("noon", "resets 12pm", "2026-12-01 10:00", TOKYO, True, ("2026-12-01 12:00", TOKYO)),
    ("midnight", "resets 12am", "2026-12-01 22:00", TOKYO, True, ("2026-12-02 00:00", TOKYO)),
    ("half past noon", "resets 12:30pm", "2026-12-01 10:00", TOKYO, True, ("2026-12-01 12:30", TOKYO)),
    ("no am or pm", "resets 12:30", "2026-12-01 10:00", TOKYO, False, UNKNOWN),
    ("hour 13", "resets 13pm", "2026-12-01 10:00", TOKYO, False, UNKNOWN),
    ("hour 0", "resets 0am", "2026-12-01 10:00", TOKYO, False, UNKNOWN),
    ("45:99", "resets 45:99", "2026-12-01 10:00", TOKYO, False, UNKNOWN),
    ("9:75pm", "resets 9:75pm", "2026-12-01 10:00", TOKYO, False, UNKNOWN),
    ("soon", "resets soon", "2026-12-01 10:00", TOKYO, False, UNKNOWN),
    ("tomorrow alone", "resets tomorrow", "2026-12-01 10:00", TOKYO, False, UNKNOWN),
    ("tomorrow at", "resets tomorrow at 9am", "2026-12-01 10:00", TOKYO, False, ("2026-12-02 09:00", TOKYO)),
    ("today at", "resets today at 3pm", "2026-12-01 10:00", TOKYO, False, ("2026-12-01 15:00", TOKYO)),
    ("weekday", "resets Monday 9am", "2026-12-01 10:00", TOKYO, False, ("2026-12-07 09:00", TOKYO)),
    (
        "weekday, short, at",
        "resets Thu at 9:30am (UTC)",
        "2026-12-01 10:00",
        TOKYO,
        False,
        ("2026-12-03 09:30", "UTC"),
    ),
    ("weekday is today", "resets Tue 3pm", "2026-12-01 10:00", TOKYO, False, ("2026-12-01 15:00", TOKYO)),
    (
        "weekday was this morning",
        "resets Tue 7am",
        "2026-12-01 10:00",
        TOKYO,
        False,
        ("2026-12-08 07:00", TOKYO),
    ),
    ("weekday alone", "resets Monday", "2026-12-01 10:00", TOKYO, False, UNKNOWN),
    (
        "date",
        "resets Dec 4, 10am (Asia/Tokyo)",
        "2026-12-01 10:00",
        "UTC",
        False,
        ("2026-12-04 10:00", TOKYO),
    ),
    (
        "date at",
        "resets Apr 23 at 4pm (America/Recife)",
        "2026-04-22 13:39",
        "UTC",
        False,
        ("2026-04-23 16:00", "America/Recife"),
    ),
    (
        "date, year",
        "resets Jan 5, 2027, 3:28am (Asia/Tokyo)",
        "2026-12-01 10:08",
        TOKYO,
        False,
        ("2027-01-05 03:28", TOKYO),
    ),
    (
        "ordinal",
        "try again at Dec 4th, 2026 10:05 AM.",
        "2026-12-01 10:05",
        TOKYO,
        False,
        ("2026-12-04 10:05", TOKYO),
    ),
    ("ordinal, past", "try again at Sep 18th, 2026 12:04 AM.", "2026-12-01 10:05", TOKYO, False, UNKNOWN),
    (
        "month in full",
        "reset on December 4, 2026 at 2:00 AM or switch",
        "2026-12-01 10:00",
        TOKYO,
        False,
        ("2026-12-04 02:00", TOKYO),
    ),
    ("date alone", "resets Dec 4", "2026-12-01 10:00", TOKYO, False, ("2026-12-04 00:00", TOKYO)),
    (
        "month/day/year",
        "monthly cycle ends on 12/17/2026.",
        "2026-12-01 10:00",
        TOKYO,
        False,
        ("2026-12-17 00:00", TOKYO),
    ),
    (
        "month/day",
        "The limits reset on 12/05.",
        "2026-12-01 10:00",
        TOKYO,
        False,
        ("2026-12-05 00:00", TOKYO),
    ),
    ("new year", "resets Jan 2, 10am", "2026-12-31 10:00", TOKYO, False, ("2027-01-02 10:00", TOKYO)),
    ("too far for a date without year", "resets Dec 20, 10am", "2026-12-01 10:00", TOKYO, False, UNKNOWN),
    ("yesterday's date", "resets Nov 30, 11am", "2026-12-01 10:00", TOKYO, False, UNKNOWN),
    (
        "date just passed",
        "resets Dec 1, 9:30am",
        "2026-12-01 10:00",
        TOKYO,
        False,
        ("2026-12-01 09:30", TOKYO),
    ),
    ("no such day", "resets Feb 30, 9:30am", "2026-02-27 10:00", TOKYO, False, UNKNOWN),
    ("leap day", "resets Feb 29, 9:30am", "2028-02-27 10:00", TOKYO, False, ("2028-02-29 09:30", TOKYO)),
    (
        "Etc/GMT-9",
        "resets Dec 3, 5:42pm (Etc/GMT-9). Switch",
        "2026-12-01 10:00",
        "UTC",
        False,
        ("2026-12-03 17:42", TOKYO),
    ),
    ("Etc/GMT+5", "reset at 1pm (Etc/GMT+5).", "2025-06-14 17:56", "UTC", False, ("2025-06-14 18:00", "UTC")),
    (
        "GMT+9",
        "Access resets at 3:04 PM GMT+9.",
        "2026-12-01 10:00",
        TOKYO,
        False,
        ("2026-12-01 15:04", TOKYO),
    ),
    ("GMT-3", "resets at 3:04 PM GMT-3", "2026-12-01 10:00", TOKYO, False, ("2026-12-01 18:04", "UTC")),
    (
        "GMT+5:30",
        "resets at 3:04 PM GMT+5:30",
        "2026-12-01 10:00",
        TOKYO,
        False,
        ("2026-12-01 15:04", "Asia/Kolkata"),
    ),
    ("UTC", "resets 4:55am (UTC)", "2026-12-01 10:00", TOKYO, True, ("2026-12-01 04:55", "UTC")),
    ("bare IANA zone", "resets 1pm Asia/Tokyo", "2026-12-01 01:00", "UTC", True, ("2026-12-01 13:00", TOKYO)),
    ("ISO", "resets at 2026-12-02T10:00:00Z", "2026-12-01 10:00", TOKYO, False, ("2026-12-02 10:00", "UTC")),
    (
        "ISO, shifted",
        "resets at 2026-12-02T10:00:00+09:00",
        "2026-12-01 10:00",
        "UTC",
        False,
        ("2026-12-02 10:00", TOKYO),
    ),
    ("ISO, bad hour", "resets at 2026-12-02T25:00:00Z", "2026-12-01 10:00", "UTC", False, UNKNOWN),
    (
        "gap in spring",
        "resets 2:30am (America/New_York)",
        "2026-03-08 00:10",
        YORK,
        True,
        ("2026-03-08 03:00", YORK),
    ),
    (
        "half-hour gap",
        "resets 2:15am (Australia/Lord_Howe)",
        "2026-10-04 00:10",
        "Australia/Lord_Howe",
        True,
        ("2026-10-04 02:30", "Australia/Lord_Howe"),
    ),
    (
        "spring in Warsaw",
        "resets 3am (Europe/Warsaw)",
        "2026-03-29 00:10",
        WARSAW,
        True,
        ("2026-03-29 03:00", WARSAW),
    ),
    (
        "other window",
        "monthly limit · ask · your 5-hour limit resets 1pm",
        "2026-12-01 10:00",
        TOKYO,
        False,
        UNKNOWN,
    ),
    (
        "two phrases, first that tells",
        "wait for your limit to reset on Dec 4, 2026 at 2:00 AM",
        "2026-12-01 10:00",
        TOKYO,
        False,
        ("2026-12-04 02:00", TOKYO),
    ),
    ("spelled a.m.", "resets 11:30 a.m.", "2026-12-01 10:00", TOKYO, False, ("2026-12-01 11:30", TOKYO)),
]


@pytest.mark.parametrize(
    ("text", "seen", "zone", "five_hour", "expected"),
    [row[1:] for row in TIMES],
    ids=[row[0] for row in TIMES],
)
def test_times(text: str, seen: str, zone: str, five_hour: bool, expected: tuple[str, str] | None) -> None:
    found = find_reset(text, at(seen, zone), zone, five_hour)
    assert found.epoch == (None if expected is None else at(*expected))
    assert found.warning == ""


def test_the_later_of_two_passes_in_autumn() -> None:
    seen = at("2026-11-01 00:10", YORK)
    first = at("2026-11-01 01:30", YORK)
    assert find_reset("resets 1:30am (America/New_York)", seen, "UTC", five_hour=True).epoch == first + 3600


def test_clock_in_37_020_seconds() -> None:
    seen = at("2026-12-01 09:43", TOKYO)
    assert find_reset("resets 8pm (Asia/Tokyo)", seen, YORK).epoch == seen + 37_020


DURATIONS = [
    ("2 days 17 hours 14 minutes", 234_840),
    ("5 days 22 hours 11 minutes", 511_860),
    ("51 hours", 183_600),
    ("58 hours.", 208_800),
    ("1 minute", 60),
    ("7.1s", 7),
    ("900ms", 1),
    ("20s", 20),
    ("1 hour and 5 minutes", 3900),
    ("2h 5m", 7500),
    ("3h20m10s", 12_010),
    ("1 week, 2 days", 777_600),
    ("45 min", 2700),
]


@pytest.mark.parametrize("lead", ["try again in", "Please retry in", "resets in", "Please wait"])
@pytest.mark.parametrize(("text", "seconds"), DURATIONS, ids=[text for text, _ in DURATIONS])
def test_durations(lead: str, text: str, seconds: int) -> None:
    assert find_reset(f"{lead} {text}", 1_000_000).epoch == 1_000_000 + seconds


@pytest.mark.parametrize(
    "text", ["try again in 5 metres", "try again in 400 days", "try again in a while", "in 5 days"]
)
def test_no_durations(text: str) -> None:
    assert find_reset(text, 1_000_000).epoch is None


NOW = 1796086800
EPOCHS = [
    ("ahead", NOW + 3600, False, NOW + 3600),
    ("just passed", NOW - 600, False, NOW - 600),
    ("long passed", NOW - 3601, False, None),
    ("zero", 0, False, None),
    ("a week", NOW + 7 * 86400, False, NOW + 7 * 86400),
    ("too far", NOW + FAR + 1, False, None),
    ("five hours", NOW + FIVE_HOURS, True, NOW + FIVE_HOURS),
    ("more than five hours", NOW + FIVE_HOURS + 1, True, None),
    ("milliseconds", (NOW + 60) * 1000, False, NOW + 60),
]


@pytest.mark.parametrize(
    ("epoch", "five_hour", "expected"), [row[1:] for row in EPOCHS], ids=[row[0] for row in EPOCHS]
)
def test_epochs(epoch: int, five_hour: bool, expected: int | None) -> None:
    assert believable(epoch, NOW, five_hour) == expected
    assert find_reset(f"Claude AI usage limit reached|{epoch}", NOW, None, five_hour).epoch == expected


@pytest.mark.parametrize("zone", ["JST", "PST", "EST", "Mars/Base", "Asia/Nowhere", "GMT+99", "ABC DEF"])
def test_a_zone_that_is_none_gives_local_time_and_a_warning(zone: str) -> None:
    found = find_reset(f"resets 1pm ({zone})", NOW, TOKYO)
    assert found.epoch == at("2026-12-01 13:00")
    assert zone in found.warning


ZONES = [
    TOKYO,
    WARSAW,
    YORK,
    "UTC",
    "America/Recife",
    "Australia/Lord_Howe",
    "Asia/Kolkata",
    "Africa/Casablanca",
    "Etc/GMT-9",
    "Pacific/Apia",
]
MOMENTS = st.integers(min_value=1_700_000_000, max_value=2_100_000_000)


def clock(moment: datetime) -> str:
    minutes = "" if moment.minute == 0 else f":{moment.minute:02d}"
    return f"{moment.hour % 12 or 12}{minutes}{'am' if moment.hour < 12 else 'pm'}"


def ordinal(day: int) -> str:
    return f"{day}{'th' if day in {11, 12, 13} else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


def forms(moment: datetime, zone: str) -> dict[str, str]:
    return {
        "clock": f"resets {clock(moment)} ({zone})",
        "date": f"resets {moment:%b} {moment.day}, {clock(moment)} ({zone})",
        "date at": f"resets {moment:%b} {moment.day} at {clock(moment)} ({zone})",
        "year": f"resets {moment:%b} {moment.day}, {moment.year}, {clock(moment)} ({zone})",
        "codex": f"or try again at {moment:%b} {ordinal(moment.day)}, {moment.year} {moment.hour % 12 or 12}:{moment:%M %p}.",
        "copilot": f"reset on {moment:%B} {moment.day}, {moment.year} at {moment.hour % 12 or 12}:{moment:%M %p} or",
        "weekday": f"resets {moment:%A} {clock(moment)} ({zone})",
        "iso": f"resets at {moment:%Y-%m-%dT%H:%M:%S%z}",
    }


@given(now=MOMENTS, ahead=st.integers(min_value=60, max_value=7 * 86400 - 7200), zone=st.sampled_from(ZONES))
def test_what_a_tool_prints_is_read_back(now: int, ahead: int, zone: str) -> None:
    reset = (now + ahead) // 60 * 60
    moment = datetime.fromtimestamp(reset, ZoneInfo(zone))
    twice = datetime.fromtimestamp(reset + 3600, ZoneInfo(zone)).hour == moment.hour
    for form, text in forms(moment, zone).items():
        if form == "clock" and not now < reset < now + 22 * 3600:
            continue
        if form != "iso" and (twice or moment.replace(fold=1).timestamp() != reset):
            continue  # the later pass of an hour that comes twice is taken: tested above
        assert find_reset(text, now, zone).epoch == reset, (form, text)


@given(now=MOMENTS, ahead=st.integers(min_value=60, max_value=18_000), zone=st.sampled_from(ZONES))
def test_a_five_hour_window_is_read_back(now: int, ahead: int, zone: str) -> None:
    reset = (now + ahead) // 60 * 60
    moment = datetime.fromtimestamp(reset, ZoneInfo(zone))
    if reset > now and moment.replace(fold=1).timestamp() == reset:
        assert find_reset(f"resets {clock(moment)} ({zone})", now, "UTC", five_hour=True).epoch == reset


@given(text=st.text(alphabet="resets tryagin()0123456789:/apmDecJanMon,.|-Z", max_size=60), now=MOMENTS)
def test_any_text_gives_a_credible_time_or_none(text: str, now: int) -> None:
    found = find_reset("resets " + text, now, "UTC").epoch
    assert found is None or now - 3600 <= found <= now + FAR


@given(epoch=MOMENTS, zone=st.sampled_from(ZONES))
def test_wall_time_of_an_instant_leads_back_to_it(epoch: int, zone: str) -> None:
    offset = offset_of(zone)
    assert offset is not None
    moment = datetime.fromtimestamp(epoch, ZoneInfo(zone))
    again = instant(moment.replace(tzinfo=None, fold=0), offset)
    assert again in {epoch, epoch + 3600, epoch + 1800}
    assert datetime.fromtimestamp(again, ZoneInfo(zone)).replace(tzinfo=None) == moment.replace(tzinfo=None)


def test_a_gap_ends_where_the_clocks_have_changed() -> None:
    offset = offset_of(YORK)
    assert offset is not None
    before = instant(datetime.fromisoformat("2026-03-08 01:59"), offset)
    assert (
        instant(datetime.fromisoformat("2026-03-08 02:00"), offset)
        == instant(datetime.fromisoformat("2026-03-08 02:59"), offset)
        == before + 60
    )
    assert timedelta(seconds=offset(before + 60) - offset(before)) == timedelta(hours=1)
