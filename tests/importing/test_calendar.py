"""Dictionaries of StartCalendarInterval as times of the manifest: the same minutes, readable."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from jobs.importing.calendar import calendar_keys, rule_of
from jobs.schedule.cron import parse_cron
from jobs.schedule.parse_at import parse_at_table, parse_at_text
from jobs.schedule.pattern import pattern_of
from jobs.schedule.rule import Rule
from tests.importing.sources import random_time


def rules_of(keys: Mapping[str, Any]) -> tuple[Rule, ...]:
    """The rules that the loader makes of `at` or `cron`."""
    if "cron" in keys:
        return parse_cron(keys["cron"])
    items = keys["at"] if isinstance(keys["at"], list) else [keys["at"]]
    return tuple(
        rule
        for item in items
        for rule in ([parse_at_text(item)] if isinstance(item, str) else parse_at_table(item))
    )


def test_random_dictionaries_keep_their_minutes() -> None:
    random = Random(7)
    for _ in range(300):
        dictionaries = [random_time(random) for _ in range(random.randint(1, 6))]
        wanted = pattern_of(tuple(map(rule_of, dictionaries)))
        got = pattern_of(rules_of(calendar_keys(dictionaries)))
        for year in (2027, 2028):
            for month in range(1, 13):
                assert got.month(year, month) == wanted.month(year, month), dictionaries


@pytest.mark.parametrize(
    ("dictionaries", "keys"),
    [
        pytest.param([{}], {"cron": "* * * * *"}, id="every-minute"),
        pytest.param([{"Minute": 5}, {"Minute": 35}], {"cron": "5,35 * * * *"}, id="twice-an-hour"),
        pytest.param(
            [{"Minute": m} for m in range(0, 60, 5)], {"cron": "*/5 * * * *"}, id="every-five-minutes"
        ),
        pytest.param(
            [{"Hour": 9, "Minute": 0}, {"Hour": 9}], {"cron": "* 9 * * *"}, id="one-covers-the-other"
        ),
        pytest.param([{"Hour": h, "Minute": 0} for h in (8, 12)], {"at": ["08:00", "12:00"]}, id="two-times"),
        pytest.param(
            [{"Hour": h, "Minute": 0} for h in range(8, 18)], {"cron": "0 8-17 * * *"}, id="office-hours"
        ),
        pytest.param(
            [{"Hour": 9, "Minute": 0, "Weekday": w} for w in (0, 6)], {"at": "sat,sun 09:00"}, id="weekend"
        ),
        pytest.param([{"Hour": 9, "Minute": 0, "Weekday": 7}], {"at": "sun 09:00"}, id="S56-sunday-is-7"),
        pytest.param(
            [{"Hour": 9, "Minute": 0, "Day": d} for d in (1, 15)],
            {"at": {"time": "09:00", "day": [1, 15]}},
            id="days",
        ),
        pytest.param(
            [{"Hour": 9, "Minute": 0, "Month": 6, "Weekday": 1}],
            {"at": {"time": "09:00", "weekday": "mon", "month": 6}},
            id="month-and-weekday",
        ),
    ],
)
def test_how_they_read(dictionaries: list[dict[str, int]], keys: dict[str, Any]) -> None:
    assert calendar_keys(dictionaries) == keys
