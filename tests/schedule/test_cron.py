"""Cron expressions: what each means, and what is said about each mistake."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.schedule.cron import parse_cron
from jobs.schedule.errors import ScheduleError
from jobs.schedule.rule import ALL_HOURS, ALL_MINUTES, Rule

ZERO = (0,)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        pytest.param("* * * * *", Rule(ALL_MINUTES, ALL_HOURS), id="every minute"),
        pytest.param("30 9 * * *", Rule((30,), (9,)), id="daily"),
        pytest.param(
            "*/15 9-17 * * 1-5",
            Rule((0, 15, 30, 45), tuple(range(9, 18)), weekdays=(1, 2, 3, 4, 5)),
            id="steps and ranges",
        ),
        pytest.param("10-40/15,59 * * * *", Rule((10, 25, 40, 59), ALL_HOURS), id="range with a step, list"),
        pytest.param("05 09 * * *", Rule((5,), (9,)), id="leading zeros"),
        pytest.param("0 0 * jan,Mar-MAY *", Rule(ZERO, ZERO, months=(1, 3, 4, 5)), id="names of months"),
        pytest.param("0 0 * * mon-Fri", Rule(ZERO, ZERO, weekdays=(1, 2, 3, 4, 5)), id="names of weekdays"),
        pytest.param("0 0 * * 7", Rule(ZERO, ZERO, weekdays=(0,)), id="7 is Sunday"),
        pytest.param("0 0 * * 5-7", Rule(ZERO, ZERO, weekdays=(0, 5, 6)), id="a range to Sunday"),
        pytest.param("0 0 * * 0-7", Rule(ZERO, ZERO), id="0-7 is every day"),
        pytest.param("0 0 * * */2", Rule(ZERO, ZERO, weekdays=(0, 2, 4, 6)), id="weekday steps"),
        pytest.param(
            "0 0 13 * 5", Rule(ZERO, ZERO, days=(13,), weekdays=(5,), either=True), id="13th or Friday"
        ),
        pytest.param(
            "0 0 */10 * 5",
            Rule(ZERO, ZERO, days=(1, 11, 21, 31), weekdays=(5,)),
            id="a star in the day: both",
        ),
        pytest.param(
            "0 0 13 * */5", Rule(ZERO, ZERO, days=(13,), weekdays=(0, 5)), id="a star in the weekday: both"
        ),
        pytest.param("0 0 1-31 * 5", Rule(ZERO, ZERO), id="1-31 is no star: every day"),
        pytest.param("0 0 13 * 0-6", Rule(ZERO, ZERO), id="0-6 is no star: every day"),
        pytest.param(
            "0 0 31 2 1", Rule(ZERO, ZERO, days=(31,), months=(2,), weekdays=(1,), either=True), id="or saves"
        ),
        pytest.param("\t0  0 * * * ", Rule(ZERO, ZERO), id="blanks"),
        pytest.param("@hourly", Rule(ZERO, ALL_HOURS), id="@hourly"),
        pytest.param("@daily", Rule(ZERO, ZERO), id="@daily"),
        pytest.param(" @Midnight ", Rule(ZERO, ZERO), id="@midnight"),
        pytest.param("@weekly", Rule(ZERO, ZERO, weekdays=(0,)), id="@weekly"),
        pytest.param("@monthly", Rule(ZERO, ZERO, days=(1,)), id="@monthly"),
        pytest.param("@yearly", Rule(ZERO, ZERO, days=(1,), months=(1,)), id="@yearly"),
        pytest.param("@annually", Rule(ZERO, ZERO, days=(1,), months=(1,)), id="@annually"),
    ],
)
def test_meaning(text: str, rule: Rule) -> None:
    assert parse_cron(text) == (rule,)


LAST_DAY_FIX = 'for the last day of a month write at = { time = "…", day = "last", month = … }'


@pytest.mark.parametrize(
    ("text", "part", "fix"),
    [
        pytest.param("", "", 'write five fields, such as "30 9 * * 1-5"', id="empty"),
        pytest.param("0 9 * *", "0 9 * *", "add day of week", id="four fields"),
        pytest.param("0", "0", "add hour, day of month, month, day of week", id="one field"),
        pytest.param(
            "0 30 9 * * *",
            "*",
            'write five fields; if the first one is for seconds: "30 9 * * *"',
            id="six fields",
        ),
        pytest.param(
            "0 30 9 ? * MON-FRI 2026",
            "MON-FRI 2026",
            'write five fields; if the first one is for seconds: "30 9 ? * MON-FRI"',
            id="Quartz: seven fields",
        ),
        pytest.param(
            "0 9 * * * bin/x --y", "bin/x --y", "move the command to the key run", id="a crontab's line"
        ),
        pytest.param(
            "@daily bin/x", "@daily", "move the command to the key run", id="a command after @daily"
        ),
        pytest.param("@reboot", "@reboot", "take it away and write at_load = true", id="@reboot"),
        pytest.param("@every 5m", "@every", 'take it away and write every = "5m"', id="@every"),
        pytest.param("@dayly", "@dayly", "write @daily", id="misspelled @"),
        pytest.param(
            "@x",
            "@x",
            "use @hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually",
            id="unknown @",
        ),
        pytest.param(
            "CRON_TZ=Asia/Tokyo 0 9 * * *",
            "CRON_TZ=Asia/Tokyo",
            'take it away and write timezone = "Asia/Tokyo"',
            id="a zone",
        ),
        pytest.param("60 * * * *", "60", "write 0", id="minute 60"),
        pytest.param("0 24 * * *", "24", "write 0: midnight begins the day", id="hour 24"),
        pytest.param("0 0 0 * *", "0", "write a number from 1 to 31", id="day 0"),
        pytest.param("0 0 1-32 * *", "32", "write a number from 1 to 31", id="day 32 in a range"),
        pytest.param("0 0 * 13 *", "13", "write a number from 1 to 12", id="month 13"),
        pytest.param("0 0 * * 8", "8", "write a number from 0 to 7", id="weekday 8"),
        pytest.param("0 0 * * monday", "monday", "write mon", id="full weekday"),
        pytest.param("0 0 * january *", "january", "write jan", id="full month"),
        pytest.param("0 0 * fbr *", "fbr", "write feb", id="misspelled month"),
        pytest.param("0 0 * * abc", "abc", "use sun, mon, tue, wed, thu, fri, sat", id="no weekday"),
        pytest.param("x * * * *", "x", "write a number from 0 to 59", id="a letter for a minute"),
        pytest.param("0 17-9 * * *", "17-9", "write 17-23,0-9", id="hours going down"),
        pytest.param("0 0 * * fri-mon", "fri-mon", "write 5-6,0-1", id="weekdays going down"),
        pytest.param("0 0 * * sat-mon", "sat-mon", "write 6,0-1", id="from Saturday"),
        pytest.param("0 0 * * sat-sun", "sat-sun", "write 6-7: 7 is Sunday, too", id="to Sunday by name"),
        pytest.param(
            "0 17-9/2 * * *", "17-9/2", "write it as a list of numbers", id="going down with a step"
        ),
        pytest.param("*/0 * * * *", "0", "write a step of 1 or more", id="step 0"),
        pytest.param(
            "5/15 * * * *",
            "5/15",
            "write 5-59/15 for every 15 from there to the end",
            id="step without a range",
        ),
        pytest.param("50/15 * * * *", "50/15", "write 50", id="step without a range, too far"),
        pytest.param(
            "*/90 * * * *",
            "90",
            'write 0, which is all that it means; for every 90m use every = "90m"',
            id="90 minutes",
        ),
        pytest.param(
            "0 10-12/5 * * *", "5", "write 10, which is all that it means", id="step beyond its range"
        ),
        pytest.param("1,,2 * * * *", ",", "take it away", id="two commas"),
        pytest.param("1, * * * *", ",", "take it away", id="comma at the end"),
        pytest.param(", * * * *", ",", "take it away", id="comma alone"),
        pytest.param("*-5 * * * *", "*-5", "write numbers from 0 to 59, a-b, or */n", id="star in a range"),
        pytest.param("-5 * * * *", "-5", "write numbers from 0 to 59, a-b, or */n", id="negative"),
        pytest.param("٣ * * * *", "٣", "write numbers from 0 to 59, a-b, or */n", id="other digits"),
        pytest.param("0 9 ? * *", "?", "write *", id="Quartz: ?"),
        pytest.param("H 9 * * *", "H", "write the number itself", id="Jenkins: H"),
        pytest.param("0~59 9 * * *", "0~59", "write the number itself", id="random"),
        pytest.param("0 9 L * *", "L", 'write at = { time = "…", day = "last" }', id="Quartz: L"),
        pytest.param(
            "0 9 L-3 * *",
            "L-3",
            'write at = { time = "…", day = "last" }: only the last day can be counted from the end',
            id="Quartz: L-3",
        ),
        pytest.param(
            "0 9 15W * *",
            "15W",
            'write at = { time = "…", weekday = "mon-fri", day = … } with days near it',
            id="Quartz: W",
        ),
        pytest.param("0 9 * * 5#3", "5#3", 'write at = { time = "…", weekday = "5#3" }', id="Quartz: #"),
        pytest.param("0 9 * * L", "L", "write sat", id="Quartz: L for Saturday"),
        pytest.param(
            "0 9 * * friL",
            "friL",
            'write at = { time = "…", weekday = "fri#4" } for the fourth one',
            id="Quartz: friL",
        ),
        pytest.param("0 9 30 2 *", "30", LAST_DAY_FIX, id="30 February"),
        pytest.param("0 9 31 4,jun *", "31", LAST_DAY_FIX, id="31 in short months"),
        pytest.param("0 9 31 2 */2", "31", LAST_DAY_FIX, id="31 February and a weekday"),
    ],
)
def test_refused(text: str, part: str, fix: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        parse_cron(text)
    error = caught.value
    assert error.span is not None
    assert (text[error.span.start : error.span.end], error.fix) == (part, fix)
    assert error.message


@settings(deadline=None)
@given(st.text(alphabet="0123456789*/,-LW#?@ monfriH~=", max_size=24))
def test_no_text_is_a_crash(text: str) -> None:
    try:
        rules = parse_cron(text)
    except ScheduleError as error:
        refusal = error
    else:
        assert len(rules) == 1
        return
    assert refusal.fix
    assert refusal.span is not None
    assert 0 <= refusal.span.start <= refusal.span.end <= len(text)
