"""What became of every slot, from the records alone: the judge of the whole days."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path

from jobs.model.job import Job
from jobs.runtime.records import Record, newest_first, slot_states
from jobs.schedule.slots import slots_between

REFUSED = ("quota", "billing")


@dataclass
class Ledger:
    """The slots of some jobs: those that ran, those that stand with a reason, and those that nobody tells of."""

    ran: int = 0
    told: Counter[str] = field(default_factory=Counter)  # reason -> slots not run
    twice: list[tuple[str, str]] = field(default_factory=list)
    lost: list[tuple[str, str, list[Record]]] = field(default_factory=list)


def ledger(state: Path, jobs: Iterable[Job], start: int, end: int, zone: tzinfo) -> Ledger:
    """The ledger of the slots in [start, end)."""
    found = Ledger()
    for job in jobs:
        if job.schedule is None:
            continue
        records = list(newest_first(state / "runs" / f"{job.name}.jsonl"))
        ends = Counter(
            record.slot
            for record in records
            if record.event == "end" and record.reason not in {*REFUSED, "not-started"} and record.slot
        )
        found.twice += [(job.name, slot) for slot, count in ends.items() if count > 1]
        states = slot_states(records)
        spans = [
            (record.slot, record.to, record.reason or "")
            for record in records
            if record.event == "missed" and record.slot and record.to
        ]
        for slot in slots_between(job.schedule, start, end, zone):
            span = next((word for first, last, word in spans if first <= slot.id <= last), None)
            if slot.id in ends:
                found.ran += 1
            elif slot.id in states:
                found.told[states[slot.id].word] += 1
            elif span is not None:
                found.told[span] += 1
            else:
                found.lost.append((job.name, slot.id, records[:9]))
    return found
