"""The calendar of some days: lanes, slots, collisions, changes of the clock. Pure; renderers only draw it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, tzinfo
from itertools import groupby

from jobs.model.job import Job, Manifest
from jobs.schedule.pattern import DAY_MINUTES, date_of
from jobs.schedule.slots import Slot, slots_between
from jobs.schedule.wall import WallClock, wall_clock
from jobs.schedule.words import in_words

UNKNOWN_S = 60  # the length of a run that nothing is known of
DENSE = 12  # slots a day, above which a lane draws a band


@dataclass(frozen=True, slots=True)
class Entry:
    """A slot on the machine's wall: `day` counts from the first column, `minute` is the minute of that day."""

    slot: Slot
    day: int
    minute: int


@dataclass(frozen=True, slots=True)
class Lane:
    """A job with its slots in the days shown. `expected_s` is how long its runs take, or None when that is unknown."""

    job: Job
    words: str
    expected_s: int | None
    entries: tuple[Entry, ...]

    def of_day(self, day: int) -> tuple[Entry, ...]:
        """The entries of one column."""
        return tuple(entry for entry in self.entries if entry.day == day)


@dataclass(frozen=True, slots=True)
class Collision:
    """Jobs that want one thing at once: a guard's quota, or a lock that only one of them gets.

    `wanted` is `guard NAME` or `lock NAME`; `entries` are (job, entry) pairs in order of time.
    """

    wanted: str
    entries: tuple[tuple[str, Entry], ...]


@dataclass(frozen=True, slots=True)
class ClockChange:
    """A change of the machine's clock: at `minute` of `day` on the wall it moves by `shift_s` seconds."""

    day: int
    minute: int
    shift_s: int


@dataclass(frozen=True, slots=True)
class Calendar:
    """Some days from `first` on, on the wall of the machine's zone. `now` is None when it is outside of them."""

    first: date
    days: int
    zone: str
    moment: int  # epoch seconds that the calendar was made for
    now: Entry | None
    groups: tuple[
        tuple[str, tuple[Lane, ...]], ...
    ]  # by guard, in the manifest's order; "" last, without one
    collisions: tuple[Collision, ...]
    changes: tuple[ClockChange, ...]
    offsets: tuple[tuple[int, int], ...]  # of the machine's clock: (since this instant, seconds east of UTC)
    others: tuple[Job, ...]  # without slots: intervals and events

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """All lanes, in order."""
        return tuple(lane for _, lanes in self.groups for lane in lanes)

    def date(self, day: int) -> date:
        """The date of a column."""
        return date.fromordinal(self.first.toordinal() + day)


def make_calendar(
    manifest: Manifest, start: int, moment: int, days: int, zone: tzinfo, expected: Mapping[str, int]
) -> Calendar:
    """The calendar of `days` days from the day of the instant `start` on; `expected` gives seconds by job."""
    clock = wall_clock(zone)
    first = clock.reading(start) // 86400
    begin, end = clock.instant(first * 86400), clock.instant((first + days) * 86400)
    changes = clock.changes(begin, end)
    lanes = []
    for job in manifest.jobs:
        if job.schedule is None or not job.enabled:
            continue
        slots = slots_between(job.schedule, begin, end, zone)
        if job.schedule.zone is None and not changes:  # a slot's name is what the wall shows
            entries = tuple(
                Entry(slot, slot.wall // DAY_MINUTES - first, slot.wall % DAY_MINUTES) for slot in slots
            )
        else:
            entries = tuple(_entry(slot, first, clock) for slot in slots)
        lanes.append(Lane(job, in_words(job.schedule), expected.get(job.name), entries))
    return Calendar(
        first=date_of(first),
        days=days,
        zone=str(zone),
        moment=moment,
        now=_entry(Slot(0, moment), first, clock) if begin <= moment < end else None,
        groups=_grouped(lanes, manifest),
        collisions=_collisions(lanes),
        changes=clock_changes(clock, begin, end),
        offsets=((begin, clock.offset(begin)), *((change.at, change.after) for change in changes)),
        others=tuple(job for job in manifest.jobs if job.schedule is None and job.enabled),
    )


def clock_changes(clock: WallClock, begin: int, end: int) -> tuple[ClockChange, ...]:
    """The changes of a clock from the instant `begin`, in the first column, to before `end`."""
    first = clock.reading(begin) // 86400
    return tuple(
        ClockChange(
            (change.at + change.before) // 86400 - first,
            (change.at + change.before) % 86400 // 60,
            change.after - change.before,
        )
        for change in clock.changes(begin, end)
    )


def _entry(slot: Slot, first: int, clock: WallClock) -> Entry:
    """Where an instant stands. Its day and minute are the machine's, whatever the schedule's zone is."""
    minute = clock.reading(slot.instant) // 60
    return Entry(slot, minute // DAY_MINUTES - first, minute % DAY_MINUTES)


def _grouped(lanes: Sequence[Lane], manifest: Manifest) -> tuple[tuple[str, tuple[Lane, ...]], ...]:
    """The lanes by their first guard."""
    names = [*(guard.name for guard in manifest.guards), ""]

    def guard_of(lane: Lane) -> int:
        return names.index(lane.job.guards[0]) if lane.job.guards else len(names) - 1

    ordered = sorted(lanes, key=guard_of)
    return tuple((names[index], tuple(group)) for index, group in groupby(ordered, key=guard_of))


def _collisions(lanes: Sequence[Lane]) -> tuple[Collision, ...]:
    """The runs that overlap and want the same thing; chains of overlaps are one collision."""
    wanting: dict[str, list[Lane]] = {}
    for lane in lanes:
        for want in _wants(lane.job):
            wanting.setdefault(want, []).append(lane)
    found: list[Collision] = []
    for want, rivals in wanting.items():
        if len(rivals) < 2:
            continue
        runs = [
            (begin := entry.slot.instant, begin + (lane.expected_s or UNKNOWN_S), lane.job.name, entry)
            for lane in rivals
            for entry in lane.entries
        ]
        runs.sort(key=lambda run: (run[0], run[2]))
        chain: list[tuple[int, int, str, Entry]] = []
        until = 0
        for run in runs:
            if chain and run[0] >= until:
                if len(chain) > 1:
                    found += _chain(want, chain)
                chain = []
            until = run[1] if not chain else max(until, run[1])
            chain.append(run)
        found += _chain(want, chain)
    return tuple(sorted(found, key=lambda one: (one.entries[0][1].slot.instant, one.wanted)))


def _wants(job: Job) -> set[str]:
    """What a job's runs may collide over."""
    lock = {f"lock {job.lock.name}"} if job.lock is not None else set()
    return {f"guard {name}" for name in job.guards} | lock


def _chain(want: str, runs: Sequence[tuple[int, int, str, Entry]]) -> list[Collision]:
    """The collision of overlapping runs, if they are of two jobs at least."""
    if len({name for _, _, name, _ in runs}) < 2:
        return []
    return [Collision(want, tuple((name, entry) for _, _, name, entry in runs))]
