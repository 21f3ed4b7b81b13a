"""Hooks: who is told what, and that telling changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from jobs.model.job import Lock, Notify
from tests.wrapper.sandbox import NOON, Sandbox, group_members, wait_until


def hooks(sandbox: Sandbox, *events: str) -> Notify:
    """Hooks that write their event and reason."""
    line = f'echo "$JOBS_EVENT $JOBS_NAME $JOBS_REASON" >>"{sandbox.base}/told"'
    return Notify(**dict.fromkeys(events, ("/bin/sh", "-c", line)))


def told(sandbox: Sandbox) -> list[str]:
    path = sandbox.base / "told"
    return path.read_text().splitlines() if path.exists() else []


@pytest.mark.parametrize("lock", [Lock("job"), Lock("job", 0, "flock"), None], ids=["links", "flock", "none"])
def test_events(any_shell: Sandbox, lock: Lock | None) -> None:
    notify = hooks(any_shell, "start", "success", "failure", "recovery")
    any_shell.add("job", "[ ! -e bad ]", every_s=60, notify=notify, lock=lock)
    assert any_shell.run("job") == 0
    (any_shell.base / "bad").touch()
    assert any_shell.run("job") == 1
    assert any_shell.run("job") == 1
    (any_shell.base / "bad").unlink()
    process = any_shell.start("job")
    assert process.wait(timeout=30) == 0
    assert [line.replace(" job", "") for line in told(any_shell)] == [
        "start ", "success ok", "start ", "failure failed", "start ", "failure failed", "start ", "success ok", "recovery ok",
    ]  # fmt: skip
    wait_until(lambda: not group_members(process.pid))


@pytest.mark.parametrize(
    ("hook", "words"),
    [
        pytest.param(("no-such-program",), "the hook for success failed", id="missing"),
        pytest.param(("/bin/sh", "-c", "exit 9"), "the hook for success failed", id="fails"),
        pytest.param("http://127.0.0.1:9/closed", "the hook for success failed", id="nobody-listens"),
    ],
)
def test_a_hook_that_fails_changes_nothing(sandbox: Sandbox, hook: Any, words: str) -> None:
    sandbox.add("job", "echo ran", every_s=60, notify=Notify(success=hook))
    assert sandbox.run("job") == 0
    assert words in sandbox.log("job").read_text()
    assert sandbox.story("job") == ["end ok"]
    assert sandbox.holder("job") is None


def test_one_notice_per_outage(sandbox: Sandbox) -> None:
    notify = hooks(sandbox, "failure", "recovery")
    for name in ("one", "two"):
        sandbox.add(
            name,
            "[ ! -e bad ] || { echo hit your limit; exit 75; }",
            every_s=60,
            guards=("claude",),
            notify=notify,
        )
    (sandbox.base / "bad").touch()
    now = NOON
    assert sandbox.run("one", now=now) == 75
    assert sandbox.run("two", now=now) == 0  # skipped
    for name in ("two", "one", "two"):
        now += 3 * 3600
        assert sandbox.run(name, now=now) == 75  # canaries
    (sandbox.base / "bad").unlink()
    now += 3 * 3600
    assert [sandbox.run(name, now=now) for name in ("one", "two")] == [0, 0]
    assert told(sandbox) == ["failure one quota", "recovery one ok", "recovery two ok"]
