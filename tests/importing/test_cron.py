"""Crontabs into the manifest: 300 lines mean what cronsim makes of them; everything else is said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from cronsim import CronSim, CronSimError

from jobs.importing.cron import name_hint, vixie_rule
from jobs.importing.found import Fate
from jobs.model.job import Argv, ShellLine
from jobs.schedule.slots import first_slots
from tests.importing.sources import lost, of_crontab, told

START = datetime(2027, 11, 20, 0, 0, tzinfo=UTC)


def random_field(random: Random, low: int, high: int, names: tuple[str, ...] = ()) -> str:
    """One field in any form that crontab(5) knows."""

    def number() -> str:
        value = random.randint(low, high)
        if names and value - low < len(names) and random.random() < 0.4:
            return random.choice((str.lower, str.upper, str.capitalize))(names[value - low])
        return str(value)

    def part() -> str:
        kind = random.random()
        if kind < 0.5:
            return number()
        first = random.randint(low, high)
        last = random.randint(min(first + 1, high), high)
        if kind < 0.75:
            return f"{first}-{last}"
        if kind < 0.85:
            return f"{first}-{last}/{random.randint(1, max(1, high - low))}"
        return f"*/{random.randint(1, high - low + 1)}"

    if random.random() < 0.4:
        return "*"
    return ",".join(part() for _ in range(random.choice((1, 1, 1, 2, 3))))


def random_lines(count: int) -> list[str]:
    """Expressions that cronsim takes and that fire within its reach; every minute is left to others."""
    random = Random(58)
    months = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
    days = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
    found = [
        "@hourly",
        "@daily",
        "@midnight",
        "@weekly",
        "@monthly",
        "@yearly",
        "@annually",
        "5/15 * * * *",
        "0 3/6 * * *",
    ]
    while len(found) < count:
        text = " ".join(
            (
                random_field(random, 0, 59),
                random_field(random, 0, 23),
                random_field(random, 1, 31) if random.random() < 0.5 else "*",
                random_field(random, 1, 12, months) if random.random() < 0.4 else "*",
                random_field(random, 0, 7, days) if random.random() < 0.5 else "*",
            )
        )
        try:
            next(CronSim(text, START))
        except (CronSimError, StopIteration):
            continue
        if text != "* * * * *":
            found.append(text)
    return found


MACROS = {
    "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
}  # fmt: skip


def test_300_lines_mean_what_cronsim_makes_of_them() -> None:
    lines = random_lines(300)
    result = of_crontab("".join(f"{line} /bin/job{number} --x\n" for number, line in enumerate(lines)))
    carried = {candidate.place.line - 1: candidate for candidate in result.imported}
    refused = [lines[number] for number in range(300) if number not in carried]
    # A day that its star neither leaves open nor decides ("*/40" beside a weekday) has no other form here.
    assert all("*/" in line for line in refused), refused
    assert len(refused) < 10, refused
    assert result.manifest is not None
    for number, candidate in carried.items():
        job = result.manifest.job(candidate.name)
        assert job is not None
        assert job.schedule is not None
        assert job.run == ShellLine(f"/bin/job{number} --x")
        ours = [slot.time for slot in first_slots(job.schedule, int(START.timestamp()), "UTC", 12)]
        theirs = CronSim(MACROS.get(lines[number], lines[number]), START)
        assert ours == [next(theirs).replace(tzinfo=None) for _ in ours], lines[number]
        assert ours[0] > START.replace(tzinfo=None) - timedelta(days=1)


@pytest.mark.parametrize("line", random_lines(60))
def test_the_second_judge_agrees_with_cronsim(line: str) -> None:
    rule = vixie_rule(line)
    assert rule is not None
    theirs = next(CronSim(MACROS.get(line, line), START))
    assert (theirs.minute in rule.minutes, theirs.hour in rule.hours, theirs.month in rule.months) == (
        True,
        True,
        True,
    )


def test_a_crontab_as_people_have_it() -> None:
    text = """# Edit this file to introduce tasks.
SHELL=/bin/bash
PATH=$HOME/bin:/usr/local/bin:$PATH
MAILTO=""
A='b c'

# nightly
30 2 * * * ~/bin/backup.sh --all >> /tmp/b.log 2>&1
@reboot /usr/local/bin/agent   # start
CRON_TZ=Asia/Tokyo
0 9 * * 1-5 date +\\%F
# 0 0 * * * old
"""
    result = of_crontab(text)
    assert lost(result) == []
    assert result.manifest is not None
    backup, agent, date = result.manifest.jobs
    assert backup.run == Argv(("/bin/bash", "-c", "~/bin/backup.sh --all >> /tmp/b.log 2>&1"))
    assert (backup.name, agent.name, date.name) == ("backup", "agent", "date")
    assert backup.cwd == "/Users/kim"
    assert dict(backup.env) == {"A": "b c", "LANG": "en_US.UTF-8", "SHELL": "/bin/bash"}
    assert result.manifest.project.path == ("/Users/kim/bin", "/usr/local/bin", "/usr/bin", "/bin")
    assert agent.at_load
    assert date.schedule is not None
    assert date.schedule.zone == "Asia/Tokyo"
    assert date.run == Argv(("/bin/bash", "-c", "date +%F"))
    lines = result.text.splitlines()
    assert lines[lines.index("# nightly") + 1 :][:2] == ["# from crontab line 8", "[jobs.backup]"]
    assert lines[-1] == "# 0 0 * * * old"
    assert "# Edit this file to introduce tasks." in lines


@pytest.mark.parametrize(
    ("line", "words", "place"),
    [
        pytest.param("0 0 * * * cat%hello", "what follows the %", "crontab:1:11", id="input"),
        pytest.param("0 0 32 * * a", "there is no day of month 32", "crontab:1:5", id="day-32"),
        pytest.param("0 0 30 2 * a", "there is no day 30 in February", "crontab:1:5", id="30-february"),
        pytest.param("0 0 * * fri-mon a", "goes down", "crontab:1:9", id="range-down"),
        pytest.param("H 0 * * * a", "Jenkins", "crontab:1:1", id="jenkins"),
        pytest.param("~ 0 * * * a", "random", "crontab:1:1", id="random-minute"),
        pytest.param("@sometimes a", "there is no @sometimes", "crontab:1:1", id="unknown-word"),
        pytest.param("@AppleNotOnBattery a", "no such condition", "crontab:1:1", id="battery"),
        pytest.param("0 0 * * *", "no command", "crontab:1:1", id="no-command"),
        pytest.param("0 0 * * * a \udcfc", "not UTF-8", "crontab:1:1", id="latin-1"),
        pytest.param("MAILTO=a@b.c\n0 0 * * * a", "sends no mail", "crontab:1:1", id="mail"),
        pytest.param("CRON_TZ=Mars/Base\n0 0 * * * a", "no time zone", "crontab:2:1", id="zone"),
        pytest.param("0 0 */40 * mon a", "the step 40 passes", "crontab:1:7", id="star-that-decides"),
    ],
)
def test_what_cannot_be_carried_is_said_at_its_line(line: str, words: str, place: str) -> None:
    result = of_crontab(f"{line}\n")
    found = [
        str(note.place)
        for candidate in result.candidates
        for note in candidate.notes
        if words in note.message and note.fate in {Fate.LOST, Fate.REFUSED}
    ]
    assert found == [place]
    assert "# not carried: " in result.text


@pytest.mark.parametrize(
    ("line", "cron"),
    [
        pytest.param("*/60 * * * * a", "0 * * * *", id="step-past-the-end"),
        pytest.param("5/15 * * * * a", "5-59/15 * * * *", id="step-without-range"),
        pytest.param("0 10-12/5 * * * a", "0 10 * * *", id="step-past-the-range"),
        pytest.param("0 7 * * 7 a", "0 7 * * 7", id="S56-sunday"),
        pytest.param("0 4 13 * 5 a", "0 4 13 * 5", id="S57-day-or-weekday"),
        pytest.param("0 0 * * * cat%", "0 0 * * *", id="empty-input"),
    ],
)
def test_times(line: str, cron: str) -> None:
    result = of_crontab(f"{line}\n")
    assert [candidate.keys["cron"] for candidate in result.imported] == [cron]
    assert lost(result) == []


def test_the_lines_of_other_users_are_refused() -> None:
    result = of_crontab("0 1 * * * root a\n0 2 * * * kim b\n", user_column=True)
    assert [candidate.name for candidate in result.imported] == ["b"]
    assert told(result, Fate.REFUSED) == ["it is run by root, and the jobs of this manifest by kim"]


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("/Users/kim/bin/backup.sh --all", "backup"),
        ("cd /x/y && ./run-it.py > /dev/null", "run-it"),
        ("/usr/bin/python3 /x/tool.py", "tool"),
        ("A=1 env B=2 nice -n 5 thing", "thing"),
        ("[ -x /x/y ] && /x/z", "y"),
        ("'/x/my script.sh'", "my"),
        ("$HOME/bin/x.job", "x.job"),
        (". /etc/x.env && y.sh", "y"),
        ("", "cron"),
    ],
)
def test_name_hint(command: str, name: str) -> None:
    assert name_hint(command) == name
