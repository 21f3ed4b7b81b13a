"""`jobs next`."""

from __future__ import annotations

import json

import pytest

from jobs.errors import UsageError
from tests.week.conftest import NOON, Call


def test_the_soonest_comes_first(call: Call) -> None:
    status, out, _ = call("next")
    lines = out.splitlines()
    assert status == 0
    assert lines[:4] == [
        "sales      Tue 2026-12-01 12:00             now  Monday to Friday, every 15 minutes from 09:00 to 17:45",
        "site       Tue 2026-12-01 18:30   in 6 h 30 min  every day at 06:30 and 18:30",
        "prices     Tue 2026-12-01 16:10  in 18 h 10 min  Monday to Friday at 16:10 (America/New_York)  (06:10 here)",
        "note       Wed 2026-12-02 09:30  in 21 h 30 min  every day at 09:30",
    ]
    assert "off        Wed 2026-12-02 10:00         in 22 h  every day at 10:00, switched off" in lines
    assert lines[-5].startswith("By interval, counted from when the job is loaded")
    assert lines[-4:] == [
        "  inbox      every 30 min",
        "",
        "By events:",
        "  sync       when /Users/kim/in changes, when it is loaded",
    ]


def test_one_job_has_five(call: Call) -> None:
    status, out, _ = call("next", "month-end")
    assert status == 0
    assert out == (
        "month-end  the last day of the month at 20:00\n"
        "  Thu 2026-12-31 20:00     in 30 d 8 h\n"
        "  Sun 2027-01-31 20:00     in 61 d 8 h\n"
        "  Sun 2027-02-28 20:00     in 89 d 8 h\n"
        "  Wed 2027-03-31 20:00    in 120 d 8 h\n"
        "  Fri 2027-04-30 20:00    in 150 d 8 h\n"
    )


def test_a_time_that_the_clock_skips_is_told(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    _, out, _ = call("next", "night", "--from", "2027-03-14T01:00", "--count", "2")
    assert (
        out.splitlines()[1] == "  Sun 2027-03-14 02:30          in 1 h  (the clock skips 02:30: due at 03:00)"
    )


def test_rules_in_tz_are_a_zone_too(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "JST-9")
    assert "20261202T0930" in call("next", "note", "--json")[1]
    assert call("week", "--html", "-")[0] == 0


def test_json(call: Call) -> None:
    status, out, _ = call("next", "note", "inbox", "sync", "--json", "--count", "1")
    assert status == 0
    assert json.loads(out) == {
        "from": NOON,
        "zone": "Asia/Tokyo",
        "jobs": [
            {
                "job": "note",
                "enabled": True,
                "schedule": "every day at 09:30",
                "zone": "Asia/Tokyo",
                "slots": [{"slot": "20261202T0930", "epoch": 1796171400, "in": 77400}],
            },
            {"job": "inbox", "enabled": True, "every": 1800, "interval": "every 30 min"},
            {"job": "sync", "enabled": True, "events": ["when /Users/kim/in changes", "when it is loaded"]},
        ],
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param(("next", "nots"), "nots", id="unknown job"),
        pytest.param(("next", "--from", "tomorrow"), "'tomorrow' is no time", id="no time"),
        pytest.param(("next", "--from", "2027-02-30"), "'2027-02-30' is no time", id="no such day"),
        pytest.param(("next", "ntoe"), "did you mean 'note'?", id="nearly a job"),
        pytest.param(("next", "--from", ""), "'' is no time", id="empty"),
        pytest.param(("next", "--from", "0001-01-01"), "too far away", id="the beginning of time"),
        pytest.param(("next", "--from", "9999-12-31"), "too far away", id="the end of time"),
        pytest.param(("next", "--count", "-1"), "--count", id="fewer slots than none"),
        pytest.param(("next", "--count", "0"), "--count", id="no slots"),
    ],
)
def test_refused(call: Call, words: tuple[str, ...], message: str) -> None:
    status, out, err = call(*words)
    assert status == UsageError.status
    assert out == ""
    assert message in err
