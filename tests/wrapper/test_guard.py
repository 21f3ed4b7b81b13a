"""The breaker as the wrapper sees it: skip, canary, open, close."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jobs.model.job import Guard, Once
from tests.wrapper.sandbox import DAY, NOON, Sandbox, daily, kill_group, wait_until

QUOTA = r"""printf "You've hit your session limit \302\267 resets 1pm (UTC)\n"; exit 1"""


def judge(sandbox: Sandbox, answer: str) -> Path:
    """A judge that always gives this answer and notes how it was called."""
    program = sandbox.base / "judge"
    program.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" >>'{sandbox.base}/asked'\necho '{answer}'\n")
    program.chmod(0o755)
    sandbox.state.mkdir(exist_ok=True)
    (sandbox.state / "tool").write_text(f"{program}\n")
    return sandbox.base / "asked"


def breaker(sandbox: Sandbox) -> list[str] | None:
    path = sandbox.state / "guard" / "claude"
    return path.read_text().splitlines()[0].split() if path.exists() else None


def guarded(sandbox: Sandbox, line: str, **keys: Any) -> None:
    sandbox.add("job", line, schedule=daily(9), guards=("claude",), **keys)


@pytest.mark.parametrize(
    ("until", "kind", "story"),
    [
        pytest.param(NOON + 60, "quota", "skip guard", id="open"),
        pytest.param(0, "billing", "skip guard", id="until-told"),
        pytest.param(NOON + 30 * DAY, "manual", "skip guard", id="tripped-by-hand-for-a-month"),
        pytest.param(NOON - 1, "quota", "end ok", id="half-open"),
        pytest.param(NOON + 30 * DAY, "quota", "end ok", id="from-the-future"),
    ],
)
def test_open_or_not(any_shell: Sandbox, until: int, kind: str, story: str) -> None:
    guarded(any_shell, "echo ran")
    any_shell.open_guard(until, kind=kind)
    assert any_shell.run("job", now=NOON) == 0
    assert any_shell.story("job") == [story]


@pytest.mark.parametrize(
    "content", ["", "1 open", "2 open 9 quota 0 9 j", "\0", "1 open x quota y z j", "garbage\n" * 99]
)
def test_a_breaker_that_cannot_be_read_counts_as_closed(any_shell: Sandbox, content: str) -> None:
    guarded(any_shell, "echo ran")
    any_shell.open_guard(0)
    (any_shell.state / "guard" / "claude").write_text(content)
    assert any_shell.run("job", now=NOON) == 0
    assert any_shell.story("job") == ["end ok"]
    assert "taken as closed" in any_shell.log("job").read_text()


def test_a_skip_leaves_the_slot_and_the_day_free_and_is_noted_once(any_shell: Sandbox) -> None:
    guarded(any_shell, "echo ran", once=Once("day"))
    any_shell.open_guard(NOON + 900)
    for minute in (0, 5, 10):
        assert any_shell.run("job", now=NOON + minute * 60) == 0
    assert any_shell.story("job") == ["skip guard"]
    assert any_shell.claims("job") == []
    skip = any_shell.records("job")[0]
    assert (skip["slot"], skip["guard"], skip["until"]) == ("20261201T0900", "claude", NOON + 900)
    assert any_shell.run("job", now=NOON + 1000) == 0
    assert any_shell.story("job") == ["skip guard", "end ok"]
    assert breaker(any_shell) is None


def test_a_skipped_slot_is_not_run_on_another_day(sandbox: Sandbox) -> None:
    guarded(sandbox, "echo ran")
    sandbox.open_guard(NOON + 900)
    assert sandbox.run("job", now=NOON) == 0
    (sandbox.state / "guard" / "claude").unlink()
    assert sandbox.run("job", now=NOON + 13 * 3600) == 0
    assert sandbox.story("job") == ["skip guard", "missed expired"]
    assert sandbox.run("job", now=NOON + DAY) == 0
    assert [record["missed"] for record in sandbox.records("job") if record["event"] == "start"] == [1]


def test_a_newer_slot_supersedes_the_skipped_one(sandbox: Sandbox) -> None:
    guarded(sandbox, "echo $JOBS_MISSED")
    sandbox.open_guard(NOON + 900)
    assert sandbox.run("job", now=NOON) == 0
    assert sandbox.run("job", now=NOON + DAY) == 0
    assert sandbox.story("job") == ["skip guard", "missed superseded", "end ok"]
    assert sandbox.said("job") == "1\n"


def test_one_canary_while_the_others_skip(sandbox: Sandbox) -> None:
    sandbox.open_guard(NOON - 1)
    go = sandbox.base / "go"
    sandbox.add(
        "canary", f"echo up; until [ -e '{go}' ]; do sleep 0.05; done", every_s=60, guards=("claude",)
    )
    guarded(sandbox, "echo ran")
    first = sandbox.start("canary", now=NOON)
    wait_until(lambda: sandbox.log("canary").exists() and "up" in sandbox.said("canary"))
    assert sandbox.run("job", now=NOON) == 0
    assert sandbox.story("job") == ["skip canary"]
    go.touch()
    assert first.wait(timeout=30) == 0
    assert breaker(sandbox) is None
    assert sandbox.run("job", now=NOON) == 0
    assert sandbox.story("job") == ["skip canary", "end ok"]


def test_a_killed_canary_does_not_keep_the_breaker_half_open(sandbox: Sandbox) -> None:
    sandbox.open_guard(NOON - 1)
    sandbox.add("canary", "echo up; exec sleep 300", every_s=60, guards=("claude",))
    guarded(sandbox, "echo ran")
    first = sandbox.start("canary", now=NOON)
    wait_until(lambda: sandbox.log("canary").exists() and "up" in sandbox.said("canary"))
    kill_group(first.pid)
    first.wait(timeout=30)
    assert sandbox.run("job", now=NOON) == 0
    assert sandbox.story("job") == ["end ok"]


def test_a_canary_that_fails_for_another_reason_decides_nothing(sandbox: Sandbox) -> None:
    sandbox.open_guard(NOON - 1)
    guarded(sandbox, "echo broken; exit 1")
    assert sandbox.run("job", now=NOON) == 1
    assert sandbox.story("job") == ["end failed"]
    assert breaker(sandbox) == ["1", "open", str(NOON - 1), "quota", "0", str(NOON - 600), "other"]


@pytest.mark.parametrize(
    ("answer", "line", "status", "reason", "file"),
    [
        pytest.param(
            f"quota {NOON + 3600} limit",
            QUOTA,
            75,
            "quota",
            ["1", "open", str(NOON + 3720), "quota", "0"],
            id="reset",
        ),
        pytest.param(
            "quota 0 limit", QUOTA, 75, "quota", ["1", "open", str(NOON + 900), "quota", "1"], id="unknown"
        ),
        pytest.param("billing 0 pay", QUOTA, 75, "billing", ["1", "open", "0", "billing", "0"], id="billing"),
        pytest.param("auth 0 log in", QUOTA, 1, "auth", None, id="auth"),
        pytest.param("throttle 0 busy", QUOTA, 1, "throttle", None, id="throttle"),
        pytest.param("failed 0", QUOTA, 1, "failed", None, id="failed"),
        pytest.param(
            "nonsense", QUOTA, 75, "quota", ["1", "open", str(NOON + 900), "quota", "1"], id="no-answer"
        ),
        pytest.param(
            f"quota {NOON + 60} x",
            "echo limit",
            75,
            "quota",
            ["1", "open", str(NOON + 180), "quota", "0"],
            id="exit-0",
        ),
        pytest.param(
            "quota 0 x", "exit 75", 75, "quota", ["1", "open", str(NOON + 900), "quota", "1"], id="exit-75"
        ),
    ],
)
def test_verdicts(
    any_shell: Sandbox, answer: str, line: str, status: int, reason: str, file: list[str] | None
) -> None:
    judge(any_shell, answer)
    guarded(any_shell, line)
    assert any_shell.run("job", now=NOON) == status
    assert any_shell.story("job") == [f"end {reason}"]
    found = breaker(any_shell)
    assert (found[:5] if found else None) == file


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        pytest.param("true", False, id="good-and-silent"),
        pytest.param("echo all is well", False, id="good"),
        pytest.param("echo no such file; exit 1", False, id="failed-for-another-reason"),
        pytest.param("exit 3", False, id="failed-in-silence"),
        pytest.param("echo about a usage limit", True, id="little-output-with-a-word"),
        pytest.param("yes usage limit | head -c 30000", False, id="long-output-of-a-good-run"),
        pytest.param("yes usage limit | head -c 30000; exit 1", True, id="long-output-of-a-failed-run"),
    ],
)
def test_the_judge_is_asked_only_when_there_is_something_to_judge(
    sandbox: Sandbox, line: str, asked: bool
) -> None:
    notes = judge(sandbox, "ok 0")
    guarded(sandbox, line)
    sandbox.run("job", now=NOON)
    assert notes.exists() == asked
    if asked:
        words = notes.read_text().splitlines()
        assert words[:2] == ["guard", "judge"]
        assert words[-2:] == ["--tool", "claude"]


def test_older_output_is_not_judged(sandbox: Sandbox) -> None:
    notes = judge(sandbox, "failed 0")
    guarded(sandbox, QUOTA)
    sandbox.run("job", now=NOON)
    first = notes.read_text()
    guarded(sandbox, "echo broken; exit 1")
    sandbox.run("job", now=NOON + DAY)
    assert notes.read_text() == first


def test_patterns_of_ones_own_are_always_asked_about(sandbox: Sandbox) -> None:
    sandbox.guards = (Guard("claude", patterns=("^ausverkauft", "it's over")),)
    notes = judge(sandbox, "quota 0 x")
    guarded(sandbox, "echo ausverkauft; exit 1")
    assert sandbox.run("job", now=NOON) == 75
    assert notes.read_text().splitlines()[-4:] == ["--pattern", "^ausverkauft", "--pattern", "it's over"]


def test_without_a_judge_the_words_count_and_the_record_says_so(any_shell: Sandbox) -> None:
    guarded(any_shell, QUOTA)
    assert any_shell.run("job", now=NOON) == 75
    assert any_shell.records("job")[-1]["judge"] == "missing"
    found = breaker(any_shell)
    assert found is not None
    assert found[:5] == ["1", "open", str(NOON + 900), "quota", "1"]


def test_back_off_doubles_up_to_two_hours_and_keeps_the_outage(sandbox: Sandbox) -> None:
    judge(sandbox, "quota 0 limit")
    guarded(sandbox, QUOTA)
    pauses, now = [], NOON
    for _ in range(6):
        sandbox.run("job", now=now)
        found = breaker(sandbox)
        assert found is not None
        pauses.append((int(found[2]) - now) // 60)
        assert found[5] == str(NOON)
        now = int(found[2]) + 1
    assert pauses == [15, 30, 60, 120, 120, 120]


def test_a_run_that_the_quota_stopped_is_due_again(sandbox: Sandbox) -> None:
    judge(sandbox, f"quota {NOON + 600} limit")
    guarded(sandbox, f"[ -e '{sandbox.base}/back' ] && echo ran || {{ {QUOTA}; }}", once=Once("day"))
    assert sandbox.run("job", now=NOON) == 75
    assert sandbox.claims("job") == []
    (sandbox.base / "back").touch()
    assert sandbox.run("job", now=NOON + 60) == 0
    assert sandbox.run("job", now=NOON + 900) == 0
    assert sandbox.story("job") == ["end quota", "end ok"]
    assert sandbox.claims("job") == ["20261201T0900", "day-20261201"]


def test_records_are_json_of_a_known_shape(any_shell: Sandbox) -> None:
    guarded(any_shell, "exit 0")
    any_shell.run("job", now=NOON)
    lines = (any_shell.state / "runs" / "job.jsonl").read_text().splitlines()
    start, end = (json.loads(line) for line in lines)
    assert list(start) == [
        "time",
        "epoch",
        "job",
        "event",
        "reason",
        "slot",
        "trigger",
        "late",
        "missed",
        "pid",
    ]
    assert list(end) == [
        "time",
        "epoch",
        "job",
        "event",
        "reason",
        "slot",
        "trigger",
        "late",
        "exit",
        "seconds",
        "pid",
    ]
    assert start["epoch"] == NOON
