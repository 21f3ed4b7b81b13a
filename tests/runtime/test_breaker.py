from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jobs.errors import MachineError
from jobs.runtime import breaker
from jobs.runtime.breaker import (
    CLOSED,
    BreakerState,
    after,
    begins_outage,
    load,
    read,
    render,
    step,
    store,
    trip,
)
from tests.runtime.breaker_vectors import NOW, READINGS, SAME, VECTORS, Vector


@pytest.mark.parametrize("vector", VECTORS, ids=[vector.id for vector in VECTORS])
def test_vector(vector: Vector) -> None:
    state = after(
        read(vector.before, vector.now),
        vector.verdict,
        vector.until,
        vector.now,
        canary=vector.canary,
        cooldown=vector.cooldown,
        job=vector.job,
        words=vector.words,
    )
    assert render(state) == (vector.before if vector.after == SAME else vector.after)


@pytest.mark.parametrize(
    ("text", "word", "warns"), [row[1:] for row in READINGS], ids=[row[0] for row in READINGS]
)
def test_reading(text: str | None, word: str, warns: bool) -> None:
    state = read(text, NOW)
    assert (state.state, state.warning != "") == (word, warns)


@pytest.mark.parametrize("vector", VECTORS, ids=[vector.id for vector in VECTORS])
def test_what_is_written_can_be_read(vector: Vector) -> None:
    if vector.after not in {None, SAME}:
        state = read(vector.after, NOW)
        assert state.state == "open"
        assert render(state) == vector.after


def test_steps_of_the_default() -> None:
    assert [step(attempt) // 60 for attempt in range(1, 7)] == [15, 30, 60, 120, 120, 120]


def test_an_outage_is_told_once() -> None:
    first = after(CLOSED, "quota", None, NOW)
    again = after(read(render(first), NOW + 1000), "quota", None, NOW + 1000)
    assert begins_outage(CLOSED, first)
    assert not begins_outage(read(render(first), NOW + 1000), again)
    assert (first.since, again.since, again.attempt) == (NOW, NOW, 2)
    closed = after(read(render(again), NOW + 9000), "ok", None, NOW + 9000)
    assert closed == CLOSED
    assert begins_outage(closed, after(closed, "quota", None, NOW + 9999))


@pytest.mark.parametrize("shift", [-3 * 86400, -3700, -600, 600, 3700, 3 * 86400])
def test_a_clock_that_jumps_never_closes_the_shop_for_longer(shift: int) -> None:
    opened = after(CLOSED, "quota", NOW + 3600, NOW)
    state = read(render(opened), NOW + shift)
    waits = state.until - (NOW + shift) if state.state == "open" else 0
    assert waits <= 3600 + 120 + 3600


def test_files_are_private_and_closing_leaves_none(tmp_path: Path) -> None:
    path = tmp_path / "guard" / "claude"
    store(path, after(CLOSED, "quota", NOW + 60, NOW, job="digest", words="ü\x07x"))
    assert path.read_text("utf-8") == f"1 open {NOW + 180} quota 0 {NOW} digest\nü x\n"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert load(path, NOW).words == "ü x"
    assert breaker.reset(path)
    assert not breaker.reset(path)
    assert load(path, NOW) == CLOSED


@pytest.mark.parametrize("make", ["link", "fifo", "folder"])
def test_anything_but_a_plain_file_is_closed_with_a_warning(tmp_path: Path, make: str) -> None:
    import os

    path = tmp_path / "claude"
    if make == "link":
        (tmp_path / "there").write_text(f"1 open 0 manual 0 {NOW} -\n")
        path.symlink_to(tmp_path / "there")
    elif make == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()
    state = load(path, NOW)
    assert state.state == "closed"
    assert state.warning


def test_trip_by_hand_keeps_the_beginning(tmp_path: Path) -> None:
    path = tmp_path / "claude"
    store(path, after(CLOSED, "quota", NOW + 60, NOW, job="digest"))
    state = trip(path, NOW + 10, NOW + 30 * 86400, "holiday\nfor a month")
    assert state == BreakerState("open", NOW + 30 * 86400, "manual", 0, NOW, "", "holiday for a month")
    assert load(path, NOW + 10) == state


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "guard").write_text("")
    with pytest.raises(MachineError, match="cannot write"):
        trip(tmp_path / "guard" / "claude", NOW)


def test_a_job_name_with_blanks_does_not_break_the_line() -> None:
    state = replace(after(CLOSED, "billing", None, NOW), job="a b")
    assert read(render(state), NOW).job == "a_b"
