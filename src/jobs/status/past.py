"""What a job's records tell: its last run, and the slots since then that came to nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

from jobs.runtime.records import Record, Run, process_lives, runs

LOOKED_AT = 2000  # records; a job that only skipped for longer than that has told enough


@dataclass(frozen=True, slots=True)
class Past:
    """The newest part of a job's records.

    `recorded` counts the slots that `missed` records name since the last run, `waiting` holds the slots that were
    skipped since then for a reason that keeps them due, `newest` is the newest slot that any record names.
    """

    last: Run | None = None
    recorded: int = 0
    waiting: tuple[str, ...] = ()
    newest: str | None = None
    last_skip: Record | None = None


KEEPS_DUE = frozenset({"guard", "canary", "lock"})


def read_past(records: Iterable[Record], alive: Callable[[int, int], bool] = process_lives) -> Past:
    """The past from records that come newest first; reads no further back than the last run's start."""
    seen: list[Record] = []  # down to the last run's start
    found = False
    newest: str | None = None
    recorded = 0
    waiting: list[str] = []
    last_skip: Record | None = None
    for record in islice(records, LOOKED_AT):
        if record.reason != "not-due":
            newest = max(newest or "", record.to or record.slot or "") or None
        if not found:
            seen.append(record)
            if record.event == "missed":
                recorded += record.count or 1
            elif record.event == "skip" and record.reason != "not-due":
                last_skip = last_skip or record
                if record.reason in KEEPS_DUE and record.slot is not None and record.slot not in waiting:
                    waiting.append(record.slot)
            found = record.event == "start" or (record.event == "end" and record.reason == "not-started")
        if found and newest is not None:
            break  # a run by hand has no slot: then the slots before it are looked for
    last = next(runs(seen, alive), None)
    if last is not None and last.slot in waiting:
        waiting.remove(last.slot)
    return Past(last, recorded, tuple(sorted(waiting)), newest, last_skip)
