from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from jobs.errors import MachineError
from jobs.runtime.records import (
    LONGEST_LINE,
    Record,
    Run,
    append,
    last_run,
    newest_first,
    parse,
    process_lives,
    process_started,
    render,
    runs,
    since,
    slot_states,
)

GOOD = b'{"time":"t","epoch":%d,"job":"a","event":"end","reason":"ok"}'


def good(epoch: int) -> bytes:
    return GOOD % epoch


def read(path: Path, data: bytes, older: bytes | None = None) -> list[int]:
    path.write_bytes(data)
    if older is not None:
        path.with_name(path.name + ".1").write_bytes(older)
    return [record.epoch for record in newest_first(path)]


DAMAGE = [
    pytest.param(b"", [], id="empty"),
    pytest.param(good(1) + b"\n" + good(2) + b"\n", [2, 1], id="whole"),
    pytest.param(good(1) + b"\n" + good(2), [2, 1], id="no line end at the end"),
    pytest.param(good(1) + b"\n" + good(2)[:-9], [1], id="torn last line"),
    pytest.param(good(1) + b"\n" + good(2)[:-9] + good(3) + b"\n", [3, 1], id="appended to a torn line"),
    pytest.param(good(1) + b"\n{]\n" + good(2) + b"\n", [2, 1], id="damaged line in the middle"),
    pytest.param(b"\xff\xfe\x80\n" + good(1) + b"\n", [1], id="not UTF-8"),
    pytest.param(good(1).replace(b'"a"', b'"\xff"') + b"\n", [1], id="not UTF-8 inside a value"),
    pytest.param(b"\0" * 5000 + good(1) + b"\n", [1], id="NULs before a line"),
    pytest.param(good(1) + b"\n" + b"\0" * 5000, [1], id="NULs at the end"),
    pytest.param(good(1) + b"\r\n" + good(2) + b"\r\n", [2, 1], id="CRLF"),
    pytest.param(b"\n\n" + good(1) + b"\n\n\n", [1], id="blank lines"),
    pytest.param(b"[1]\n3\nnull\n" + good(1) + b"\n", [1], id="JSON that is no object"),
    pytest.param(b'{"event":"end"}\n{"epoch":1}\n' + good(1), [1], id="objects without epoch or event"),
    pytest.param(
        b'{"epoch":true,"event":"end"}\n{"epoch":2.0,"event":"end"}', [2], id="numbers of odd types"
    ),
    pytest.param(b"[" * 100_000 + b"\n" + good(1), [1], id="deeply nested"),
    pytest.param(b'{"epoch":' + b"9" * 5000 + b"}\n" + good(1), [1], id="number without end"),
    pytest.param(
        good(1) + b"\n" + b"x" * (LONGEST_LINE * 3) + b"\n" + good(2) + b"\n", [2, 1], id="line of 3 MB"
    ),
    pytest.param(b"x" * (LONGEST_LINE + 1), [], id="nothing but a long line"),
]


@pytest.mark.parametrize(("data", "epochs"), DAMAGE)
def test_newest_first_reads_what_is_whole(tmp_path: Path, data: bytes, epochs: list[int]) -> None:
    assert read(tmp_path / "a.jsonl", data) == epochs


@pytest.mark.parametrize("filler", range(0, 130, 13))
def test_newest_first_over_block_borders(tmp_path: Path, filler: int) -> None:
    lines = [render(Record(epoch=n, event="end", text="ü" * (filler + n % 7))) for n in range(3000)]
    assert read(tmp_path / "a.jsonl", b"".join(lines)) == list(range(2999, -1, -1))


def test_newest_first_goes_on_in_the_rotated_file(tmp_path: Path) -> None:
    assert read(tmp_path / "a.jsonl", good(3), good(1) + b"\n" + good(2) + b"\n") == [3, 2, 1]


def test_newest_first_of_nothing(tmp_path: Path) -> None:
    assert list(newest_first(tmp_path / "none" / "a.jsonl")) == []


@pytest.mark.parametrize("make", ["link", "fifo", "folder"])
def test_newest_first_reads_plain_files_only(tmp_path: Path, make: str) -> None:
    path = tmp_path / "a.jsonl"
    if make == "link":
        (tmp_path / "b").write_bytes(good(1))
        path.symlink_to(tmp_path / "b")
    elif make == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()
    assert list(newest_first(path)) == []


def test_newest_first_does_not_count_a_file_twice_that_is_rotated_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(good(1) + b"\n" + good(2) + b"\n")
    records = newest_first(path)
    assert next(records).epoch == 2
    path.rename(tmp_path / "a.jsonl.1")
    assert [record.epoch for record in records] == [1]


def test_newest_first_is_lazy(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with path.open("wb") as stream:
        stream.truncate(1 << 40)  # a hole: nobody reads all of it
        stream.seek(0, os.SEEK_END)
        stream.write(b"\n" + good(7) + b"\n" + good(8) + b"\n")
    assert [record.epoch for record in islice(newest_first(path), 2)] == [8, 7]


def test_memory_stays_flat_on_a_gigabyte(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with path.open("wb") as stream:
        stream.write(good(1) + b"\n")
        stream.truncate(1 << 30)  # one line of NULs, a gigabyte long
        stream.seek(0, os.SEEK_END)
        stream.write(b"\n" + good(2) + b"\n")
    program = (
        "import resource, sys; from pathlib import Path; from jobs.runtime.records import newest_first;"
        "resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20));"
        "print([r.epoch for r in newest_first(Path(sys.argv[1]))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, path],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[2, 1]\n"


FULL = Record(
    epoch=1796085002,
    event="end",
    time="2026-12-01T09:30:02+0900",
    job="note-post",
    reason="quota",
    slot="20261201T0930",
    trigger="schedule",
    late=2,
    missed=0,
    exit=0,
    signal=15,
    seconds=12,
    pid=4711,
    guard="claude",
    until=1796097600,
)


def test_render_keeps_the_order_of_keys_and_leaves_absent_ones_out() -> None:
    assert render(FULL).decode() == (
        '{"time":"2026-12-01T09:30:02+0900","epoch":1796085002,"job":"note-post","event":"end","reason":"quota",'
        '"slot":"20261201T0930","trigger":"schedule","late":2,"missed":0,"exit":0,"signal":15,"seconds":12,'
        '"pid":4711,"guard":"claude","until":1796097600}\n'
    )


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(FULL, id="all keys"),
        pytest.param(
            Record(epoch=1, event="missed", slot="a", to="b", count=3, reason="not-fired"), id="missed"
        ),
        pytest.param(Record(epoch=1, event="note", text='quo"te\nline\ttab \x01 ü'), id="text to be escaped"),
    ],
)
def test_parse_gives_back_what_render_wrote(record: Record) -> None:
    assert parse(render(record)) == record


def test_append_makes_private_files(tmp_path: Path) -> None:
    path = tmp_path / "state" / "runs" / "a.jsonl"
    append(path, Record(epoch=1, event="note"))
    append(path, Record(epoch=2, event="note"))
    assert [record.epoch for record in newest_first(path)] == [2, 1]
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_append_begins_a_fresh_line_after_a_torn_one(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(good(1) + b"\n" + good(2)[:20])
    append(path, Record(epoch=3, event="note"))
    assert path.read_bytes().count(b"\n") == 3
    assert [record.epoch for record in newest_first(path)] == [3, 1]


def test_append_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(MachineError, match="cannot write"):
        append(tmp_path / "a.jsonl", Record(epoch=3, event="note"))
    assert not (tmp_path / "elsewhere").exists()


def start(epoch: int, pid: int | None = 1, slot: str | None = None) -> Record:
    return Record(epoch=epoch, event="start", pid=pid, slot=slot)


def end(epoch: int, reason: str = "ok", pid: int | None = 1, slot: str | None = None) -> Record:
    return Record(epoch=epoch, event="end", reason=reason, pid=pid, slot=slot)


def skip(epoch: int, reason: str, slot: str | None = None) -> Record:
    return Record(epoch=epoch, event="skip", reason=reason, slot=slot)


RUNS = [
    pytest.param([], [], id="none"),
    pytest.param([start(1), end(2)], [("ok", 1, 2)], id="one"),
    pytest.param([start(1), end(2), skip(3, "guard")], [("ok", 1, 2)], id="skips are no runs"),
    pytest.param([start(1, 9)], [("running", 1, None)], id="alive"),
    pytest.param([start(1, 5)], [("crashed", 1, None)], id="gone"),
    pytest.param([start(1, None)], [("crashed", 1, None)], id="no pid on record"),
    pytest.param([start(1, 5), start(2, 6), end(3, pid=6)], [("ok", 2, 3), ("crashed", 1, None)], id="crash"),
    pytest.param(
        [start(1, 5), start(2, 6), end(3, pid=5), end(4, "failed", pid=6)],
        [("failed", 2, 4), ("ok", 1, 3)],
        id="two at a time",
    ),
    pytest.param(
        [start(1, 5), start(2, 5), end(3, pid=5)],
        [("ok", 2, 3), ("crashed", 1, None)],
        id="pid came again after a crash",
    ),
    pytest.param([end(3, pid=5)], [("ok", None, 3)], id="start rotated away"),
    pytest.param(
        [end(3, pid=5), end(4, pid=5), start(5, 6), end(6, pid=6)],
        [("ok", 5, 6), ("ok", None, 3), ("ok", None, 4)],
        id="two ends of one pid",
    ),
    pytest.param([end(3, "not-started", pid=5)], [("not-started", None, 3)], id="never started"),
]


@pytest.mark.parametrize(("oldest_first", "expected"), RUNS)
def test_runs(oldest_first: list[Record], expected: list[tuple[str, int | None, int | None]]) -> None:
    found = runs(reversed(oldest_first), alive=lambda pid, _began: pid == 9)
    assert sorted(((run.word, run.started, run.ended) for run in found), key=repr) == sorted(
        expected, key=repr
    )


def test_last_run_is_the_newest() -> None:
    assert last_run([end(4), start(3), end(2), start(1)]) == Run(word="ok", started=3, ended=4, pid=1)
    assert last_run([]) is None


def test_many_ends_without_start_are_not_all_kept() -> None:
    ends = [end(1000 - n, pid=n + 1) for n in range(500)]
    assert len(list(runs(ends))) == 500


def test_a_process_is_itself_and_not_its_namesake() -> None:
    born = process_started(os.getpid())
    assert born is not None
    assert process_lives(os.getpid(), born + 5)
    assert not process_lives(os.getpid(), born - 3600)


@pytest.mark.parametrize("pid", [0, -1, 1 << 40])
def test_no_process_has_that_number(pid: int) -> None:
    assert not process_lives(pid, 0)


def test_since_ends_after_the_window_but_bears_a_wrong_clock() -> None:
    epochs = [100, 5, 99, *range(50, 0, -1)]
    records = iter([start(epoch) for epoch in epochs])
    assert [record.epoch for record in since(records, 90)] == [100, 99]
    assert next(records).epoch > 30


SLOTS = [
    pytest.param([skip(1, "guard", "A")], {"A": "guard"}, id="skipped"),
    pytest.param([skip(1, "guard", "A"), start(2, 1, "A"), end(3, "ok", 1, "A")], {"A": "ok"}, id="made up"),
    pytest.param([start(1, 1, "A"), end(2, "ok", 1, "A"), skip(3, "once", "A")], {"A": "ok"}, id="once"),
    pytest.param(
        [start(1, 1, "A"), end(2, "failed", 1, "A"), skip(3, "lock", "A")], {"A": "failed"}, id="lock"
    ),
    pytest.param([skip(1, "guard", "A"), skip(2, "once", "A")], {"A": "guard"}, id="once decides nothing"),
    pytest.param([skip(2, "once", "A")], {"A": "once"}, id="once alone"),
    pytest.param([skip(1, "guard", "A"), skip(2, "lock", "A")], {"A": "lock"}, id="newest skip"),
    pytest.param([skip(1, "not-due", "A")], {}, id="not due"),
    pytest.param([start(1, 5, "A")], {"A": "crashed"}, id="crashed"),
    pytest.param(
        [
            Record(epoch=1, event="missed", reason="not-fired", slot="A", to="C", count=3),
            skip(2, "guard", "D"),
        ],
        {"D": "guard", "A": "not-fired"},
        id="missed",
    ),
    pytest.param(
        [start(1, 1, "A"), end(2, "failed", 1, "A"), start(3, 2, "A"), end(4, "ok", 2, "A")],
        {"A": "ok"},
        id="second try",
    ),
]


@pytest.mark.parametrize(("oldest_first", "expected"), SLOTS)
def test_slot_states(oldest_first: list[Record], expected: dict[str, str]) -> None:
    states = slot_states(reversed(oldest_first), alive=lambda *_: False)
    assert {slot: state.word for slot, state in states.items()} == expected
    assert list(states) == sorted(states, reverse=True)
    for state in states.values():
        assert state.ran == (state.word in {"ok", "failed", "crashed"})
