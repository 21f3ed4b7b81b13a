"""Rows of `jobs status` from handmade facts: state, last run, missed slots, drift."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jobs.install.receipt import Entry
from jobs.model.job import Argv, Job
from jobs.runtime.breaker import BreakerState
from jobs.runtime.records import Record
from jobs.schedule.rule import Rule, Schedule
from jobs.status.ending import describe_exit
from jobs.status.locks import Holder
from jobs.status.past import Past, read_past
from jobs.status.rows import JobFacts, Launchd, drift, make_row, missed_and_next
from jobs.status.table import age, record, table
from jobs.status.why import why
from jobs.system.launchd_answers import Listed, Service

ZONE = "UTC"
GONE = 99_999_999  # no system gives such a number
NOW = 1_796_120_400  # 2026-12-01 10:20:00 UTC
DAY = 86400
DAILY = Schedule((Rule((30,), (9,)),))
SLOT = "20261201T0930"
ENTRY = Entry("a", "gui/501", "/x/com.example.a.plist", "d1", seen="s1")
IDLE = Launchd(service=Service(state="not running", identity="s1"), asked=True)
JOB = Job("a", "com.example.a", Argv(("/bin/true",)), "/x/a.log", "/", schedule=DAILY)
START = Record(NOW - 3000, "start", reason=None, slot=SLOT, trigger="schedule", pid=GONE)
END = Record(NOW - 2990, "end", reason="ok", slot=SLOT, trigger="schedule", pid=GONE, exit=0, seconds=10)


def missed(found: JobFacts, now: int, zone: str) -> int:
    return missed_and_next(found, now, zone)[0]


def dead(_pid: int, _began: int) -> bool:
    return False


def facts(**changes: Any) -> JobFacts:
    made = JobFacts(JOB, "d1", ENTRY, "d1", IDLE, read_past([END, START], dead), installed=NOW - 30 * DAY)
    return replace(made, **changes)


@pytest.mark.parametrize(
    ("code", "signal", "text"),
    [
        (0, None, "exit 0"),
        (1, None, "exit 1"),
        (78, None, "exit 78: launchd could not start it"),
        (126, None, "exit 126: found, but not executable"),
        (127, None, "exit 127: command not found"),
        (32512, None, "exit 127: command not found"),
        (256, None, "exit 1"),
        (-9, None, "killed by signal 9 (KILL)"),
        (-15, None, "killed by signal 15 (TERM)"),
        (None, 11, "killed by signal 11 (SEGV)"),
        (137, None, "exit 137: a command in it was killed by signal 9 (KILL)"),
        (75, None, "exit 75: stopped by the provider's limit"),
        (124, None, "exit 124: timeout"),
        (None, None, "never ran"),
    ],
)
def test_exit_in_words(code: int | None, signal: int | None, text: str) -> None:
    assert describe_exit(code, signal).startswith(text)


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, "loaded"),
        ({"launchd": Launchd(service=Service(state="running", pid=7), asked=True)}, "running"),
        ({"launchd": Launchd(listed=Listed(7, 0))}, "running"),
        ({"launchd": Launchd(listed=Listed(None, 0))}, "loaded"),
        ({"launchd": Launchd(service=Service(state="spawn scheduled"), asked=True)}, "spawn scheduled"),
        ({"launchd": Launchd(asked=True)}, "not loaded"),
        ({"launchd": Launchd(asked=True, listed=Listed(1, 0))}, "not loaded"),
        ({"launchd": Launchd(asked=True, disabled=True)}, "switched off"),
        ({"launchd": Launchd(asked=True), "entry": None}, "not installed"),
        ({"launchd": Launchd(asked=True), "job": replace(JOB, enabled=False)}, "off in the manifest"),
        ({"launchd": Launchd(domain_error="no desktop session")}, "?"),
    ],
)
def test_state(changes: dict[str, Any], state: str) -> None:
    assert make_row(facts(**changes), NOW, ZONE).state == state


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, None),
        ({"wanted": "d2"}, "the manifest says otherwise"),
        ({"wanted": None}, None),
        ({"file": None}, "was deleted"),
        ({"file": "d9"}, "changed by somebody else"),
        ({"entry": None}, "not installed"),
        ({"entry": replace(ENTRY, pending="d2")}, "not finished"),
        ({"entry": replace(ENTRY, seen="s0")}, "something else loaded"),
        ({"launchd": Launchd(asked=True)}, "does not have it loaded"),
        ({"launchd": replace(IDLE, disabled=True)}, "an override"),
        ({"launchd": Launchd(asked=True, disabled=True), "entry": replace(ENTRY, held=True)}, None),
        ({"launchd": Launchd(domain_error="no session")}, None),
        ({"job": replace(JOB, enabled=False), "entry": None, "launchd": Launchd(asked=True)}, None),
        ({"job": replace(JOB, enabled=False)}, "still installed"),
    ],
)
def test_drift(changes: dict[str, Any], words: str | None) -> None:
    found = drift(facts(**changes))
    assert (len(found) == 1 and words in found[0]) if words else not found


@pytest.mark.parametrize(
    ("records", "count"),
    [
        ([END, START], 0),
        ([], 30),
        ([replace(END, slot="20261128T0930"), replace(START, slot="20261128T0930")], 3),
        ([Record(NOW - 3000, "skip", reason="guard", slot=SLOT), replace(START, slot="20261130T0930")], 0),
        (
            [
                Record(NOW, "missed", reason="not-fired", slot="20261129T0930", to=SLOT, count=3),
                replace(START, slot="20261128T0930"),
            ],
            3,
        ),
        ([replace(END, slot=None, trigger="manual"), replace(START, slot=None), START], 0),
    ],
    ids=[
        "ran",
        "never-ran",
        "S37-three-days",
        "skipped-is-on-record",
        "recorded-misses",
        "run-by-hand-after-the-slot",
    ],
)
def test_missed(records: list[Record], count: int) -> None:
    assert missed(facts(past=read_past(records, dead)), NOW, ZONE) == count


def test_slot_that_is_due_this_moment_is_not_missed() -> None:
    past = read_past([replace(END, slot="20261130T0930"), replace(START, slot="20261130T0930")], dead)
    due = NOW - 50 * 60
    assert missed(facts(past=past), due + 60, ZONE) == 0
    assert missed(facts(past=past), due + 600, ZONE) == 1


def test_slots_before_the_install_do_not_count() -> None:
    assert missed(facts(past=Past(), installed=NOW - 2 * DAY), NOW, ZONE) == 2
    assert missed(facts(past=Past(), installed=0, entry=None), NOW, ZONE) == 0


def test_waiting_slots() -> None:
    skip = Record(NOW - 3000, "skip", reason="guard", slot=SLOT, guard="claude")
    older = replace(START, slot="20261130T0930")
    assert read_past([skip, replace(END, slot="20261130T0930"), older], dead).waiting == (SLOT,)


def test_78_of_launchd_is_newer_than_the_records() -> None:
    row = make_row(
        facts(launchd=Launchd(service=Service(state="not running", exit_code=78), asked=True)), NOW, ZONE
    )
    assert row.last_text.startswith("exit 78")


def test_table_and_json() -> None:
    breaker = BreakerState("open", NOW + 3600, "quota", 0, NOW - 60, "a", "limit reached")
    row = make_row(
        facts(guards={"claude": breaker}, holder=Holder(77, NOW - 300, "a", alive=True), wanted="d2"),
        NOW,
        ZONE,
    )
    text = table([row], NOW)
    assert text[0].split() == ["JOB", "STATE", "LAST", "RUN", "ENDED", "NEXT", "MISSED", "GUARD", "LOCK"]
    assert "50m ago" in text[1]
    assert "claude open until" in text[1]
    assert "77 5m" in text[1]
    assert text[2].startswith("  drift: the manifest says otherwise")
    found = record(row)
    assert found["next_slot"] == "20261202T0930"
    assert found["guards"] == {
        "claude": {"state": "open", "until": NOW + 3600, "kind": "quota", "words": "limit reached"}
    }


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0s"), (119, "119s"), (120, "2m"), (7200, "2h"), (200000, "2d"), (-5, "0s")]
)
def test_age(seconds: int, text: str) -> None:
    assert age(seconds) == text


GUARD_SKIP = Record(NOW - 3000, "skip", reason="guard", slot=SLOT, guard="claude")
FAILED = replace(END, reason="failed", exit=127)


@pytest.mark.parametrize(
    ("changes", "records", "words"),
    [
        (
            {},
            [END, START],
            [
                "The last slot was 2026-12-01 09:30.",
                "ended well after 10s",
                "The next slot is 2026-12-02 09:30",
            ],
        ),
        ({}, [FAILED, START], ["failed, exit 127: command not found", "Its log ends with: npx: not found"]),
        ({}, [START], ["vanished"]),
        ({}, [GUARD_SKIP], ["skipped because the guard claude was open", "nothing makes it up"]),
        ({}, [], ["Nothing is on record", "off, asleep or nobody was logged in"]),
        ({"launchd": Launchd(asked=True)}, [], ["does not have a loaded"]),
        ({"launchd": Launchd(service=Service(exit_code=78), asked=True)}, [], ["launchd says 78"]),
        ({"installed": NOW - 60}, [], ["before the job was installed"]),
        ({"job": replace(JOB, enabled=False)}, [], ["switched off in the manifest"]),
        ({"entry": None}, [], ["is not installed"]),
        ({"job": replace(JOB, schedule=None, every_s=60)}, [END, START], ["ended well"]),
        (
            {},
            [Record(NOW, "missed", reason="not-fired", slot="20261129T0930", to="20261202T0930", count=3)],
            ["passed without being started"],
        ),
        ({}, [Record(NOW - 3000, "skip", reason="lock", slot=SLOT)], ["the lock was held"]),
    ],
)
def test_why(changes: dict[str, Any], records: list[Record], words: list[str]) -> None:
    text = why(
        facts(past=read_past(records, dead), **changes), records, ["", "npx: not found", ""], NOW, ZONE
    )
    assert "\n" not in text
    for word in words:
        assert word in text
