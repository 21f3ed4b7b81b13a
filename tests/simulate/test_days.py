"""Days that are told: what is skipped, made up, late, missed, and said about it."""

from __future__ import annotations

from typing import Any

import pytest

from jobs.model.job import CatchupSettings, Job, JobCatchup, KeepAlive, Lock, Manifest, Once
from jobs.schedule.firing import Reading
from jobs.simulate.result import Result, simulate
from jobs.simulate.scenario import Scenario
from jobs.simulate.text import lines
from tests.simulate.days import HOUR, TOKYO, day, job, manifest

GUARDED: dict[str, Any] = {"guards": ("claude",)}
NO_CATCHUP = CatchupSettings(every_s=None)


def told(found: Manifest, scenario: Scenario) -> list[str]:
    """Each slot's line, with the job's name in front, without folding."""
    result = simulate(found, scenario)
    name, report = "", []
    for line in lines(result):
        if line and not line.startswith(" "):
            name = line
        elif line.startswith("  ") and name in {one.name for one in found.jobs}:
            report.append(f"{name} {' '.join(line.split())}")
    return report


CASES = [
    pytest.param(
        (job("article", "09:00", "18:00", **GUARDED),),
        day(out=["08:50-10:00"]),
        [
            "article 09:00 refused at 09:00:05 (claude: open until 10:02), made up at 10:15",
            "article 18:00 on time",
        ],
        id="the-second-article's-day",
    ),
    pytest.param(
        (job("digest", "08:55", **GUARDED), job("article", "09:00", "18:00", **GUARDED)),
        day(out=["08:50-10:00"]),
        [
            "digest 08:55 refused at 08:55:05 (claude: open until 10:02), made up at 10:15",
            "article 09:00 skipped at 09:00 (guard claude open until 10:02), made up at 10:16:10",
            "article 18:00 on time",
        ],
        id="oldest-first-with-a-pause-of-ten-seconds",
    ),
    pytest.param(
        (job("article", "09:00", **GUARDED),),
        day(out=["08:50-10:00"], named=False),
        [
            (
                "article 09:00 refused at 09:00:05 (claude: open until 09:15),"
                " refused at 09:30:05 (claude: open until 10:00), made up at 10:15"
            )
        ],
        id="without-a-named-reset-the-steps-double",
    ),
    pytest.param(
        (job("article", "09:00", "09:30", **GUARDED),),
        day(out=["08:50-10:00"]),
        [
            (
                "article 09:00 refused at 09:00:05 (claude: open until 10:02), missed: skipped, and a newer slot came "
                "before it could be made up"
            ),
            "article 09:30 skipped at 09:30 (guard claude open until 10:02), made up at 10:15",
        ],
        id="a-newer-slot-supersedes",
    ),
    pytest.param(
        (job("article", "09:00", **GUARDED),),
        day(out=["08:50-24:00"]),
        [
            "article 09:00 refused at 09:00:05 (claude: open until 00:02), still due at the end: the tool refused"
        ],
        id="no-quota-until-midnight",
    ),
    pytest.param(
        (job("article", "09:00", **GUARDED),),
        day(end="2026-12-03", out=["2026-12-01T08:50..2026-12-02T01:00"]),
        [
            (
                "article 12-01 09:00 refused at 12-01 09:00:05 (claude: open until 12-02 01:02), "
                "missed: its deadline or window had passed"
            ),
            "article 12-02 09:00 on time",
        ],
        id="the-window-is-over-at-midnight",
    ),
    pytest.param(
        (job("article", "09:00", timeout_s=1800, **GUARDED),),
        day(out=["09:20-10:00"], lengths={"article": 1500}),
        ["article 09:00 refused at 09:20:05 (claude: open until 10:02), made up at 10:15"],
        id="the-quota-ends-on-the-way",
    ),
    pytest.param(
        (job("plain", "23:45", "07:00", "08:00"),),
        day(end="2026-12-03", asleep=["23:30-08:10"]),
        [
            "plain 12-01 07:00 missed: the Mac slept, and one start at its wake stands for all",
            "plain 12-01 08:00 ran at 12-01 08:10, 10m late: the Mac was asleep",
            "plain 12-01 23:45 missed: the Mac slept, and one start at its wake stands for all",
            "plain 12-02 07:00 missed: the Mac slept, and one start at its wake stands for all",
            "plain 12-02 08:00 ran at 12-02 08:10, 10m late: the Mac was asleep",
            "plain 12-02 23:45 still due at the end: the Mac slept, and one start at its wake stands for all",
        ],
        id="sleep-makes-one-start-of-many",
    ),
    pytest.param(
        (job("plain", "09:00", "12:30"),),
        day(off=["2026-12-01T12:00..2026-12-01T13:00"]),
        ["plain 09:00 on time", "plain 12:30 missed: the Mac was off"],
        id="off-is-lost",
    ),
    pytest.param(
        (job("plain", "12:30", catchup=JobCatchup(("missed",), "today")),),
        day(off=["12:00-13:00"]),
        ["plain 12:30 made up at 13:00"],
        id="off-is-made-up-if-asked",
    ),
    pytest.param(
        (job("plain", "12:30", at_load=True),),
        day(off=["12:00-13:00"]),
        ["plain 12:30 ran at 13:00, 30m late: the Mac was off"],
        id="at-load-runs-what-is-due",
    ),
    pytest.param(
        (job("plain", "11:59", "18:00"),),
        day(off=["12:00-13:00"], lengths={"plain": 600}),
        ["plain 11:59 on time, killed", "plain 18:00 on time"],
        id="switching-off-ends-what-runs",
    ),
    pytest.param(
        (job("slow", "09:00", "09:10", "10:30"),),
        day(lengths={"slow": 1800}),
        [
            "slow 09:00 on time",
            "slow 09:10 ran at 09:30, 20m late: the job was still running",
            "slow 10:30 on time",
        ],
        id="a-fire-while-running-waits",
    ),
    pytest.param(
        (job("slow", "09:00", timeout_s=600),),
        day(lengths={"slow": 1800}),
        ["slow 09:00 on time, timeout"],
        id="time-limit",
    ),
    pytest.param(
        (job("a", "09:00", lock=Lock("site")), job("b", "09:00", lock=Lock("site", wait_s=600))),
        day(lengths={"a": 300}),
        ["a 09:00 on time", "b 09:00 ran at 09:05, 5m late: waited for its lock"],
        id="lock-waits",
    ),
    pytest.param(
        (job("a", "09:00", lock=Lock("site")), job("b", "09:00", "10:00", lock=Lock("site"))),
        day(lengths={"a": 300}),
        [
            "a 09:00 on time",
            (
                "b 09:00 skipped at 09:00 (its lock was held), missed: skipped, and a newer slot came before it could "
                "be made up"
            ),
            "b 10:00 on time",
        ],
        id="lock-skips",
    ),
    pytest.param(
        (
            job("a", "09:00", lock=Lock("site")),
            job("b", "09:00", lock=Lock("site"), catchup=JobCatchup(("busy",), "today")),
        ),
        day(lengths={"a": 300}),
        [
            "a 09:00 on time",
            "b 09:00 skipped at 09:00 (its lock was held), skipped at 09:00:10 (its lock was held), made up at 09:15",
        ],
        id="busy-is-made-up-if-asked",
    ),
    pytest.param(
        (job("daily", "09:00", "18:00", once=Once("day")),),
        day(),
        ["daily 09:00 on time", "daily 18:00 not needed: it had run already in that day"],
        id="once-a-day",
    ),
    pytest.param(
        (
            job(
                "retry",
                "09:00",
                once=Once("slot", "success"),
                catchup=JobCatchup(("failed",), "today"),
            ),
        ),
        day(fails=frozenset({("retry", "09:00")})),
        None,
        id="a-failed-run-is-tried-again-and-again",
    ),
    pytest.param(
        (job("late", "07:00", deadline_s=1800),),
        day(asleep=["06:00-08:10"]),
        ["late 07:00 missed: its deadline or window had passed"],
        id="deadline",
    ),
]


@pytest.mark.parametrize(("jobs", "scenario", "report"), CASES)
def test_a_day(jobs: tuple[Job, ...], scenario: Scenario, report: list[str] | None) -> None:
    found = told(manifest(*jobs), scenario)
    if report is None:
        assert found[0].startswith("retry 09:00 failed at 09:00, failed at 09:15")
    else:
        assert found == report


def play(scenario: Scenario, *jobs: Job, catchup: CatchupSettings | None = None) -> Result:
    return simulate(manifest(*jobs, catchup=catchup), scenario)


def test_an_interval_counts_time_awake_and_its_phase_moves() -> None:
    result = play(day(asleep=["01:10-08:00"]), job("inbox", every_s=1800))
    report = list(lines(result))
    at = report.index("inbox, every 30m")
    assert report[at + 1 : at + 5] == [
        "  34 starts, 34 ran",
        "  from 00:30, 2 times",
        "  then, out of step with before, from 08:20, 32 times",
        "  13 lost: an interval counts only time awake, and begins anew when the Mac is switched on",
    ]


@pytest.mark.parametrize(
    ("reading", "runs", "dropped"),
    [pytest.param(Reading.MANUAL, 12, 11, id="manual"), pytest.param(Reading.RELEASE_842, 18, 0, id="842")],
)
def test_an_interval_shorter_than_its_job(reading: Reading, runs: int, dropped: int) -> None:
    result = play(
        day(lengths={"slow": 2400}, reading=reading, end="2026-12-01T12:00"), job("slow", every_s=1800)
    )
    (told_of,) = result.intervals
    assert (len(result.runs), told_of.dropped) == (runs, dropped)


def test_only_one_run_tries_an_open_breaker() -> None:
    jobs = [job(name, at, **GUARDED) for name, at in (("a", "09:00"), ("b", "10:05"), ("c", "10:05"))]
    result = play(day(out=["08:50-10:00"]), *jobs, catchup=NO_CATCHUP)
    assert [(story.job, story.outcome, [one.what for one in story.happenings]) for story in result.slots] == [
        ("a", "due", ["run"]),
        ("b", "on time", ["run"]),
        ("c", "due", ["canary"]),
    ]


def test_what_is_not_simulated_is_said() -> None:
    result = play(
        day(),
        job("off", "09:00", enabled=False),
        job("in", watch=("/Users/kim/in",)),
        job("server", keep_alive=KeepAlive()),
    )
    assert [name for name, _ in result.apart] == ["off", "in", "server"]
    assert result.slots == ()
    assert "0 slots: 0 on time." in list(lines(result))


def test_collisions_are_counted_with_all_that_take_part() -> None:
    result = play(
        day(lengths={"a": HOUR, "b": 600, "c": 600}),
        job("a", "09:00"),
        job("b", "09:10"),
        job("c", "09:15", "12:00"),
    )
    assert [(one.jobs, one.most, one.end - one.begin) for one in result.collisions] == [
        (("a", "b", "c"), 3, 900)
    ]


def test_a_seed_gives_the_same_lengths_again_and_another_seed_others() -> None:
    ends = [
        [run.ended for run in play(day(zone=TOKYO, seed=seed), job("a", "09:00", "18:00")).runs]
        for seed in (1, 1, 2)
    ]
    assert ends[0] == ends[1] != ends[2]


def test_uneventful_slots_share_a_line() -> None:
    result = play(day(), job("sales", *(f"{hour:02d}:00" for hour in range(9, 18))))
    assert "  09:00 to 17:00  9 slots, all on time" in list(lines(result))
