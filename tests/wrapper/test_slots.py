"""Slots: what is due, what is late, what was missed; the clock is passed in."""

from __future__ import annotations

from typing import Any

import pytest

from jobs.model.job import CatchupSettings, JobCatchup, Once
from jobs.schedule.rule import Rule, Schedule
from tests.wrapper.sandbox import DAY, EVERY_MINUTE, NOON, Sandbox, daily

HOUR = 3600
ECHO = 'echo "$JOBS_SLOT $JOBS_LATE $JOBS_MISSED $JOBS_TRIGGER"'


def installed(sandbox: Sandbox, name: str, since: int) -> None:
    """Note the install as `jobs install` does."""
    folder = sandbox.state / "since"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"{since}\n")


@pytest.mark.parametrize(
    ("schedule", "offset", "slot", "late"),
    [
        pytest.param(daily(12), 2, "20261201T1200", 2, id="on-time"),
        pytest.param(daily(12), -20, "20261201T1200", 0, id="timer-fires-a-moment-early"),
        pytest.param(daily(12), -40, "20261130T1200", DAY - 40, id="too-early-is-yesterday's"),
        pytest.param(daily(11, 59), 0, "20261201T1159", 60, id="a-minute-late"),
        pytest.param(daily(12), 5 * HOUR, "20261201T1200", 5 * HOUR, id="after-sleep"),
        pytest.param(daily(21, 0, "Asia/Tokyo"), 1, "20261201T2100", 1, id="other-zone"),
        pytest.param(daily(17, 30, "Asia/Kolkata"), 1, "20261201T1730", 1, id="half-hour-zone"),
        pytest.param(
            daily(1, 0, "Pacific/Kiritimati"), HOUR, "20261202T0100", 2 * HOUR, id="already-tomorrow-there"
        ),
        pytest.param(
            Schedule((Rule((0,), (9,), weekdays=(1,)),), "UTC"), 0, "20261130T0900", 27 * HOUR, id="monday"
        ),
        pytest.param(
            Schedule((Rule((0,), (9,), days=(0,)),), "UTC"),
            0,
            "20261130T0900",
            27 * HOUR,
            id="last-of-the-month",
        ),
        pytest.param(
            Schedule((Rule((0, 30), (8, 18)), Rule((15,), (11,))), "UTC"),
            0,
            "20261201T1115",
            45 * 60,
            id="two-rules",
        ),
        pytest.param(
            Schedule((Rule((0,), (7,), days=(13,), weekdays=(2,), either=True),), "UTC"),
            0,
            "20261201T0700",
            5 * HOUR,
            id="cron-either-by-weekday",
        ),
        pytest.param(EVERY_MINUTE, 59, "20261201T1201", 0, id="every-minute"),
    ],
)
def test_the_newest_due_slot_runs_once(
    any_shell: Sandbox, schedule: Schedule, offset: int, slot: str, late: int
) -> None:
    any_shell.add("job", ECHO, schedule=schedule)
    installed(any_shell, "job", NOON - 5 * DAY)
    (any_shell.state / "slots").mkdir()
    for _ in range(2):
        assert any_shell.run("job", now=NOON + offset) == 0
    ran = [line.split() for line in any_shell.said("job").splitlines()]
    assert [(words[0], words[1], words[3]) for words in ran] == [(slot, str(late), "schedule")]
    assert any_shell.story("job")[-2:] == ["end ok", "skip not-due"]
    assert any_shell.claims("job") == [slot]


@pytest.mark.parametrize(
    ("zone", "schedule", "fires", "slots"),
    [
        pytest.param(
            "America/New_York",
            (2, 30),
            [
                1772951400,
                1772953200,
                1772955000,
            ],  # 01:30 EST, 03:00 EDT (the gap's end), 03:30 EDT on 8 March 2026
            [("20260307T0230", None), ("20260308T0230", 0)],
            id="spring-gap-runs-at-its-end",
        ),
        pytest.param(
            "America/New_York",
            (1, 30),
            [1793511000, 1793514600],  # 01:30 EDT and 01:30 EST on 1 November 2026
            [("20261101T0130", 0)],
            id="autumn-twice-runs-the-first-time",
        ),
        pytest.param(
            "America/New_York",
            (1, 30),
            [1793513400],  # 01:10 EST, the second pass: the Mac slept through the first
            [("20261101T0130", 2400)],
            id="autumn-asleep-in-the-first-pass",
        ),
        pytest.param(
            "Europe/Berlin",
            (9, 0),
            [1792908000, 1792911600, 1792915200],  # 07:00, 08:00 and 09:00 CET on 25 October 2026
            [("20261024T0900", None), ("20261025T0900", 0)],
            id="launchd-an-hour-early",
        ),
    ],
)
def test_clock_changes(
    any_shell: Sandbox,
    zone: str,
    schedule: tuple[int, int],
    fires: list[int],
    slots: list[tuple[str, int | None]],
) -> None:
    any_shell.add("job", ECHO, schedule=daily(*schedule, zone))
    for fire in fires:
        assert any_shell.run("job", now=fire) == 0
    ran = [line.split()[:2] for line in any_shell.said("job").splitlines()]
    assert [slot for slot, _ in ran] == [slot for slot, _ in slots]
    assert [int(late) for (_, late), (_, wanted) in zip(ran, slots, strict=True) if wanted is not None] == [
        wanted for _, wanted in slots if wanted is not None
    ]


def test_next_day_runs_again_and_missed_days_are_counted(any_shell: Sandbox) -> None:
    any_shell.add("job", ECHO, schedule=daily(9))
    for days in (0, 1, 5):
        assert any_shell.run("job", now=NOON + days * DAY) == 0
    assert [line.split()[0:3:2] for line in any_shell.said("job").splitlines()] == [
        ["20261201T0900", "0"],
        ["20261202T0900", "0"],
        ["20261206T0900", "3"],
    ]
    missed = [record for record in any_shell.records("job") if record["event"] == "missed"]
    assert [(r["reason"], r["slot"], r["to"], r["count"]) for r in missed] == [
        ("not-fired", "20261203T0900", "20261205T0900", 3)
    ]


@pytest.mark.parametrize(
    ("keys", "late", "story"),
    [
        pytest.param({"deadline_s": 600}, 600, "end ok", id="at-the-deadline"),
        pytest.param({"deadline_s": 600}, 601, "missed expired", id="past-the-deadline"),
        pytest.param({}, 5 * DAY, "end ok", id="five-days-of-sleep"),
        pytest.param({}, 6 * DAY + 60, "missed expired", id="six-days-are-too-long"),
        pytest.param({}, 7 * DAY, "skip not-due", id="longer-ago-is-not-looked-for"),
    ],
)
def test_deadline(sandbox: Sandbox, keys: dict[str, Any], late: int, story: str) -> None:
    sandbox.add("job", ECHO, schedule=Schedule((Rule((0,), (12,), days=(1,)),), "UTC"), **keys)
    installed(sandbox, "job", NOON - 60)
    assert sandbox.run("job", now=NOON + late) == 0
    assert sandbox.story("job") == [story]
    assert sandbox.run("job", now=NOON + late) == 0
    assert len([line for line in sandbox.story("job") if line != "skip not-due"]) <= 1


def test_slots_from_before_the_install_do_not_count(sandbox: Sandbox) -> None:
    sandbox.add("job", ECHO, schedule=daily(9))
    installed(sandbox, "job", NOON - HOUR)
    assert sandbox.run("job", now=NOON) == 0
    assert sandbox.story("job") == ["skip not-due"]
    assert "jobsctl run job" in sandbox.log("job").read_text()
    assert sandbox.run("job", now=NOON + 22 * HOUR) == 0
    assert sandbox.claims("job") == ["20261202T0900"]


def test_a_clock_set_back_runs_nothing_again(sandbox: Sandbox) -> None:
    sandbox.add("job", ECHO, schedule=daily(9))
    assert sandbox.run("job", now=NOON) == 0
    assert sandbox.run("job", now=NOON - 2 * DAY) == 0
    assert sandbox.run("job", now=NOON) == 0
    assert sandbox.story("job") == ["end ok", "skip not-due", "skip not-due"]


def test_a_manual_run_makes_up_the_due_slot_or_runs_without_one(sandbox: Sandbox) -> None:
    sandbox.add("job", ECHO, schedule=daily(9))
    assert sandbox.run("job", now=NOON, trigger="manual") == 0
    assert sandbox.run("job", now=NOON, trigger="manual") == 0
    assert sandbox.run("job", now=NOON) == 0
    assert [line.split()[0] for line in sandbox.said("job").splitlines()] == ["20261201T0900", "0"]
    assert sandbox.story("job") == ["end ok", "end ok", "skip not-due"]


def test_a_coarse_plist_makes_no_noise(any_shell: Sandbox) -> None:
    """Its fires between the slots leave nothing in the log or the records; a catch-up that asked is answered."""
    any_shell.add("job", ECHO, schedule=daily(9), exact=False)
    for _ in range(3):
        assert any_shell.run("job", now=NOON) == 0
    assert any_shell.log("job").read_text().count("\n") == 3  # start, its output, end
    assert any_shell.story("job") == ["end ok"]
    assert any_shell.run("job", now=NOON, trigger="catchup") == 0
    assert any_shell.story("job") == ["end ok", "skip not-due"]


def test_watch_beside_a_calendar_runs_for_events_too(sandbox: Sandbox) -> None:
    sandbox.add("job", ECHO, schedule=daily(9), watch=("/tmp/x",))
    assert sandbox.run("job", now=NOON) == 0
    assert sandbox.run("job", now=NOON) == 0
    assert [line.split()[-1] for line in sandbox.said("job").splitlines()] == ["schedule", "watch"]


@pytest.mark.parametrize(
    "content", ["", "garbage", "20261201T0900 ran", "\0\0\0", "a b c d e f", "x y -1 z w"]
)
def test_a_damaged_cursor_costs_nothing(any_shell: Sandbox, content: str) -> None:
    any_shell.add("job", ECHO, schedule=daily(9))
    assert any_shell.run("job", now=NOON) == 0
    (any_shell.state / "slots" / "job").write_text(content)
    assert any_shell.run("job", now=NOON) == 0
    assert any_shell.story("job") == ["end ok", "skip not-due"]


class TestOnce:
    """`once`: at most one run per period, whatever the number of starts."""

    @pytest.mark.parametrize(
        ("per", "again_after"),
        [("hour", HOUR), ("day", DAY), ("week", 6 * DAY), ("month", 31 * DAY)],
    )
    def test_periods(self, any_shell: Sandbox, per: Any, again_after: int) -> None:
        any_shell.add("job", "echo ran", every_s=60, once=Once(per))
        for seconds in (0, 30, again_after):
            assert any_shell.run("job", now=NOON + seconds, env={"TZ": "UTC"}) == 0
        assert any_shell.story("job") == ["end ok", "skip once", "end ok"]

    @pytest.mark.parametrize(
        ("epoch", "name"),
        [
            (1798675200, "week-2026W53"),  # Thursday 31 December 2026
            (1798934400, "week-2026W53"),  # Sunday 3 January 2027
            (1799020800, "week-2027W01"),  # Monday 4 January 2027
            (1735560000, "week-2025W01"),  # Monday 30 December 2024
        ],
    )
    def test_iso_weeks(self, sandbox: Sandbox, epoch: int, name: str) -> None:
        sandbox.add("job", "echo ran", every_s=60, once=Once("week"))
        assert sandbox.run("job", now=epoch, env={"TZ": "UTC"}) == 0
        assert sandbox.claims("job") == [name]

    def test_a_hundred_starts_run_once_and_the_next_day_once_again(self, sandbox: Sandbox) -> None:
        sandbox.add("job", "echo ran", schedule=daily(9), once=Once("day"))
        for day in (0, 1):
            starts = [sandbox.start("job", now=NOON + day * DAY) for _ in range(100)]
            assert {process.wait(timeout=60) for process in starts} == {0}
        assert sandbox.said("job") == "ran\nran\n"

    def test_the_period_is_the_slots_own(self, sandbox: Sandbox) -> None:
        sandbox.add("job", ECHO, schedule=daily(23, 50), once=Once("day"))
        assert sandbox.run("job", now=NOON + 12 * HOUR + 600) == 0  # ten past midnight
        assert sandbox.run("job", now=NOON + 36 * HOUR - 300) == 0  # the same evening
        assert sandbox.claims("job") == ["20261201T2350", "20261202T2350", "day-20261201", "day-20261202"]

    def test_a_second_slot_of_the_day_is_a_skip_not_a_loss(self, sandbox: Sandbox) -> None:
        sandbox.add("job", ECHO, schedule=Schedule((Rule((0,), (9, 11)),), "UTC"), once=Once("day"))
        for hours in (-3, -1, -1, 21):
            assert sandbox.run("job", now=NOON + hours * HOUR) == 0
        assert sandbox.story("job") == ["end ok", "skip once", "skip not-due", "end ok"]

    def test_force_runs_again(self, sandbox: Sandbox) -> None:
        sandbox.add("job", "echo ran", every_s=60, once=Once("day"))
        for env in ({}, {}, {"JOBS_FORCE": "1"}):
            assert sandbox.run("job", now=NOON, trigger="manual", env=env) == 0
        assert sandbox.story("job") == ["end ok", "skip once", "end ok"]

    def test_mark_success_lets_a_failed_run_be_tried_again(self, any_shell: Sandbox) -> None:
        any_shell.add(
            "job",
            "[ -e ok ] || { touch ok; exit 1; }; echo ran",
            schedule=daily(9),
            once=Once("day", "success"),
        )
        statuses = [any_shell.run("job", now=NOON + minute * 60) for minute in range(3)]
        assert statuses == [1, 0, 0]
        assert any_shell.story("job") == ["end failed", "end ok", "skip not-due"]

    def test_mark_success_tries_within_the_window_only(self, sandbox: Sandbox) -> None:
        sandbox.add("job", "exit 1", schedule=daily(9), once=Once("day", "success"))
        assert [sandbox.run("job", now=NOON + hours * HOUR) for hours in (0, 1, 12, 13)] == [1, 1, 0, 0]
        assert sandbox.story("job") == ["end failed", "end failed", "missed expired", "skip not-due"]


class TestRequest:
    """What catch-up asks for by a file, since launchctl kickstart can pass no words."""

    @pytest.mark.parametrize(
        ("content", "trigger"),
        [
            pytest.param(f"catchup 20261201T0900 {NOON + 60}", "catchup", id="taken"),
            pytest.param(f"catchup 20261201T0900 {NOON - 1}", "schedule", id="too-old"),
            pytest.param("catchup", "schedule", id="cut"),
            pytest.param("", "schedule", id="empty"),
            pytest.param(f"other x {NOON + 60}", "schedule", id="unknown-word"),
        ],
    )
    def test_taken_once(self, sandbox: Sandbox, content: str, trigger: str) -> None:
        sandbox.add("job", ECHO, schedule=daily(9), catchup=JobCatchup(("guard",), "today"))
        sandbox.guards = ()
        request = sandbox.state / "requests" / "job"
        request.parent.mkdir(parents=True)
        request.write_text(content + "\n")
        assert sandbox.run("job", now=NOON) == 0
        assert sandbox.said("job").split()[-1] == trigger
        assert not request.exists()
        assert CatchupSettings().window == "today"


def test_a_claim_without_a_start_becomes_a_record(sandbox: Sandbox) -> None:
    """kill -9 between claim and record: the next slot tells of it, and of a run that did begin it does not."""
    schedule = Schedule((Rule((0,), (9, 10, 12)),), "UTC")
    sandbox.add("job", "true", schedule=schedule)
    assert sandbox.run("job", now=NOON - 3 * 3600 + 1) == 0
    (sandbox.state / "claims" / "job" / "20261201T1000").mkdir()
    assert sandbox.run("job", now=NOON + 1) == 0
    assert sandbox.story("job") == ["end ok", "missed cut-off", "end ok"]
    assert sandbox.records("job")[-2]["missed"] == 1
    assert sandbox.run("job", now=NOON + DAY - 3 * 3600 + 1) == 0
    assert sandbox.story("job").count("missed cut-off") == 1
