"""Schedules in words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.schedule.cron import parse_cron
from jobs.schedule.parse_at import parse_at_table, parse_at_text
from jobs.schedule.rule import Rule, Schedule
from jobs.schedule.words import duration_in_words, in_words


def at(*texts: str) -> tuple[Rule, ...]:
    return tuple(parse_at_text(text) for text in texts)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (at("09:30"), "every day at 09:30"),
        (at("08:00", "18:30"), "every day at 08:00 and 18:30"),
        (at("mon-fri 09:30", "sat 10:00"), "Monday to Friday at 09:30; every Saturday at 10:00"),
        (at("fri-mon 09:30"), "Monday and Friday to Sunday at 09:30"),
        (at("sat,sun 09:30"), "Saturday and Sunday at 09:30"),
        (at("mon#1 10:00"), "the first Monday of the month at 10:00"),
        (at("tue#5 10:00"), "the fifth Tuesday of the month at 10:00"),
        (
            at(*(f"{hour:02d}:{hour:02d}" for hour in range(7))),
            "; ".join(f"every day at {h:02d}:{h:02d}" for h in range(7)),
        ),
        (parse_at_table({"time": "07:00", "day": "last"}), "the last day of the month at 07:00"),
        (
            parse_at_table({"time": "07:00", "day": [1, 15, "last"]}),
            "day 1 and 15 and the last day of the month at 07:00",
        ),
        (parse_at_table({"time": "07:00", "month": "jun-aug"}), "every day in June to August at 07:00"),
        (
            parse_at_table({"time": "07:00", "weekday": "fri", "day": [12, 13]}),
            "every Friday if it is day 12 or 13 of the month at 07:00",
        ),
        (parse_cron("* * * * *"), "every minute"),
        (parse_cron("*/15 * * * *"), "every 15 minutes"),
        (
            parse_cron("*/7 1 * * *"),
            "every hour at :00, :07, :14, :21, :28, :35, :42, :49 and :56 in the hours 01",
        ),
        (parse_cron("7 * * * *"), "every hour at :07"),
        (parse_cron("5-10 * * * *"), "every hour at :05 to :10"),
        (parse_cron("*/15 9-17 * * 1-5"), "Monday to Friday, every 15 minutes from 09:00 to 17:45"),
        (parse_cron("*/15 1,5 * * *"), "every 15 minutes of the hours 01 and 05"),
        (parse_cron("* 9-17 * * *"), "every minute from 09:00 to 17:59"),
        (parse_cron("5 8-20/2 * * *"), "every 2 hours from 08:05 to 20:05"),
        (parse_cron("5 8-20 * * *"), "every hour from 08:05 to 20:05"),
        (parse_cron("0 9 13 * 5"), "day 13 of the month or every Friday at 09:00"),
        (parse_cron("0 9 13 6 5"), "day 13 in June or every Friday in June at 09:00"),
        (parse_cron("0 0 29 2 *"), "day 29 in February at 00:00"),
    ],
)
def test_words(rules: tuple[Rule, ...], words: str) -> None:
    assert in_words(Schedule(rules)) == words


def test_the_zone_is_said() -> None:
    assert in_words(Schedule(at("09:30"), "Asia/Tokyo")) == "every day at 09:30 (Asia/Tokyo)"


@settings(deadline=None)
@given(
    st.sets(st.integers(0, 59), min_size=1),
    st.sets(st.integers(0, 23), min_size=1),
    st.sets(st.integers(0, 6), min_size=1),
)
def test_anything_can_be_said(minutes: set[int], hours: set[int], weekdays: set[int]) -> None:
    rule = Rule(tuple(sorted(minutes)), tuple(sorted(hours)), weekdays=tuple(sorted(weekdays)))
    assert in_words(Schedule((rule,)))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (59, "59 s"),
        (60, "1 min"),
        (3599, "59 min"),
        (3600, "1 h"),
        (-5400, "1 h 30 min"),
        (90061, "1 d 1 h"),
        (86460, "1 d"),
    ],
)
def test_durations(seconds: int, words: str) -> None:
    assert duration_in_words(seconds) == words
