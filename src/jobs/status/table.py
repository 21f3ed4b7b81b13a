"""Rows as text and as JSON. Pure."""

from __future__ import annotations

import time
from collections.abc import Sequence

from jobs.runtime.breaker import BreakerState
from jobs.status.rows import MOST_MISSED, Row

HEADS = ("JOB", "STATE", "LAST RUN", "ENDED", "NEXT", "MISSED", "GUARD", "LOCK")


def age(seconds: int) -> str:
    """A span in its largest unit: `5s`, `12m`, `3h`, `2d`."""
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size}{unit}"
    return f"{max(0, seconds)}s"


def moment(epoch: int, now: int) -> str:
    """A time as a person says it: the clock today, with the date otherwise."""
    at, today = time.localtime(epoch), time.localtime(now)
    if at[:3] == today[:3]:
        return time.strftime("%H:%M", at)
    return time.strftime("%b %-d %H:%M" if at.tm_year == today.tm_year else "%Y-%m-%d %H:%M", at)


def guard_text(name: str, breaker: BreakerState, now: int) -> str:
    """A breaker in few words."""
    if breaker.state == "closed":
        return f"{name} closed"
    until = f" until {moment(breaker.until, now)}" if breaker.until and breaker.state == "open" else ""
    return f"{name} {breaker.state}{until}"


def cells(row: Row, now: int) -> tuple[str, ...]:
    """One row of the table."""
    run = row.last
    missed = f"{MOST_MISSED}+" if row.missed >= MOST_MISSED else str(row.missed) if row.missed else "-"
    waiting = f" ({len(row.waiting)} wait)" if row.waiting else ""
    lock = "-"
    if row.holder is not None:
        gone = "" if row.holder.alive else ", dead"
        lock = f"{row.holder.pid} {age(now - row.holder.since)}{gone}"
    state = f"{row.state} {row.pid}" if row.pid is not None else row.state
    return (
        row.name,
        state,
        f"{age(now - run.epoch)} ago" if run is not None else "-",
        row.last_text,
        moment(row.next_epoch, now) if row.next_epoch is not None else "-",
        missed + waiting,
        ", ".join(guard_text(name, breaker, now) for name, breaker in row.guards) or "-",
        lock,
    )


def table(rows: Sequence[Row], now: int) -> list[str]:
    """The table with its head, columns aligned; drift stands under its row."""
    grid = [HEADS, *(cells(row, now) for row in rows)]
    widths = [max(len(line[column]) for line in grid) for column in range(len(HEADS))]
    lines = []
    for index, line in enumerate(grid):
        lines.append("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
        if index:
            lines += [f"  drift: {text}" for text in rows[index - 1].drift]
    return lines


def record(row: Row) -> dict[str, object]:
    """One row for `--json`. Times are epoch seconds."""
    run = row.last
    return {
        "name": row.name,
        "label": row.label,
        "state": row.state,
        "pid": row.pid,
        "last": None
        if run is None
        else {
            "word": run.word,
            "started": run.started,
            "ended": run.ended,
            "slot": run.slot,
            "trigger": run.trigger,
            "exit": run.exit,
            "signal": run.signal,
            "seconds": run.seconds,
        },
        "ended": row.last_text,
        "next": row.next_epoch,
        "next_slot": row.next_slot,
        "missed": row.missed,
        "waiting": list(row.waiting),
        "guards": {
            name: {
                "state": breaker.state,
                "until": breaker.until,
                "kind": breaker.kind,
                "words": breaker.words,
            }
            for name, breaker in row.guards
        },
        "lock": None
        if row.holder is None
        else {
            "pid": row.holder.pid,
            "since": row.holder.since,
            "job": row.holder.job,
            "alive": row.holder.alive,
        },
        "drift": list(row.drift),
    }
