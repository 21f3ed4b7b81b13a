"""The shell's slot finder and the Python calculator are two writings of one meaning."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from jobs.compile.templates import templates_folder
from jobs.compile.wrapper import _rule
from jobs.schedule.rule import ALL_DAYS, ALL_HOURS, ALL_MINUTES, ALL_MONTHS, ALL_WEEKDAYS, Rule, Schedule
from jobs.schedule.slots import newest_due
from tests.tools import SHELLS, shell_command
from tests.wrapper.sandbox import DAY, Sandbox

ZONES = (
    "UTC",
    "America/New_York",
    "Europe/Berlin",
    "Australia/Lord_Howe",  # half an hour
    "America/Nuuk",  # changes at 23:00 and midnight
    "Africa/Casablanca",  # back and forth around Ramadan
    "Antarctica/Troll",  # two hours
    "America/Santiago",
    "Asia/Kathmandu",
    "Africa/Cairo",
)
START = 1767225600  # 2026-01-01T00:00:00Z
FINDER = Path(__file__).with_name("find_slots.sh")


def offset(zone: ZoneInfo, epoch: int) -> int:
    """The zone's offset at an instant, in minutes."""
    difference = datetime.fromtimestamp(epoch, UTC).astimezone(zone).utcoffset()
    assert difference is not None
    return int(difference.total_seconds()) // 60


@cache
def changes(zone: ZoneInfo) -> list[tuple[int, int]]:
    """The zone's changes around the tested years: instants and the offset from then on."""
    rows = [(START - 1300 * DAY, offset(zone, START - 1300 * DAY))]
    for day in range(START - 1300 * DAY, START + 1200 * DAY, DAY):
        low, high = day, day + DAY
        while offset(zone, low) != offset(zone, high):
            first, last = low, high
            while last - first > 1:
                middle = (first + last) // 2
                if offset(zone, middle) == offset(zone, low):
                    first = middle
                else:
                    last = middle
            rows.append((last, offset(zone, last)))
            low = last
    return rows


def pick(dice: random.Random, full: tuple[int, ...], most: int) -> tuple[int, ...]:
    if dice.random() < 0.4:
        return full
    return tuple(sorted(dice.sample(full, dice.randint(1, min(most, len(full))))))


def random_rules(dice: random.Random) -> tuple[Rule, ...]:
    return tuple(
        Rule(
            pick(dice, ALL_MINUTES, 8),
            pick(dice, ALL_HOURS, 6),
            pick(dice, (0, *ALL_DAYS), 4) if dice.random() < 0.3 else ALL_DAYS,
            pick(dice, ALL_MONTHS, 4) if dice.random() < 0.2 else ALL_MONTHS,
            pick(dice, ALL_WEEKDAYS, 4) if dice.random() < 0.4 else ALL_WEEKDAYS,
            dice.random() < 0.2,
        )
        for _ in range(dice.randint(1, 2))
    )


def triples(dice: random.Random, table: list[tuple[int, int]], count: int) -> Iterator[tuple[Schedule, int]]:
    """Schedules and instants; two of three instants lie within hours of a change."""
    near = [epoch for epoch, _ in table if epoch > START - 600 * DAY]
    for _ in range(count):
        if near and dice.random() < 0.66:
            now = dice.choice(near) + dice.randint(-5 * 3600, 5 * 3600)
        else:
            now = START + dice.randint(0, 900 * DAY)
        if near and dice.random() < 0.2:
            now = dice.choice(near) + dice.randint(-40, 40)
        yield Schedule(random_rules(dice)), now


def compare(shell: str, zone_name: str, count: int, seed: int) -> int:
    """Runs the shell once over `count` random triples of a zone; the number of those that were compared."""
    dice = random.Random(f"{seed}{zone_name}")
    zone = ZoneInfo(zone_name)
    table = changes(zone)
    asked = list(triples(dice, table, count))
    lines = []
    for schedule, now in asked:
        minutes = offset(zone, now)
        wall = (now + minutes * 60) // 60
        lines.append(f"{now} {now % 60} {minutes} {wall} {' '.join(map(_rule, schedule.rules))}\n")
    rows = " ".join(f"{epoch}:{minutes}" for epoch, minutes in table)
    answer = subprocess.run(
        [*shell_command(shell), str(FINDER), str(templates_folder() / "lib"), rows],
        input="".join(lines),
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stderr == ""
    compared = 0
    for (schedule, now), line, told in zip(asked, lines, answer.stdout.splitlines(), strict=True):
        slot = newest_due(schedule, now, zone)
        if slot is None or now - slot.instant > 399 * DAY:
            continue
        assert told == f"{slot.id} {slot.instant}", (zone_name, line, datetime.fromtimestamp(now, zone))
        compared += 1
    return compared


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("shell", sorted(SHELLS))
def test_shell_and_python_find_the_same_slots(shell: str, zone: str) -> None:
    assert compare(shell, zone, 40, seed=1) > 30


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["dash", "bash"])
def test_shell_and_python_find_the_same_slots_fifty_thousand_times(shell: str) -> None:
    compared = sum(compare(shell, zone, 5200, seed=2) for zone in ZONES)
    assert compared >= 50_000
    print(f"{shell}: {compared} slots found alike by shell and Python")


@pytest.mark.parametrize("zone", ["America/New_York", "Australia/Lord_Howe"])
def test_with_the_real_date(any_shell: Sandbox, zone: str) -> None:
    """The same through a whole wrapper and the machine's own date program, around a change of clocks."""
    dice = random.Random(zone)
    table = changes(ZoneInfo(zone))
    for number, (schedule, now) in enumerate(triples(dice, table, 5)):
        slot = newest_due(schedule, now, ZoneInfo(zone))
        assert slot is not None
        if now - slot.instant > 5 * DAY:
            continue
        name = f"job{number}"
        since = any_shell.state / "since" / name
        since.parent.mkdir(parents=True, exist_ok=True)
        since.write_text("1\n")
        any_shell.add(name, 'echo "$JOBS_SLOT $JOBS_LATE"', schedule=Schedule(schedule.rules, zone))
        assert any_shell.run(name, now=now) == 0
        assert any_shell.said(name) == f"{slot.id} {max(0, now - slot.instant)}\n", (number, now)
