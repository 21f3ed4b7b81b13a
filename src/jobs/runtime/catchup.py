"""What has to be made up: a pure judgement over records, claims, breakers and the time of day.

A job is a candidate when three filters say yes: it is guarded (or asks for more by `for`); the newest record that
says anything about a slot of the window is a skip, or another of the reasons it asks for; and a slot of the window has
passed that is not claimed. Every answer is kept, so that `--explain` can show why a job is or is not made up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from jobs.runtime.records import Alive, Record, process_lives, since
from jobs.schedule.rule import Schedule

Reason = Literal["guard", "missed", "busy", "failed"]
Window = Literal["today"] | int

SKIPPED: dict[str, Reason] = {"guard": "guard", "canary": "guard", "lock": "busy"}
"""Skip records that leave their slot due, by reason."""

STOPPED = ("quota", "billing")
"""Ends that count as skips: the tool refused, and the wrapper gave the slot back."""

SILENT_SKIPS = ("not-due", "once")
"""Skip records that say nothing about what has to be made up."""


@dataclass(frozen=True, slots=True)
class CatchupJob:
    """What of a job matters here. `schedule` is None for jobs without a calendar: they come back by themselves."""

    name: str
    label: str
    schedule: Schedule | None
    guards: tuple[str, ...]
    reasons: tuple[Reason, ...]  # empty: never made up
    window: Window
    deadline_s: int | None = None
    timeout_s: int = 0
    kill_after_s: int = 20
    lock_wait_s: int = 0
    retry: bool = False  # mark = "success": a failed run has given its slot back


@dataclass(frozen=True, slots=True)
class PassedSlot:
    """A slot of the window that has passed: its name and its instant (epoch)."""

    name: str
    epoch: int


@dataclass(frozen=True, slots=True)
class Answer:
    """One filter's answer, with its ground in words."""

    filter: str
    yes: bool
    ground: str


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a job is made up. `slot` is the one that will run; `others` older ones that it stands for."""

    job: CatchupJob
    answers: tuple[Answer, ...]
    slot: PassedSlot | None = None
    reason: Reason | None = None
    others: tuple[str, ...] = field(default=())

    @property
    def candidate(self) -> bool:
        """Whether all filters said yes."""
        return self.slot is not None and all(answer.yes for answer in self.answers)


def decide(
    job: CatchupJob,
    *,
    now: int,
    passed: Callable[[Schedule, int, int, Window], Sequence[PassedSlot]],
    records: Iterable[Record],
    claims: Collection[str],
    installed: int | None = None,
    alive: Alive = process_lives,
) -> Decision:
    """The decision on one job.

    `passed(schedule, start, now, window)` lists the window's slots, oldest first; `records` come newest first and are
    read no further back than the window needs; `claims` are the names of the job's markers; `installed` is the epoch
    before which slots do not count.
    """
    if job.schedule is None:
        return Decision(job, (Answer("guarded", False, "no calendar: it comes back by itself"),))
    if not job.reasons:
        return Decision(job, (Answer("guarded", False, "catchup = false"),))
    if not job.guards and "guard" in job.reasons and len(job.reasons) == 1:
        return Decision(job, (Answer("guarded", False, "no guard"),))
    answers = [Answer("guarded", True, _reasons(job))]
    slots = [slot for slot in passed(job.schedule, 0, now, job.window) if slot.epoch >= (installed or 0)]
    first = slots[0].epoch if slots else now
    reason, ground = newest_word(job, since(records, first - 60), alive)
    open_slots = [slot for slot in slots if slot.name not in claims]
    if reason is None and "missed" in job.reasons and open_slots and ground == NOTHING:
        reason, ground = "missed", f"no record of {open_slots[-1].name}"
    answers.append(Answer("newest record", reason is not None, ground))
    answers.append(_slot_answer(job, slots, open_slots, now))
    if not answers[-1].yes or reason is None:
        return Decision(job, tuple(answers))
    return Decision(job, tuple(answers), open_slots[-1], reason, tuple(slot.name for slot in open_slots[:-1]))


NOTHING = "no record in the window"


def newest_word(job: CatchupJob, records: Iterable[Record], alive: Alive) -> tuple[Reason | None, str]:
    """The reason for making up that the newest telling record gives, or None; and the ground in words.

    Records from the future (the clock was set back) are read like all others: they are the newest that there are.
    """
    ended: set[int | None] = set()
    for record in records:
        when = record.time[11:16] or str(record.epoch)
        if record.event == "end":
            ended.add(record.pid)
            if record.reason in STOPPED:
                return _asked(job, "guard", f"stopped by {record.reason} at {when}")
            if record.reason == "ok":
                return None, f"ran at {when}"
            if record.reason == "not-started" or job.retry:
                return _asked(job, "failed", f"{record.reason} at {when}")
            return None, f"ran at {when} ({record.reason}), and runs at most once"
        if record.event == "start":
            if record.pid in ended:
                continue
            if record.pid is not None and alive(record.pid, record.epoch):
                return None, f"is running since {when}"
            if job.retry:
                return _asked(job, "failed", f"crashed after {when}")
            return None, f"crashed after {when}, and runs at most once"
        if record.event == "skip" and record.reason in SKIPPED:
            return _asked(job, SKIPPED[record.reason], f"skipped ({record.reason}) at {when}")
        if record.event == "missed" and record.reason == "expired":
            return None, f"expired at {when}"
    return None, NOTHING


def _asked(job: CatchupJob, reason: Reason, ground: str) -> tuple[Reason | None, str]:
    """The reason, if the job asks for it."""
    if reason in job.reasons:
        return reason, ground
    return None, f'{ground}; "{reason}" is not in catchup.for'


def _reasons(job: CatchupJob) -> str:
    words = [f"guard {name}" for name in job.guards if "guard" in job.reasons]
    return ", ".join([*words, *(reason for reason in job.reasons if reason != "guard")])


def _slot_answer(
    job: CatchupJob, slots: Sequence[PassedSlot], open_slots: Sequence[PassedSlot], now: int
) -> Answer:
    window = "today" if job.window == "today" else f"within {job.window} s"
    if not slots:
        return Answer("slot passed", False, f"none {window}")
    if not open_slots:
        return Answer("slot passed", False, f"{slots[-1].name} has run")
    newest = open_slots[-1]
    if newest != slots[-1]:
        return Answer("slot passed", False, f"{slots[-1].name} has run since")
    late = now - newest.epoch
    if job.deadline_s is not None and late > job.deadline_s:
        return Answer(
            "slot passed", False, f"{newest.name} is past its deadline by {late - job.deadline_s} s"
        )
    return Answer("slot passed", True, f"{newest.name}, {late} s ago")


def in_order(decisions: Iterable[Decision]) -> list[Decision]:
    """The candidates in the order in which they run: the oldest slot first, then by name."""
    candidates = [decision for decision in decisions if decision.candidate]
    return sorted(candidates, key=lambda d: (d.slot.epoch if d.slot else 0, d.job.name))
