"""Times as the manifest writes them: what each means, and what is said about each mistake."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.schedule.errors import ScheduleError
from jobs.schedule.names import WEEKDAYS
from jobs.schedule.parse_at import parse_at_table, parse_at_text
from jobs.schedule.rule import ALL_DAYS, ALL_MONTHS, ALL_WEEKDAYS, LAST_DAY, Rule

NINE = {"time": "09:00"}


def at(hour: int, minute: int, **fields: tuple[int, ...]) -> Rule:
    return Rule((minute,), (hour,), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        pytest.param("09:30", at(9, 30), id="every day"),
        pytest.param("00:00", at(0, 0), id="midnight"),
        pytest.param("23:59", at(23, 59), id="the last minute"),
        pytest.param("mon 09:30", at(9, 30, weekdays=(1,)), id="short name"),
        pytest.param("Wednesday 09:30", at(9, 30, weekdays=(3,)), id="full name, capital"),
        pytest.param("SAT,SUN 09:30", at(9, 30, weekdays=(0, 6)), id="list, capitals"),
        pytest.param("mon-fri 09:30", at(9, 30, weekdays=(1, 2, 3, 4, 5)), id="range"),
        pytest.param("fri-mon 09:30", at(9, 30, weekdays=(0, 1, 5, 6)), id="range around the week's end"),
        pytest.param("sun-sat 09:30", at(9, 30), id="all seven"),
        pytest.param("mon,wed-fri 09:30", at(9, 30, weekdays=(1, 3, 4, 5)), id="list with a range"),
        pytest.param("7 09:30", at(9, 30, weekdays=(0,)), id="7 is Sunday"),
        pytest.param("mon,mon 09:30", at(9, 30, weekdays=(1,)), id="twice is once"),
        pytest.param("  mon   09:30 ", at(9, 30, weekdays=(1,)), id="blanks around"),
        pytest.param("mon#1 09:30", at(9, 30, weekdays=(1,), days=tuple(range(1, 8))), id="first Monday"),
        pytest.param("fri#5 09:30", at(9, 30, weekdays=(5,), days=(29, 30, 31)), id="fifth Friday"),
    ],
)
def test_text(text: str, rule: Rule) -> None:
    assert parse_at_text(text) == rule


@pytest.mark.parametrize(
    ("text", "part", "fix"),
    [
        pytest.param("", "", 'write a time of day, such as "09:30"', id="empty"),
        pytest.param("24:00", "24:00", 'write "00:00"; it is the first minute of the next day', id="24:00"),
        pytest.param(
            "mon 24:00", "24:00", 'write "mon 00:00"; it is the first minute of the next day', id="mon 24:00"
        ),
        pytest.param("9:5", "9:5", 'write "09:05"', id="one digit each"),
        pytest.param("9:30", "9:30", 'write "09:30"', id="one digit of the hour"),
        pytest.param("9am", "9am", 'write "09:00"', id="9am"),
        pytest.param("12 a.m.", "12 a.m.", 'write "00:00"', id="12 a.m."),
        pytest.param("fri 9:15 PM", "9:15 PM", 'write "fri 21:15"', id="9:15 PM"),
        pytest.param("0930", "0930", 'write "09:30"', id="without a colon"),
        pytest.param("9", "9", 'write "09:00"', id="an hour"),
        pytest.param("9h30", "9h30", 'write "09:30"', id="9h30"),
        pytest.param("09:30:00", "09:30:00", 'write "09:30"', id="seconds"),
        pytest.param("25:00", "25:00", "write an hour from 00 to 23 and a minute from 00 to 59", id="25:00"),
        pytest.param("09:60", "09:60", "write an hour from 00 to 23 and a minute from 00 to 59", id="09:60"),
        pytest.param("noon", "noon", 'write "12:00"', id="noon"),
        pytest.param("mon midnight", "midnight", 'write "mon 00:00"', id="midnight"),
        pytest.param("soon", "soon", 'write the time as HH:MM, such as "09:30"', id="no time at all"),
        pytest.param("mon", "mon", 'write the time as HH:MM, such as "09:30"', id="a weekday alone"),
        pytest.param("daily 09:00", "daily", 'write "09:00": alone it is every day\'s', id="daily"),
        pytest.param(
            "every day 09:00", "every day", 'write "09:00": alone it is every day\'s', id="every day"
        ),
        pytest.param("weekdays 09:00", "weekdays", 'write "mon-fri 09:00"', id="weekdays"),
        pytest.param("weekend 09:00", "weekend", 'write "sat,sun 09:00"', id="weekend"),
        pytest.param("09:00 mon-fri", "09:00", 'write "mon-fri 09:00"', id="time first"),
        pytest.param("mon, wed 10:00", "mon, wed", 'write "mon,wed 10:00"', id="blank after a comma"),
        pytest.param("mon - fri 10:00", "mon - fri", 'write "mon-fri 10:00"', id="blanks around a dash"),
        pytest.param("mon and tue 10:00", "mon and tue", 'write "mon,tue 10:00"', id="and"),
        pytest.param(
            "mon 10:00,12:00", "10:00,12:00", 'write an array: ["mon 10:00", "mon 12:00"]', id="two times"
        ),
        pytest.param("08:00 09:00", "08:00", 'write an array: ["08:00", "09:00"]', id="two times, blank"),
        pytest.param("0 9 * * 1-5", "0 9 * * 1-5", "move it to the key cron", id="cron"),
        pytest.param("@daily", "@daily", "move it to the key cron", id="cron's word"),
        pytest.param("mnoday 09:00", "mnoday", 'write "monday"', id="misspelled"),
        pytest.param("tue,xyzzy 09:00", "xyzzy", "use sun, mon, tue, wed, thu, fri, sat", id="no weekday"),
        pytest.param("mon,weekend 09:00", "weekend", 'write "sat,sun"', id="a group in a list"),
        pytest.param("8 09:00", "8", "use a name, or 0 to 7 (0 and 7 are Sunday)", id="weekday 8"),
        pytest.param("tue-tue 09:00", "tue-tue", 'write "tue"', id="a range of one"),
        pytest.param("mon,,tue 09:00", ",", "take the comma away", id="two commas"),
        pytest.param("mon, 09:00", ",", "take the comma away", id="comma at the end"),
        pytest.param("mon#6 09:00", "6", 'write "mon#1" to "mon#5"', id="sixth Monday"),
        pytest.param(
            "fri#last 09:00",
            "last",
            'write "fri#4" for the fourth one, or day = "last" for the last day of the month',
            id="last Friday",
        ),
        pytest.param(
            "mon#1,wed 09:00",
            "mon#1,wed",
            "write an entry of its own for each: at is an array",
            id="mixed weeks",
        ),
        pytest.param("月 09:00", "月", "use sun, mon, tue, wed, thu, fri, sat", id="another language"),
        pytest.param("٠٩:٣٠", "٠٩:٣٠", 'write the time as HH:MM, such as "09:30"', id="other digits"),
    ],
)
def test_text_refused(text: str, part: str, fix: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        parse_at_text(text)
    error = caught.value
    assert error.span is not None
    assert (text[error.span.start : error.span.end], error.fix) == (part, fix)
    assert error.message


@pytest.mark.parametrize(
    ("fields", "rules"),
    [
        pytest.param(NINE, (at(9, 0),), id="time alone"),
        pytest.param({**NINE, "day": "last"}, (at(9, 0, days=(LAST_DAY,)),), id="last day"),
        pytest.param({**NINE, "day": [1, "15", "last"]}, (at(9, 0, days=(0, 1, 15)),), id="list of days"),
        pytest.param({**NINE, "day": "1-7"}, (at(9, 0, days=tuple(range(1, 8))),), id="range of days"),
        pytest.param(
            {**NINE, "day": "1-3,28-31"}, (at(9, 0, days=(1, 2, 3, 28, 29, 30, 31)),), id="two ranges"
        ),
        pytest.param({**NINE, "weekday": 7}, (at(9, 0, weekdays=(0,)),), id="number 7"),
        pytest.param({**NINE, "weekday": "0-7"}, (at(9, 0),), id="0-7 is every day"),
        pytest.param(
            {**NINE, "weekday": ["mon", 3, "fri-sat"]}, (at(9, 0, weekdays=(1, 3, 5, 6)),), id="mixed list"
        ),
        pytest.param(
            {**NINE, "month": "nov-feb"}, (at(9, 0, months=(1, 2, 11, 12)),), id="around the year's end"
        ),
        pytest.param({**NINE, "month": [3, "June"]}, (at(9, 0, months=(3, 6)),), id="months"),
        pytest.param(
            {**NINE, "weekday": "mon", "day": "1-7", "month": "jan"},
            (at(9, 0, weekdays=(1,), days=tuple(range(1, 8)), months=(1,)),),
            id="all must match",
        ),
        pytest.param(
            {**NINE, "weekday": ["mon#1", "mon#3"]},
            (at(9, 0, weekdays=(1,), days=(*range(1, 8), *range(15, 22))),),
            id="first and third Monday",
        ),
        pytest.param(
            {**NINE, "weekday": ["mon#2", "tue#2"]},
            (at(9, 0, weekdays=(1, 2), days=tuple(range(8, 15))),),
            id="second Monday and second Tuesday",
        ),
        pytest.param(
            {**NINE, "month": "feb", "day": 29}, (at(9, 0, months=(2,), days=(29,)),), id="leap day"
        ),
        pytest.param(
            {"time": ["18:30", "08:00", "18:00", "09:00"]},
            (Rule((0,), (8, 9)), Rule((0, 30), (18,))),
            id="several times",
        ),
    ],
)
def test_table(fields: Mapping[str, object], rules: tuple[Rule, ...]) -> None:
    assert parse_at_table(fields) == rules


@pytest.mark.parametrize(
    ("fields", "key", "index", "fix"),
    [
        pytest.param({}, None, None, 'add time = "HH:MM"', id="no time"),
        pytest.param({"tme": "09:00"}, "tme", None, "write time", id="misspelled key"),
        pytest.param(
            {**NINE, "zone": "UTC"}, "zone", None, "use time, weekday, day, month", id="unknown key"
        ),
        pytest.param(
            {"time": 9}, "time", None, 'write the time in quotes, such as "09:30"', id="a number for a time"
        ),
        pytest.param({"time": ["09:00", "9:5"]}, "time", 1, 'write "09:05"', id="second of two times"),
        pytest.param({"time": []}, "time", None, 'write a time of day, such as "09:30"', id="no times"),
        pytest.param(
            {"time": "mon 09:00"},
            "time",
            None,
            'write time = "09:00" and weekday = "mon"',
            id="weekday in the time",
        ),
        pytest.param({**NINE, "day": 0}, "day", None, 'use 1 to 31, or "last"', id="day 0"),
        pytest.param({**NINE, "day": 32}, "day", None, 'use 1 to 31, or "last"', id="day 32"),
        pytest.param(
            {**NINE, "day": -1},
            "day",
            None,
            'write "last" for the last day; other days cannot be counted from the end',
            id="day -1",
        ),
        pytest.param({**NINE, "day": "mon"}, "day", None, 'write weekday = "mon"', id="a weekday for a day"),
        pytest.param({**NINE, "day": "20-5"}, "day", None, 'write "20-31,1-5"', id="days going down"),
        pytest.param({**NINE, "day": "5-5"}, "day", None, 'write "5"', id="days of one"),
        pytest.param(
            {**NINE, "day": "25-last"},
            "day",
            None,
            'write "25-31": days that a month lacks are left out',
            id="25-last",
        ),
        pytest.param({**NINE, "day": []}, "day", None, "leave the key out for any day", id="no days"),
        pytest.param({**NINE, "day": ""}, "day", None, "leave the key out for any day", id="empty day"),
        pytest.param({**NINE, "day": "1, 2"}, "day", None, 'write "1,2"', id="blank in a list"),
        pytest.param(
            {**NINE, "day": True}, "day", None, "write a number, a string, or an array of them", id="boolean"
        ),
        pytest.param(
            {**NINE, "day": 1.5}, "day", None, "write a number, a string, or an array of them", id="fraction"
        ),
        pytest.param(
            {**NINE, "weekday": 8},
            "weekday",
            None,
            "use a name, or 0 to 7 (0 and 7 are Sunday)",
            id="weekday 8",
        ),
        pytest.param(
            {**NINE, "weekday": -1},
            "weekday",
            None,
            "use a name, or 0 to 7 (0 and 7 are Sunday)",
            id="weekday -1",
        ),
        pytest.param(
            {**NINE, "weekday": []}, "weekday", None, "leave the key out for any weekday", id="no weekdays"
        ),
        pytest.param(
            {**NINE, "weekday": ["mon", "tuseday"]}, "weekday", 1, 'write "tuesday"', id="misspelled weekday"
        ),
        pytest.param(
            {**NINE, "weekday": ["mon#1", "tue#2"]},
            "weekday",
            None,
            "write an entry of its own for each: at is an array",
            id="different weeks",
        ),
        pytest.param(
            {**NINE, "weekday": "mon#1", "day": 3},
            "day",
            None,
            'write either weekday = "mon#1", or weekday = "mon" with day = "1-7"',
            id="nth weekday and day",
        ),
        pytest.param({**NINE, "month": 13}, "month", None, "use a name, or 1 to 12", id="month 13"),
        pytest.param({**NINE, "month": -1}, "month", None, "use a name, or 1 to 12", id="month -1"),
        pytest.param({**NINE, "month": "Febuary"}, "month", None, 'write "february"', id="misspelled month"),
        pytest.param(
            {**NINE, "month": "qqq"},
            "month",
            None,
            "use jan, feb, mar, apr, may, jun, jul, aug, sep, oct, nov, dec",
            id="no month",
        ),
        pytest.param({**NINE, "month": "may-may"}, "month", None, 'write "may"', id="months of one"),
        pytest.param(
            {**NINE, "month": "feb", "day": 30},
            "day",
            None,
            'write day = "last" for the last day of the month',
            id="30 February",
        ),
        pytest.param(
            {**NINE, "month": ["apr", "jun"], "day": [1, 31]},
            "day",
            1,
            'write day = "last" for the last day of the month',
            id="31 in short months only",
        ),
        pytest.param(
            {**NINE, "month": ["mar", "feb"], "day": 30},
            "month",
            1,
            'write day = "last" for the last day of each month, or take the month away',
            id="a month without the day",
        ),
    ],
)
def test_table_refused(fields: Mapping[str, object], key: str | None, index: int | None, fix: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        parse_at_table(fields)
    error = caught.value
    assert (error.key, error.index, error.fix) == (key, index, fix)


def test_the_span_is_inside_the_entry() -> None:
    with pytest.raises(ScheduleError) as caught:
        parse_at_table({**NINE, "weekday": ["mon", "tue,wedsday-fri"]})
    error = caught.value
    assert error.span is not None
    assert (error.index, "tue,wedsday-fri"[error.span.start : error.span.end]) == (1, "wedsday")


@settings(deadline=None)
@given(st.integers(0, 23), st.integers(0, 59), st.sets(st.sampled_from(WEEKDAYS), min_size=1))
def test_every_time_on_any_weekdays_is_read(hour: int, minute: int, names: set[str]) -> None:
    rule = parse_at_text(f"{','.join(names)} {hour:02d}:{minute:02d}")
    assert (rule.hours, rule.minutes, rule.days, rule.months) == ((hour,), (minute,), ALL_DAYS, ALL_MONTHS)
    assert {WEEKDAYS[weekday] for weekday in rule.weekdays} == names
    assert set(rule.weekdays) <= set(ALL_WEEKDAYS)


@settings(deadline=None)
@given(st.text(alphabet="monfrisat0123456789:,-# \tapm", max_size=20))
def test_no_text_is_a_crash(text: str) -> None:
    try:
        rule = parse_at_text(text)
    except ScheduleError as error:
        refusal = error
    else:
        assert len(rule.hours) == len(rule.minutes) == 1
        return
    assert refusal.fix
    assert refusal.span is not None
    assert 0 <= refusal.span.start <= refusal.span.end <= len(text)
