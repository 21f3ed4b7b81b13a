"""The record of what happened: `runs/JOB.jsonl`, one JSON object a line, written by the wrappers and by catch-up.

Readers go from the newest line backwards and stop when they know enough, so a year of history costs what a day
costs. Whatever damage a crash or a full disk left in a file costs the damaged line only.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import chain
from pathlib import Path
from typing import Any

from jobs.errors import MachineError
from jobs.runtime.plain import open_plain

FIRST_BLOCK = 4 * 1024  # what is asked for most often stands in the last lines
BLOCK = 64 * 1024
LONGEST_LINE = 1024 * 1024  # a record has some hundred bytes; what is longer is damage and is passed over
OLDER_IN_A_ROW = 8  # a clock that was wrong for a moment must not end a search


_read_value = json.JSONDecoder().raw_decode
"""json.loads without its search for white space around the value, which costs as much again."""


@dataclass(frozen=True, slots=True)
class Record:
    """One line. The order of the fields is the order of the keys in the file; absent keys are None.

    `event` is skip, start, end, missed or note; `reason` is one word. `slot` is wall time in the schedule's zone
    (`20261201T0930`); a `missed` record covers `count` slots from `slot` to `to`. `late` and `seconds` are seconds.
    `until` is the epoch up to which a breaker stays open.
    """

    epoch: int
    event: str
    time: str = ""
    job: str = ""
    reason: str | None = None
    slot: str | None = None
    to: str | None = None
    count: int | None = None
    trigger: str | None = None
    late: int | None = None
    missed: int | None = None
    exit: int | None = None
    signal: int | None = None
    seconds: int | None = None
    pid: int | None = None
    guard: str | None = None
    until: int | None = None
    text: str | None = None  # a tool's own words, or a sentence for people


KEYS = ("time", "epoch", "job", "event", *(field.name for field in fields(Record)[4:]))
TYPES = {
    field.name: int if field.name == "epoch" or field.type == "int | None" else str
    for field in fields(Record)
}


def parse(line: bytes) -> Record | None:
    """The record of one line, or None for a line that holds none.

    A line that begins with the torn half of another one (its writer died, the next one appended) still gives the
    whole record at its end.
    """
    line = line.strip(b"\0 \t\r\n")
    if not line or len(line) > LONGEST_LINE:
        return None
    record = _decode(line)
    if record is None and (torn := line.rfind(b'{"time":')) > 0:
        record = _decode(line[torn:])
    return record


def _decode(line: bytes) -> Record | None:
    text = line.decode("utf-8", "replace")
    try:
        found, end = _read_value(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or end != len(text):
        return None
    values: dict[str, Any] = {}
    for name, value in found.items():
        wanted = TYPES.get(name)
        # Exact types: `true` is no number.
        if type(value) is wanted:
            values[name] = value
        elif wanted is int and isinstance(value, float) and value.is_integer():
            values[name] = int(value)
    return Record(**values) if "epoch" in values and "event" in values else None


def render(record: Record) -> bytes:
    """The line of a record, with its line end; keys in the file's order, absent ones left out."""
    found = {name: getattr(record, name) for name in KEYS}
    kept = {name: value for name, value in found.items() if value is not None and value != ""}
    text = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


def newest_first(path: Path) -> Iterator[Record]:
    """The records of a job from the newest back: `path` (`runs/JOB.jsonl`), then the rotated `path.1`.

    Lazy: a block is read when it is asked for, and memory does not grow with the file. A missing file, a link or
    anything but a plain file holds no records. Raises MachineError for a file that may not be read.
    """
    seen: set[tuple[int, int]] = set()
    for part in (path, path.with_name(path.name + ".1")):
        with contextlib.ExitStack() as closing:
            handle = _open(part)
            if handle is None:
                continue
            closing.callback(os.close, handle)
            about = os.fstat(handle)
            if (about.st_dev, about.st_ino) in seen:
                continue  # rotated while it was being read
            seen.add((about.st_dev, about.st_ino))
            for line in _lines_backwards(handle, about.st_size):
                record = parse(line)
                if record is not None:
                    yield record


def _open(path: Path) -> int | None:
    try:
        return open_plain(path)
    except OSError as error:
        if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENXIO}:
            return None
        raise MachineError(f"cannot read {path}: {error.strerror}") from error


def _lines_backwards(handle: int, size: int) -> Iterator[bytes]:
    """The lines before offset `size`, last first, without line ends. Lines over LONGEST_LINE are left out."""
    end, reach = size, FIRST_BLOCK
    parts: list[bytes] = []  # pieces of the line that is being put together, the latest piece first read
    length = 0
    while end > 0:
        start = max(0, end - reach)
        reach = min(2 * reach, BLOCK)
        block = os.pread(handle, end - start, start)
        if not block:
            return  # cut while we read
        end = start
        pieces = block.split(b"\n")
        for index in range(len(pieces) - 1, -1, -1):
            length += len(pieces[index])
            if length <= LONGEST_LINE:
                parts.append(pieces[index])
            else:
                parts.clear()
            if index > 0:
                if length <= LONGEST_LINE:
                    yield b"".join(reversed(parts))
                parts.clear()
                length = 0
    if length <= LONGEST_LINE:
        yield b"".join(reversed(parts))


def append(path: Path, record: Record) -> None:
    """Append one record in one write. The file is made 0600, its folder 0700; a symlink is refused.

    After a torn last line a fresh line is begun. Raises MachineError.
    """
    from jobs.system.files import make_folder

    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        make_folder(path.parent, 0o700)
        handle = os.open(path, flags, 0o600)
        try:
            size = os.fstat(handle).st_size
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
            os.write(handle, (b"\n" if torn else b"") + render(record))
        finally:
            os.close(handle)
    except OSError as error:
        raise MachineError(f"cannot write {path}: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a job, put together from its start and its end.

    `word` is the end's reason (ok, failed, timeout, killed, quota, billing, auth, throttle, not-started), or
    `running`, or `crashed` for a start without an end whose process is gone. `started` is None when the start is
    no longer on record.
    """

    word: str
    started: int | None = None
    ended: int | None = None
    slot: str | None = None
    trigger: str | None = None
    late: int | None = None
    missed: int | None = None
    exit: int | None = None
    signal: int | None = None
    seconds: int | None = None
    pid: int | None = None
    text: str | None = None

    @property
    def epoch(self) -> int:
        """When it began, as far as that is known, else when it ended."""
        return self.started if self.started is not None else self.ended or 0


def process_started(pid: int) -> int | None:
    """When a live process began (epoch, to about a second), or None if that cannot be found out."""
    try:
        status = Path(f"/proc/{pid}/stat").read_bytes()
        boot = next(
            line for line in Path("/proc/stat").read_bytes().splitlines() if line.startswith(b"btime ")
        )
        ticks = int(
            status[status.rindex(b")") + 2 :].split()[19]
        )  # field 22; the name before it may hold blanks
        return int(boot.split()[1]) + ticks // os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, StopIteration):
        return _started_by_ps(pid)


def _started_by_ps(pid: int) -> int | None:
    import subprocess
    import time

    try:
        answer = subprocess.run(
            ["/bin/ps", "-o", "etime=", "-p", str(pid)], capture_output=True, text=True, timeout=5, check=True
        ).stdout.strip()
        days, _, clock = answer.rpartition("-")
        seconds = 0
        for part in clock.split(":"):
            seconds = seconds * 60 + int(part)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return int(time.time()) - seconds - int(days or 0) * 86400


def process_lives(pid: int, began: int) -> bool:
    """Whether the process that wrote a record at `began` is still there; a later process of the same number is not it."""
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OverflowError:
        return False
    except PermissionError:
        pass  # somebody else's, so alive; its age decides
    if os.environ.get("JOBS_NOW"):
        return True  # the records' clock is not the kernel's: their ages cannot be compared
    started = process_started(pid)
    return started is None or started <= began + 2  # both are cut to seconds


Alive = Callable[[int, int], bool]


def runs(records: Iterable[Record], alive: Alive = process_lives) -> Iterator[Run]:
    """The runs among records that come newest first, newest first. Starts and ends are joined by their pid."""
    ends: dict[int, Record] = {}
    for record in records:
        if record.event == "end":
            if record.pid is None or record.reason == "not-started":
                yield _run(None, record)
                continue
            if record.pid in ends:
                yield _run(None, ends.pop(record.pid))
            elif len(ends) >= 64:
                yield _run(None, ends.pop(next(iter(ends))))
            ends[record.pid] = record
        elif record.event == "start":
            end = ends.pop(record.pid, None) if record.pid is not None else None
            if end is not None:
                yield _run(record, end)
                continue
            lives = record.pid is not None and alive(record.pid, record.epoch)
            yield _run(record, None, "running" if lives else "crashed")
    for end in ends.values():
        yield _run(None, end)


def _run(start: Record | None, end: Record | None, word: str = "failed") -> Run:
    told = start or end
    if end is None or told is None:
        ending: Record | None = None
    else:
        ending, word = end, end.reason or word
    return Run(
        word=word,
        started=start.epoch if start else None,
        ended=ending.epoch if ending else None,
        slot=told.slot if told else None,
        trigger=told.trigger if told else None,
        late=told.late if told else None,
        missed=told.missed if told else None,
        exit=ending.exit if ending else None,
        signal=ending.signal if ending else None,
        seconds=ending.seconds if ending else None,
        pid=told.pid if told else None,
        text=ending.text if ending else None,
    )


def last_run(records: Iterable[Record], alive: Alive = process_lives) -> Run | None:
    """The newest run, or None. Reads no further back than that run's start."""
    return next(runs(records, alive), None)


def since(records: Iterable[Record], epoch: int) -> Iterator[Record]:
    """The records not older than `epoch`, newest first. Stops reading soon after the window."""
    older = 0
    for record in records:
        if record.epoch >= epoch:
            older = 0
            yield record
            continue
        older += 1
        if older >= OLDER_IN_A_ROW:
            return


NOT_RUN = frozenset({"guard", "canary", "lock", "once", "expired", "not-fired", "superseded", "cut-off"})
"""Words of slots whose job was not started."""


@dataclass(frozen=True, slots=True)
class SlotState:
    """What is known of one slot.

    `word` is a run's word (ok, failed, …, running, crashed), a skip's reason (guard, canary, lock, once, expired), or
    the reason of a miss (not-fired, superseded, expired, cut-off). `to` and `count` tell how far a miss reaches.
    """

    slot: str
    word: str
    epoch: int
    trigger: str | None = None
    exit: int | None = None
    to: str | None = None
    count: int = 1

    @property
    def ran(self) -> bool:
        """Whether the slot's job was started."""
        return self.word not in NOT_RUN


def slot_states(records: Iterable[Record], alive: Alive = process_lives) -> dict[str, SlotState]:
    """The state of every slot that the records name, newest slot first. `records` come newest first.

    The newest record of a slot decides, with two exceptions: a run is not hidden by a skip or a miss that was
    written later, and a `once` skip only says that something else has decided.
    """
    found = list(records)
    states: dict[str, SlotState] = {}
    for run in runs(found, alive):
        if run.slot is not None and run.slot not in states:
            states[run.slot] = SlotState(run.slot, run.word, run.epoch, run.trigger, run.exit)
    decisive = (record for record in found if record.reason != "once")
    for record in chain(decisive, (record for record in found if record.reason == "once")):
        if record.slot is None or record.slot in states or record.event not in {"skip", "missed"}:
            continue
        if record.reason is None or record.reason == "not-due":
            continue
        states[record.slot] = SlotState(
            record.slot, record.reason, record.epoch, record.trigger, None, record.to, record.count or 1
        )
    return dict(sorted(states.items(), reverse=True))
