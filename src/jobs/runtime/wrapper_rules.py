"""What a wrapper decides, as pure functions: the shell of templates/lib written once more, for simulation.

Nothing here runs on the way to a job. `tests/runtime/test_wrapper_rules.py` starts real wrappers under a virtual clock
and holds records, claims, cursors and breakers of both writings against each other. The names of the shell's functions
stand in the docstrings.

A run takes three steps: `arrive` (slot and guards), `begin` (under the lock: claims), `finish` (when the job has
ended). Where the lock is not to be had, `locked_out` takes the place of `begin`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Final, Literal

from jobs.runtime.breaker import BreakerState
from jobs.runtime.records import Record
from jobs.schedule.pattern import DAY_MINUTES, date_of
from jobs.schedule.slots import GRACE_S, Slot, slot_id
from jobs.schedule.wall import WallClock

MANUAL: Final = "manual"
CATCHUP: Final = "catchup"
UNINSTALLED_S: Final = 86400
"""How far back slots count for a job that nobody has installed."""
COUNTED_MINUTES: Final = 62 * DAY_MINUTES
MOST_COUNTED: Final = 1000
BEYOND_DEADLINE_MINUTES: Final = 181
SKIPPED_WORDS: Final = frozenset({"guard", "canary", "lock", "failed"})
REFUSED: Final = frozenset({"quota", "billing"})

name_of = lru_cache(maxsize=1 << 16)(slot_id)
"""The name of a slot by its wall minute: a simulation asks for the same ones over and over."""


@dataclass(frozen=True, slots=True)
class SlotTable:
    """The slots of a schedule in some period, in order, with the clock that they go by."""

    slots: tuple[Slot, ...]
    instants: tuple[int, ...]
    walls: tuple[int, ...]
    clock: WallClock

    @classmethod
    def of(cls, slots: Iterable[Slot], clock: WallClock) -> SlotTable:
        """The table of slots that come in order."""
        found = tuple(slots)
        return cls(found, tuple(slot.instant for slot in found), tuple(slot.wall for slot in found), clock)

    def newest(self, now: int) -> Slot | None:
        """The newest slot that is due at `now` or a moment later."""
        count = bisect_right(self.instants, now + GRACE_S)
        return self.slots[count - 1] if count else None

    def between(self, first: int, stop: int) -> tuple[Slot, ...]:
        """The slots whose wall minutes lie from `first` to before `stop`."""
        return self.slots[bisect_left(self.walls, first) : bisect_left(self.walls, stop)]


@dataclass(frozen=True, slots=True)
class Rules:
    """What of a job its wrapper knows. `table` is None for a job without a calendar, `clock` is then the machine's."""

    job: str
    trigger: str  # when nobody says otherwise
    clock: WallClock
    table: SlotTable | None = None
    event: str = ""  # `watch`, for a calendar job that watches paths, too
    deadline_s: int = 6 * 86400
    window: Literal["today"] | int = "today"
    guards: tuple[str, ...] = ()
    once: str = ""
    mark: Literal["start", "success"] = "start"
    coarse: bool = False  # the plist fires more often than the manifest asks


@dataclass(frozen=True, slots=True)
class Cursor:
    """The file `slots/JOB`: the newest slot that was looked at, what became of it, and how many were missed since a run."""

    slot: str = "-"
    word: str = "-"
    wall: int = 0
    missed: int = 0


NO_CURSOR: Final = Cursor()


@dataclass(frozen=True, slots=True)
class Memory:
    """What the state folder says of a job. `since` is the epoch of its install, or None."""

    cursor: Cursor
    claims: Collection[str]
    since: int | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """One start of a wrapper. `trigger` is manual, catchup, or empty for the job's own."""

    now: int
    pid: int
    trigger: str = ""
    force: bool = False


@dataclass(frozen=True, slots=True)
class Stop:
    """The end of a wrapper that ran nothing: the records, oldest first, and the cursor if it moves."""

    reason: str
    records: tuple[Record, ...] = ()
    cursor: Cursor | None = None
    slot: Slot | None = None


@dataclass(frozen=True, slots=True)
class Go:
    """A start that got past its guards. `since` is the epoch from which slots count."""

    start: Start
    trigger: str
    slot: Slot | None = None
    late: int | None = None
    since: int = 0
    canaries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Begun:
    """A job that was started. `made` are the claims, `at_end` those that a good end makes."""

    go: Go
    missed: int
    made: tuple[str, ...]
    at_end: tuple[str, ...]
    cursor: Cursor
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """What the end of a run leaves: the record, the cursor, claims to make and claims to take back."""

    record: Record
    cursor: Cursor
    make: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


def arrive(
    rules: Rules,
    memory: Memory,
    start: Start,
    breaker: Callable[[str], BreakerState],
    canary_free: Callable[[str], bool],
) -> Go | Stop:
    """Whether there is something to run, and the guards let it through (w_find_slot, w_ask_guards)."""
    found = find_slot(rules, memory, start)
    if isinstance(found, Stop) or start.force:
        return found
    canaries: list[str] = []
    for guard in rules.guards:
        state = breaker(guard)
        if state.state == "closed":
            continue
        if state.state == "open":
            return _skip_guard(rules, memory, found, "guard", guard, state.until)
        if not canary_free(guard):
            return _skip_guard(rules, memory, found, "canary", guard, state.until)
        canaries.append(guard)
    return replace(found, canaries=tuple(canaries)) if canaries else found


def find_slot(rules: Rules, memory: Memory, start: Start) -> Go | Stop:
    """The newest slot that is due and has no claim; or the end of the start (w_find_slot, w_not_due, w_expire)."""
    now, cursor = start.now, memory.cursor
    trigger = start.trigger or rules.trigger
    if rules.table is None:
        return Go(start, trigger)
    since = memory.since
    if since is None:
        since = 0 if cursor.wall > 0 else now - UNINSTALLED_S
    slot = rules.table.newest(now)
    if slot is None or slot.wall < _reached(rules, now) - rules.deadline_s // 60 - BEYOND_DEADLINE_MINUTES:
        return _not_due(rules, start, trigger, since)
    handled = slot.wall == cursor.wall and cursor.word in {"expired", "once"} and trigger != MANUAL
    if slot.wall < cursor.wall or handled or slot.instant < since or name_of(slot.wall) in memory.claims:
        return _not_due(rules, start, trigger, since)
    late = max(0, now - slot.instant)
    go = Go(start, trigger, slot, late, since)
    if trigger == MANUAL or not too_late(rules, cursor, go):
        return go
    missed, records = count_missed(rules, memory, go)
    words = _record(rules, go, "missed", "expired", slot=name_of(slot.wall), to=name_of(slot.wall), count=1)
    return Stop(
        "expired", (*records, words), Cursor(name_of(slot.wall), "expired", slot.wall, missed + 1), slot
    )


def _reached(rules: Rules, now: int) -> int:
    """The latest wall minute that the clock has reached, a moment from now included (k_reached)."""
    return -(-rules.clock.reached(now + GRACE_S + 1) // 60) - 1


def _not_due(rules: Rules, start: Start, trigger: str, since: int) -> Go | Stop:
    if trigger == MANUAL:
        return Go(start, trigger, since=since)
    if rules.event and trigger == "schedule":
        return Go(start, rules.event, since=since)
    if rules.coarse and trigger == "schedule":
        return Stop("not-due")
    go = Go(start, trigger)
    return Stop("not-due", (_record(rules, go, "skip", "not-due"),))


def too_late(rules: Rules, cursor: Cursor, go: Go) -> bool:
    """Whether the slot's time is over: its deadline, or the window of one that was looked at before (w_too_late)."""
    if go.slot is None or go.late is None:
        return False
    if go.late > rules.deadline_s:
        return True
    if go.slot.wall != cursor.wall and go.trigger != CATCHUP:
        return False
    if rules.window == "today":
        return go.slot.wall // DAY_MINUTES != rules.clock.reading(go.start.now) // 86400
    return go.late > rules.window


def count_missed(rules: Rules, memory: Memory, go: Go) -> tuple[int, tuple[Record, ...]]:
    """How many slots nobody ran since the last run, and the records of those that are new (w_count_missed)."""
    cursor, slot = memory.cursor, go.slot
    if slot is None or rules.table is None:
        return 0, ()
    missed = cursor.missed
    if slot.wall <= cursor.wall:
        return missed, ()
    first = cursor.wall + 1
    if cursor.wall == 0:
        first = slot.wall
        if go.since > 0 and memory.since is not None:
            first = go.since // 60 + rules.clock.offset(go.start.now) // 60 + 1
    records: list[Record] = []
    passed = [
        name_of(between.wall)
        for between in rules.table.between(max(first, slot.wall - COUNTED_MINUTES), slot.wall)
        if name_of(between.wall) not in memory.claims
    ][-MOST_COUNTED:]
    if passed:
        missed += len(passed)
        records.append(
            _record(rules, go, "missed", "not-fired", slot=passed[0], to=passed[-1], count=len(passed))
        )
    if cursor.word in SKIPPED_WORDS and cursor.slot not in memory.claims:
        missed += 1
        records.append(_record(rules, go, "missed", "superseded", slot=cursor.slot, to=cursor.slot, count=1))
    return missed, tuple(records)


def _skip_guard(rules: Rules, memory: Memory, go: Go, reason: str, guard: str, until: int) -> Stop:
    """One record per slot and reason is enough (w_skip_guard)."""
    cursor = memory.cursor
    if go.slot is not None and go.slot.wall == cursor.wall and cursor.word == reason:
        return Stop(reason, slot=go.slot)
    missed, records = count_missed(rules, memory, go)
    words = _of_slot(rules, go, "skip", reason, guard=guard, until=until)
    return Stop(reason, (*records, words), _moved(cursor, go.slot, reason, missed), go.slot)


def locked_out(rules: Rules, memory: Memory, go: Go) -> Stop:
    """The end of a start whose lock is held by another one (r_lock)."""
    missed, records = count_missed(rules, memory, go)
    words = _of_slot(rules, go, "skip", "lock")
    return Stop("lock", (*records, words), _moved(memory.cursor, go.slot, "lock", missed), go.slot)


def begin(rules: Rules, memory: Memory, go: Go) -> Begun | Stop:
    """The claims and the start of the job, under its lock (r_look_again, r_claim, r_start); `memory` as it is now."""
    missed = 0
    records: tuple[Record, ...] = ()
    if go.slot is not None:
        if name_of(go.slot.wall) not in memory.claims:
            missed, records = count_missed(rules, memory, go)
        elif go.trigger != MANUAL:
            return Stop("not-due", (_of_slot(rules, go, "skip", "not-due"),), slot=go.slot)
        else:
            go = replace(go, slot=None, late=None)
    slot, force = go.slot, go.start.force
    wall = slot.wall if slot else rules.clock.reading(go.start.now) // 60
    period = period_name(rules.once, wall) if rules.once not in {"", "slot"} else ""
    if period in memory.claims and not force:
        cursor = _moved(memory.cursor, slot, "once", missed)
        return Stop("once", (*records, _of_slot(rules, go, "skip", "once")), cursor, slot)
    marks = tuple(
        mark for mark in (period, name_of(slot.wall) if slot else "") if mark and mark not in memory.claims
    )
    early = rules.mark == "start"
    started = _of_slot(rules, go, "start", go.trigger, missed=missed)
    return Begun(
        go, missed, marks if early else (), () if early else marks, memory.cursor, (*records, started)
    )


def finish(
    rules: Rules,
    run: Begun,
    now: int,
    reason: str,
    *,
    status: int,
    signal: int | None = None,
    guard: str | None = None,
    until: int | None = None,
) -> Finished:
    """What the end of a run leaves (r_finish); `reason` is ok, failed, timeout, killed, quota, billing, auth, throttle."""
    begun = run.go.start.now
    record = _of_slot(
        rules,
        run.go,
        "end",
        reason,
        epoch=now,
        exit=status,
        signal=signal,
        guard=guard,
        until=until,
        seconds=max(0, now - begun),
    )
    slot, good = run.go.slot, reason == "ok"
    if reason in REFUSED:
        moved = _moved(run.cursor, slot, "guard", run.missed)
        return Finished(record, moved, run.at_end if good else (), run.made)
    if good or rules.mark == "start":
        return Finished(record, _moved(run.cursor, slot, "ran", 0), run.at_end if good else ())
    return Finished(record, _moved(run.cursor, slot, "failed", run.missed))


def catchup_wanted(
    words: Collection[str], cursor: Cursor, guards: Iterable[str], breaker: Callable[[str], BreakerState]
) -> bool:
    """Whether the catch-up's own wrapper finds a job worth asking about (c_is_waiting, c_may_pass).

    `words` are the cursor's words that leave a slot to be made up, or `always`.
    """
    if "always" not in words and cursor.word not in words:
        return False
    return all(breaker(guard).state != "open" for guard in guards)


def period_name(per: str, wall: int) -> str:
    """The name of the hour, day, ISO week or month that holds a wall minute (k_period)."""
    day = date_of(wall // DAY_MINUTES)
    if per == "hour":
        return f"hour-{name_of(wall)[:11]}"
    if per == "week":
        year, week, _ = date(day.year, day.month, day.day).isocalendar()
        return f"week-{year}W{week:02d}"
    return f"day-{name_of(wall)[:8]}" if per == "day" else f"month-{name_of(wall)[:6]}"


def _moved(cursor: Cursor, slot: Slot | None, word: str, missed: int) -> Cursor:
    """The cursor after a start (w_move_cursor); one without a slot leaves the slots' story as it is."""
    return cursor if slot is None else Cursor(name_of(slot.wall), word, slot.wall, missed)


def _record(rules: Rules, go: Go, event: str, reason: str, **fields: int | str | None) -> Record:
    """A record of the job at the moment of its start."""
    return Record(
        epoch=go.start.now,
        event=event,
        job=rules.job,
        reason=reason,
        trigger=go.trigger,
        pid=go.start.pid,
        **fields,  # type: ignore[arg-type]
    )


def _of_slot(
    rules: Rules, go: Go, event: str, reason: str, *, epoch: int | None = None, **fields: int | str | None
) -> Record:
    """A record that names the slot of the start, if it has one."""
    return Record(
        epoch=go.start.now if epoch is None else epoch,
        event=event,
        job=rules.job,
        reason=reason,
        slot=name_of(go.slot.wall) if go.slot else None,
        trigger=go.trigger,
        late=go.late,
        pid=go.start.pid,
        **fields,  # type: ignore[arg-type]
    )
