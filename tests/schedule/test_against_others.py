"""The calculator beside two others: cronsim for cron, systemd for the manifest's own tables."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from datetime import UTC, datetime
from itertools import islice
from random import Random
from zoneinfo import ZoneInfo

import pytest
from cronsim import CronSim, CronSimError

from jobs.schedule.cron import parse_cron
from jobs.schedule.errors import ScheduleError
from jobs.schedule.names import SHORT_MONTHS, SHORT_WEEKDAYS
from jobs.schedule.parse_at import parse_at_table
from jobs.schedule.rule import Schedule
from jobs.schedule.slots import first_slots, next_slots
from jobs.schedule.wall import wall_clock
from tests.tools import require_tool

START = 1796085002  # 1 December 2026
BOUNDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
NAMES = ((), (), (), ("", *SHORT_MONTHS), SHORT_WEEKDAYS)


def random_field(random: Random, index: int) -> str:
    """One field of a cron expression, in any form that all crons share."""
    if random.random() < (0.1, 0.25, 0.5, 0.6, 0.5)[index]:
        return "*"
    return ",".join(random_part(random, index) for _ in range(random.choice([1, 1, 1, 2, 3])))


def random_part(random: Random, index: int) -> str:
    low, high = BOUNDS[index]
    kind = random.random()
    if kind < 0.15:
        return f"*/{random.randint(1, (high - low) // 2)}"
    first = random.randint(low, high - 1)
    if kind < 0.7:
        names = NAMES[index]
        return names[first] if first < len(names) and random.random() < 0.5 else str(first)
    last = random.randint(first + 1, high)
    step = f"/{random.randint(1, last - first)}" if random.random() < 0.5 else ""
    return f"{first}-{last}{step}"


def random_expression(random: Random) -> str:
    return " ".join(random_field(random, index) for index in range(5))


def compare_in_utc(seed: int, count: int, length: int) -> Counter[str]:
    """How many expressions agree with cronsim, and how many both refuse. Fails for any other."""
    random = Random(seed)
    seen: Counter[str] = Counter()
    start = datetime.fromtimestamp(START, UTC)
    while seen["equal"] + seen["refused by both"] < count:
        text = random_expression(random)
        try:
            theirs = [int(time.timestamp()) for time in islice(CronSim(text, start), length)]
        except (CronSimError, StopIteration):
            with pytest.raises(ScheduleError):
                parse_cron(text)
            seen["refused by both"] += 1
            continue
        ours = [slot.instant for slot in first_slots(Schedule(parse_cron(text)), START, "UTC", length)]
        assert ours[: len(theirs)] == theirs, text
        seen["equal"] += 1
    return seen


def test_cron_equals_cronsim() -> None:
    seen = compare_in_utc(seed=1, count=600, length=8)
    print(dict(seen))
    assert seen["equal"] > 500


@pytest.mark.slow
def test_cron_equals_cronsim_twenty_thousand_times() -> None:
    seen = compare_in_utc(seed=2, count=20_000, length=10)
    print(dict(seen))
    assert seen["equal"] > 18_000


def differences(text: str, zone: str, start: int, end: int) -> Counter[str]:
    """The differences from cronsim in a zone with summer time, each by its name; fails for one without a name.

    cronsim follows Debian's cron: expressions whose minute and hour have no star run by the wall, as slots do; those
    with a star follow the clock as it runs.
    """
    clock = wall_clock(zone)
    changes = clock.changes(start - 86400, end + 86400)
    seen: Counter[str] = Counter()
    begin = datetime.fromtimestamp(start, ZoneInfo(zone))
    theirs: Counter[int] = Counter()
    for time in CronSim(text, begin):
        if time.timestamp() >= end:
            break
        theirs[int(time.timestamp())] += 1
    ours: Counter[int] = Counter()
    for slot in next_slots(Schedule(parse_cron(text), zone), start, zone):
        if slot.instant >= end:
            break
        ours[slot.instant] += 1
    starred = any(field.startswith("*") for field in text.split()[:2])
    for instant in (ours - theirs) | (theirs - ours):
        change = next((change for change in changes if abs(instant - change.at) <= 7200), None)
        assert change is not None, (text, zone, instant)
        spring = change.after > change.before
        if spring:
            assert instant == change.at, (text, zone, instant)
            if starred:
                name = "gap, with a star: slots move to its end, cronsim drops them"
            else:
                name = "gap, several times in it: slots stay several, cronsim makes them one"
        else:
            assert change.at <= instant < change.at + (change.before - change.after), (text, zone, instant)
            assert starred
            assert instant not in ours
            name = "second pass, with a star: no slots, cronsim goes on"
        seen[name] += 1
    return seen


@pytest.mark.parametrize(
    "zone", ["America/New_York", "Europe/Berlin", "Australia/Sydney", "America/Santiago"]
)
def test_differences_from_cronsim_at_changes_of_the_clock(zone: str) -> None:
    random = Random(zone)
    seen: Counter[str] = Counter()
    changes = wall_clock(zone).changes(START, START + 366 * 86400)
    for number in range(160):
        change = changes[number % len(changes)]
        # The times around the change, on any day: what differs, differs there.
        text = (
            f"{random_field(random, 0)} {random.choice(['*', '0-4', '1', '2', '0,3', '*/2', '1-3/2'])} * * *"
        )
        seen += differences(text, zone, change.at - 86400, change.at + 86400)
    print(dict(seen))
    assert len(seen) == 3


def random_table(random: Random) -> tuple[dict[str, object], str]:
    """A table of the manifest and the same as a calendar expression of systemd."""
    hours = sorted(random.sample(range(24), random.choice([1, 1, 2, 3])))
    minute = random.randrange(60)
    fields: dict[str, object] = {"time": [f"{hour:02d}:{minute:02d}" for hour in hours]}
    weekdays = months = ""
    day, month = "*", "*"
    if random.random() < 0.5:
        chosen = sorted(random.sample(range(7), random.choice([1, 2, 3])))
        fields["weekday"] = random.choice([[SHORT_WEEKDAYS[number] for number in chosen], chosen])
        weekdays = ",".join(SHORT_WEEKDAYS[number].capitalize() for number in chosen) + " "
    if random.random() < 0.4:
        numbers = sorted(random.sample(range(1, 13), random.choice([1, 2, 4])))
        fields["month"] = [SHORT_MONTHS[number - 1] for number in numbers]
        month = months = ",".join(str(number) for number in numbers)
    kind = random.random()
    if kind < 0.2:
        fields["day"] = "last"
        return fields, f"{weekdays}*-{month}~1 {','.join(str(hour) for hour in hours)}:{minute}:00 UTC"
    if kind < 0.5:
        first = random.randint(1, 28 if months else 30)
        last = random.randint(first + 1, 31)
        fields["day"] = f"{first}-{last}"
        day = f"{first}..{last}"
    elif kind < 0.8:
        days = sorted(random.sample(range(1, 29), random.choice([1, 2, 5])))
        fields["day"] = random.choice([list(days), ",".join(str(number) for number in days)])
        day = ",".join(str(number) for number in days)
    return fields, f"{weekdays}*-{month}-{day} {','.join(str(hour) for hour in hours)}:{minute}:00 UTC"


def elapses(expressions: list[str], count: int) -> list[list[int]]:
    """The next times of each expression, by systemd."""
    base = datetime.fromtimestamp(START, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    answer = subprocess.run(
        [
            require_tool("systemd-analyze"),
            "calendar",
            f"--iterations={count}",
            f"--base-time={base}",
            *expressions,
        ],
        capture_output=True,
        text=True,
        check=True,
        env={"TZ": "UTC", "LC_ALL": "C"},
    ).stdout
    found: list[list[int]] = []
    for line in answer.splitlines():
        if "Normalized form:" in line:
            found.append([])
        time = re.search(r"(?:Next elapse|Iter\. #\d+): \w+ (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC", line)
        if time is not None:
            found[-1].append(int(datetime.fromisoformat(time[1]).replace(tzinfo=UTC).timestamp()))
    return found


def compare_with_systemd(seed: int, count: int, length: int) -> None:
    random = Random(seed)
    cases = [random_table(random) for _ in range(count)]
    for at in range(0, count, 250):
        batch = cases[at : at + 250]
        theirs = elapses([text for _, text in batch], length)
        assert len(theirs) == len(batch)
        for (fields, text), times in zip(batch, theirs, strict=True):
            slots = first_slots(Schedule(parse_at_table(fields)), START, "UTC", length)
            assert [slot.instant for slot in slots][: len(times)] == times, (fields, text)
            assert times


def test_at_equals_systemd() -> None:
    compare_with_systemd(seed=3, count=120, length=5)


@pytest.mark.slow
def test_at_equals_systemd_two_thousand_times() -> None:
    compare_with_systemd(seed=4, count=2000, length=10)
