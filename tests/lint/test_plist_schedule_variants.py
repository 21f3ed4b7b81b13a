"""Variants of the rules on times, intervals and their mixes in property lists."""

from __future__ import annotations

from typing import Any

import pytest
from tests.lint.plist_findings import codes, findings
from tests.lint.variants import Table, rows

from jobs.lint.sample import calendar, flag, job, key, number, times


def at(entry: Any) -> str:
    return calendar(*([entry] if isinstance(entry, str) else entry))


def field(element: Any) -> str:
    """A weekly job whose weekday is this element."""
    return job(
        trigger="<key>StartCalendarInterval</key><dict><key>Hour</key><integer>9</integer><key>Minute</key><integer>0</integer>"
        f"<key>Weekday</key>{element}</dict>"
    )


def raw(value: Any) -> str:
    return job(trigger=f"<key>StartCalendarInterval</key>{value}")


def trigger(text: Any) -> str:
    return job(trigger=str(text))


SCHEDULES = (
    Table(
        "S101",
        at,
        bad=["Hour=6", "Hour=10 Weekday=7", "Day=15", "Weekday=1", "Month=6", "Hour=0", "Hour=23 Day=1", ("Hour=8 Minute=0", "Hour=9")],
        good=["Hour=6 Minute=0", "Minute=0", "Minute=30", "Hour=6 Minute=0 Weekday=1", "Day=1 Hour=0 Minute=0", "Weekday=1 Minute=5", ("Hour=8 Minute=0", "Hour=9 Minute=0"), "Month=1 Day=1 Hour=0 Minute=0"],
    ),
    Table(
        "S102",
        at,
        bad=["Weekday=1 Minute=0", "Day=1 Minute=30", "Month=6 Minute=0", "Weekday=0 Minute=59", "Month=1 Day=1 Minute=0", "Weekday=7 Minute=15", "Day=28 Minute=0", ("Hour=8 Minute=0", "Weekday=1 Minute=0")],
        good=["Minute=0", "Hour=1 Minute=0", "Weekday=1 Hour=0 Minute=0", "Weekday=1", "Day=1 Hour=0 Minute=0", "Hour=6", "Month=1 Day=1 Hour=0 Minute=0", ("Minute=0", "Minute=30")],
    ),
    Table(
        "S103",
        field,
        bad=[
            "<string>6-7</string>", "<string>1</string>", "<string>Mon</string>", "<integer>8</integer>", "<integer>-1</integer>", "<real>1.0</real>",
            "<true/>", "<array><integer>1</integer></array>", "<string>*</string>", "<string></string>", "<string>1,3,5</string>",
        ],
        good=[f"<integer>{value}</integer>" for value in range(8)] + ["<integer> 1 </integer>", "<integer>01</integer>"],
    ),
    Table(
        "S103",
        at,
        bad=["Hour=24 Minute=0", "Hour=9 Minute=60", "Day=0 Hour=9 Minute=0", "Day=32 Hour=9 Minute=0", "Month=0 Day=1 Hour=9 Minute=0", "Month=13 Day=1 Hour=9 Minute=0", "Hour=-1 Minute=0", "Hour=9 Minute=-5"],
        good=["Hour=23 Minute=59", "Hour=0 Minute=0", "Day=1 Hour=9 Minute=0", "Day=31 Hour=9 Minute=0", "Month=12 Day=1 Hour=9 Minute=0", "Minute=0", "Hour=6", "Weekday=7 Hour=0 Minute=0"],
    ),
    Table(
        "S104",
        at,
        bad=["Hour=9 Minute=0 Second=5", "Hour=9 Minute=0 Year=2026", "hour=9 Minute=0", "Hour=9 minute=0", "Hour=9 Minute=0 WeekDay=1", "Hour=9 Minute=0 DayOfWeek=1", "Hours=9 Minute=0", "Hour=9 Minutes=0", "Hour=9 Minute=0 Timezone=1"],
        good=["Hour=9 Minute=0", "Minute=0", "Weekday=1 Hour=9 Minute=0", "Month=1 Day=1 Hour=9 Minute=0", "Day=2 Hour=9 Minute=0", "Hour=9", ("Hour=9 Minute=0", "Hour=10 Minute=0"), "Minute=1"],
    ),
    Table(
        "S105",
        raw,
        bad=[
            "<dict/>", "<dict></dict>", "<array/>", "<array><dict/></array>", "<array><string>09:30</string></array>", "<string>daily</string>",
            "<integer>3600</integer>", "<array><dict><key>Minute</key><integer>0</integer></dict><integer>5</integer></array>", "<true/>",
        ],
        good=[
            "<dict><key>Minute</key><integer>0</integer></dict>", "<array><dict><key>Minute</key><integer>0</integer></dict></array>",
            *[f"<dict><key>Hour</key><integer>{hour}</integer><key>Minute</key><integer>0</integer></dict>" for hour in range(6)],
        ],
    ),
    Table(
        "S106",
        at,
        bad=[f"Month={month} Weekday={day} Hour=9 Minute=0" for month, day in ((1, 1), (6, 1), (12, 0), (2, 7), (3, 5), (4, 4), (7, 2), (9, 6))],
        good=["Month=6 Day=1 Hour=9 Minute=0", "Weekday=1 Hour=9 Minute=0", "Hour=9 Minute=0", "Month=6 Hour=9 Minute=0", ("Month=6 Day=1 Hour=9 Minute=0", "Weekday=1 Hour=9 Minute=0"), "Minute=0", "Day=1 Hour=9 Minute=0", "Day=1 Weekday=1 Hour=9 Minute=0"],
    ),
    Table(
        "S107",
        at,
        bad=[f"Day={day} Weekday={weekday} Hour=9 Minute=0" for day, weekday in ((13, 5), (1, 1), (15, 0), (28, 7), (2, 2), (31, 3), (7, 4), (10, 6))],
        good=["Day=13 Hour=9 Minute=0", "Weekday=5 Hour=9 Minute=0", ("Day=13 Hour=9 Minute=0", "Weekday=5 Hour=9 Minute=0"), "Hour=9 Minute=0", "Month=1 Day=1 Hour=9 Minute=0", "Minute=0", "Month=6 Weekday=1 Hour=9 Minute=0", "Hour=9"],
    ),
    Table(
        "S108",
        at,
        bad=[f"Month={month} Day={day} Hour=9 Minute=0" for month, day in ((2, 30), (2, 31), (4, 31), (6, 31), (9, 31), (11, 31))] + [("Hour=9 Minute=0", "Month=2 Day=30 Hour=9 Minute=0"), "Month=2 Day=30"],
        good=[f"Month={month} Day={day} Hour=9 Minute=0" for month, day in ((2, 28), (2, 29), (4, 30), (1, 31), (12, 31), (6, 30))] + ["Day=31 Hour=9 Minute=0", "Month=2 Hour=9 Minute=0"],
    ),
    Table(
        "S109",
        at,
        bad=[f"Day={day} Hour=9 Minute=0" for day in (29, 30, 31)] + ["Month=2 Day=29 Hour=9 Minute=0", ("Hour=9 Minute=0", "Day=31 Hour=9 Minute=0"), "Day=30 Weekday=1 Hour=9 Minute=0", "Day=31", "Day=29 Minute=0"],
        good=[f"Day={day} Hour=9 Minute=0" for day in (1, 15, 28)] + ["Month=1 Day=31 Hour=9 Minute=0", "Month=4 Day=30 Hour=9 Minute=0", "Month=2 Day=28 Hour=9 Minute=0", "Month=2 Day=30 Hour=9 Minute=0", "Hour=9 Minute=0"],
    ),
    Table(
        "S110",
        at,
        bad=["Hour=1 Minute=0", "Hour=1 Minute=30", "Hour=2 Minute=0", "Hour=2 Minute=59", "Weekday=0 Hour=2 Minute=30", ("Hour=9 Minute=0", "Hour=2 Minute=30"), "Day=1 Hour=1 Minute=59", "Month=1 Day=1 Hour=2 Minute=0"],
        good=["Hour=0 Minute=59", "Hour=3 Minute=0", "Minute=30", "Hour=9 Minute=0", "Hour=12 Minute=0", "Hour=23 Minute=59", ("Hour=3 Minute=0", "Hour=0 Minute=0"), "Hour=4 Minute=30"],
    ),
    Table(
        "S111",
        at,
        bad=["Hour=0 Minute=0", "Hour=3 Minute=0", "Hour=5 Minute=59", "Weekday=0 Hour=4 Minute=0", ("Hour=3 Minute=0", "Hour=4 Minute=0"), "Day=1 Hour=2 Minute=0", "Hour=1 Minute=30", "Hour=4"],
        good=["Hour=6 Minute=0", "Hour=23 Minute=0", "Minute=0", ("Hour=3 Minute=0", "Hour=9 Minute=0"), "Hour=12 Minute=0", "Weekday=1 Minute=0", ("Hour=3 Minute=0", "Minute=30"), "Hour=7"],
    ),
    Table(
        "S112",
        trigger,
        bad=[number("StartInterval", value) + times("Hour=9 Minute=0") for value in (60, 300, 900, 3600, 14400, 43200, 86400, 1)],
        good=[number("StartInterval", 60), times("Hour=9 Minute=0"), number("StartInterval", 0) + times("Hour=9 Minute=0"), "", flag("RunAtLoad"), number("ThrottleInterval", 60) + times("Hour=9 Minute=0"), key("StartInterval", "60") + times("Minute=0"), number("StartInterval", 86400)],
    ),
    Table(
        "S113",
        trigger,
        bad=[number("StartInterval", value) for value in (86400, 86401, 90000, 172800, 604800, 2592000)] + [number("StartInterval", 86400) + flag("RunAtLoad"), number("StartInterval", 604800) + number("Nice", 1)],
        good=[number("StartInterval", value) for value in (60, 900, 3600, 21600, 43200, 86399)] + [times("Hour=9 Minute=0"), number("StartInterval", 86400) + times("Hour=9 Minute=0")],
    ),
    Table(
        "P132",
        lambda entry: job(flag("RunAtLoad"), trigger=str(entry)),
        bad=[times(entry) for entry in ("Hour=9 Minute=0", "Minute=0", "Weekday=1 Hour=9 Minute=0", "Day=1 Hour=9 Minute=0", "Hour=23 Minute=59", "Hour=0 Minute=1", "Minute=30", "Hour=12 Minute=0")],
        good=[number("StartInterval", value) for value in (10, 60, 300, 3600)] + ["", flag("KeepAlive"), "<key>WatchPaths</key><array><string>/a</string></array>", flag("StartOnMount")],
    ),
    Table(
        "P136",
        lambda text: job(str(text)),
        bad=[flag("WaitForDebugger"), flag("Debug")] * 4,
        good=[flag("WaitForDebugger", value=False), flag("Debug", value=False), "", number("Nice", 1)] * 2,
    ),
    Table(
        "P137",
        lambda text: job(flag("LaunchOnlyOnce"), trigger=str(text)),
        bad=[times("Hour=9 Minute=0"), number("StartInterval", 60), flag("KeepAlive"), times("Minute=0"), number("StartInterval", 3600), flag("RunAtLoad") + times("Minute=0"), times("Weekday=1 Hour=9 Minute=0"), number("StartInterval", 86400)],
        good=["", flag("RunAtLoad"), "<key>WatchPaths</key><array><string>/a</string></array>", flag("StartOnMount"), flag("KeepAlive", value=False), number("StartInterval", 0), flag("RunAtLoad") + number("Nice", 1), "<key>KeepAlive</key><dict/>"],
    ),
    Table(
        "P140",
        trigger,
        bad=["", number("Nice", 1), flag("RunAtLoad", value=False), flag("KeepAlive", value=False), key("StandardOutPath", "/a"), flag("AbandonProcessGroup"), flag("OnDemand"), flag("RunAtLoad", value=False) + flag("KeepAlive", value=False)],
        good=[flag("RunAtLoad"), flag("KeepAlive"), number("StartInterval", 60), times("Minute=0"), "<key>WatchPaths</key><array><string>/a</string></array>", flag("StartOnMount"), "<key>MachServices</key><dict><key>a</key><true/></dict>", number("startInterval", 5), "<key>KeepAlive</key><dict><key>Crashed</key><true/></dict>"],
    ),
)  # fmt: skip


@pytest.mark.parametrize(("code", "text", "path"), rows(SCHEDULES, bad=True))
def test_bad(code: str, text: str, path: str) -> None:
    assert code in codes(text, path=path)


@pytest.mark.parametrize(("code", "text", "path"), rows(SCHEDULES, bad=False))
def test_good(code: str, text: str, path: str) -> None:
    assert code not in codes(text, path=path)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("Hour=6", "no Minute: fires every minute from 06:00 to 06:59, 60 times"),
        ("Hour=10 Weekday=7", "no Minute: fires every minute from 10:00 to 10:59 on Sundays, 60 times"),
        (
            "Day=15",
            "no Hour and no Minute: fires every minute from 00:00 to 23:59 on day 15, 1440 times a day",
        ),
        ("Weekday=1 Minute=5", "no Hour: fires 24 times on Mondays, from 00:05 to 23:05"),
        (
            "Hour=24 Minute=0",
            "Hour must be an integer 0-23, not 24; launchd drops this time or treats it as every hour",
        ),
        ("Hour=-1 Minute=0", "Hour must be an integer 0-23, not -1; launchd treats this as every hour"),
        ("Month=2 Day=30 Hour=9 Minute=0", "February has no day 30: never fires, or rolls into March"),
        (
            "Day=13 Weekday=5 Hour=7 Minute=0",
            "Day with Weekday: either matches, day 13 of each month and every Friday",
        ),
    ],
)
def test_words(entry: str, message: str) -> None:
    assert message in [one.message for one in findings(calendar(entry))]
