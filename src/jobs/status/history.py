"""A job's records as lines for people. Pure."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from jobs.runtime.records import Record, Run, runs
from jobs.status.ending import describe_exit
from jobs.status.table import age
from jobs.status.why import spoken


def run_line(run: Run) -> str:
    """One run in a line."""
    began = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(run.epoch))
    slot = f"slot {spoken(run.slot)}" if run.slot else "no slot"
    ended = describe_exit(run.exit, run.signal) if run.exit or run.signal else ""
    words = [
        began,
        f"{run.word:<8}",
        age(run.seconds) if run.seconds is not None else "-",
        slot,
        run.trigger or "",
        ended,
    ]
    return "  ".join(word for word in words if word).rstrip()


def record_line(record: Record) -> str:
    """One record that is no run: a skip, a miss, a note."""
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.epoch))
    slot = f"slot {spoken(record.slot)}" if record.slot else ""
    if record.to and record.to != record.slot:
        slot += f" to {spoken(record.to)} ({record.count})"
    words = [when, f"{record.event:<8}", record.reason or "", slot, record.guard or "", record.text or ""]
    return "  ".join(word for word in words if word).rstrip()


def history(records: Iterable[Record], *, skips: bool) -> Iterator[tuple[int, str, Run | Record]]:
    """Epoch, line and what it tells of, newest first: the runs, and with `skips` all else that came to nothing."""
    found = list(records)
    entries: list[tuple[int, str, Run | Record]] = [(run.epoch, run_line(run), run) for run in runs(found)]
    if skips:
        others = (record for record in found if record.event in {"skip", "missed", "note"})
        entries += [(record.epoch, record_line(record), record) for record in others]
    return iter(sorted(entries, key=lambda entry: -entry[0]))
