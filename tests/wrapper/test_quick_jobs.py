"""Jobs that are over before their wrapper has finished starting them."""

from __future__ import annotations

from tests.wrapper.sandbox import Sandbox


def test_a_time_limit_never_outlives_a_quick_job(sandbox: Sandbox) -> None:
    """A TERM that reached the timer before it had reset its traps was lost, and the wrapper waited for the limit."""
    names = [f"job-{number}" for number in range(40)]
    for name in names:
        sandbox.add(name, "true", timeout_s=3600)
    running = [sandbox.start(name, trigger="manual") for name in names]
    assert [process.wait(timeout=60) for process in running] == [0] * len(names)
    assert {tuple(sandbox.story(name)) for name in names} == {("end ok",)}
