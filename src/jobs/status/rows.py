"""The rows of `jobs status`. Pure: everything that was read is handed in."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo
from itertools import islice
from typing import Literal

from jobs.install.receipt import Entry
from jobs.model.job import Job
from jobs.runtime.breaker import BreakerState
from jobs.runtime.records import Run
from jobs.schedule.rule import Schedule
from jobs.schedule.slots import next_slot, next_slots, slot_named
from jobs.status.ending import describe_exit
from jobs.status.locks import Holder
from jobs.status.past import Past
from jobs.system.launchd_answers import Listed, Service

State = Literal[
    "running",
    "loaded",
    "spawn scheduled",
    "not loaded",
    "switched off",
    "off in the manifest",
    "not installed",
    "?",
]
SETTLE_S = 150  # a slot that young may still be starting: timers come late, the wrapper takes a moment
MOST_MISSED = 1000


@dataclass(frozen=True, slots=True)
class Launchd:
    """What launchd told. `service` is None when it was not asked or does not know the label; `asked` tells which."""

    domain_error: str = ""  # no domain: nothing else is known
    listed: Listed | None = None
    service: Service | None = None
    asked: bool = False
    disabled: bool = False

    @property
    def loaded(self) -> bool:
        """Whether launchd has the job."""
        return self.service is not None if self.asked else self.listed is not None

    @property
    def pid(self) -> int | None:
        """The process of the job, if it runs."""
        if self.service is not None:
            return self.service.pid
        return self.listed.pid if self.listed else None

    @property
    def exit(self) -> tuple[int | None, int | None]:
        """Exit code and signal of the last run that launchd started."""
        if self.service is not None:
            return self.service.exit_code, self.service.exit_signal
        if self.listed is None or self.listed.status is None:
            return None, None
        status = self.listed.status
        return (None, -status) if status < 0 else (status, None)


@dataclass(frozen=True, slots=True)
class JobFacts:
    """Everything that is known of one job. `file` is the digest of the installed plist, None when it is not there."""

    job: Job
    wanted: str | None  # digest of the plist that the manifest gives; None: not known
    entry: Entry | None
    file: str | None
    launchd: Launchd
    past: Past
    installed: int = 0  # slots before it do not count
    guards: Mapping[str, BreakerState] | None = None
    holder: Holder | None = None

    @property
    def held(self) -> bool:
        """Whether it is switched off with `jobs disable`."""
        return self.entry is not None and self.entry.held and self.launchd.disabled


@dataclass(frozen=True, slots=True)
class Row:
    """One job in the table."""

    name: str
    label: str
    state: State
    pid: int | None
    last: Run | None
    last_text: str
    next_epoch: int | None
    next_slot: str | None
    missed: int
    waiting: tuple[str, ...]
    guards: tuple[tuple[str, BreakerState], ...]
    holder: Holder | None
    drift: tuple[str, ...]


def make_row(facts: JobFacts, now: int, zone: str | tzinfo) -> Row:
    """The row of one job at the epoch `now`; `zone` is the machine's."""
    job = facts.job
    missed, next_epoch, next_slot = missed_and_next(facts, now, zone)
    return Row(
        name=job.name,
        label=job.label,
        state=_state(facts),
        pid=facts.launchd.pid,
        last=facts.past.last,
        last_text=_last_text(facts),
        next_epoch=next_epoch,
        next_slot=next_slot,
        missed=missed,
        waiting=facts.past.waiting,
        guards=tuple((facts.guards or {}).items()),
        holder=facts.holder,
        drift=tuple(drift(facts)),
    )


def _state(facts: JobFacts) -> State:
    launchd = facts.launchd
    if launchd.loaded:
        if launchd.pid is not None:
            return "running"
        if launchd.service is not None and launchd.service.state == "spawn scheduled":
            return "spawn scheduled"
        return "loaded"
    if not facts.job.enabled:
        return "off in the manifest"
    if launchd.domain_error:
        return "?"
    if facts.entry is None:
        return "not installed"
    return "switched off" if facts.entry.held or launchd.disabled else "not loaded"


def _last_text(facts: JobFacts) -> str:
    """How the last run ended: the record's word, and launchd's status where it tells more.

    A job that launchd could not even start (78) leaves no record: then launchd's status is the news.
    """
    code, signal = facts.launchd.exit
    run = facts.past.last
    if code == 78 and not (run is not None and run.exit == 78):
        return describe_exit(78)
    if run is None:
        return describe_exit(code, signal) if code or signal else "never ran"
    if run.word in {"running", "ok", "crashed", "not-started"}:
        return run.word
    ended = describe_exit(run.exit, run.signal) if run.exit is not None or run.signal is not None else ""
    return f"{run.word} ({ended})" if ended else run.word


def missed_and_next(facts: JobFacts, now: int, zone: str | tzinfo) -> tuple[int, int | None, str | None]:
    """How many slots since the last run came to nothing, and instant and name of the next one.

    Missed are the slots with a `missed` record, and those that no record tells of.
    """
    job, past = facts.job, facts.past
    if not job.enabled or facts.held:
        return past.recorded, None, None
    if job.schedule is None:
        started = past.last.started if past.last is not None else None
        return past.recorded, None if job.every_s is None or started is None else started + job.every_s, None
    after = _handled(facts, job.schedule, zone)
    unrecorded = 0
    for slot in islice(
        next_slots(job.schedule, now if after is None else min(after, now), zone), MOST_MISSED
    ):
        if slot.instant > now:
            return past.recorded + unrecorded, slot.instant, slot.id
        unrecorded += slot.instant <= now - SETTLE_S
    upcoming = next_slot(job.schedule, now, zone)
    found = (upcoming.instant, upcoming.id) if upcoming is not None else (None, None)
    return past.recorded + unrecorded, *found


def _handled(facts: JobFacts, schedule: Schedule, zone: str | tzinfo) -> int | None:
    """The instant up to which all slots are accounted for; None for a job to which nothing was promised yet."""
    after = facts.installed - 1
    if facts.past.newest is not None:
        with contextlib.suppress(ValueError):
            return max(after, slot_named(schedule, facts.past.newest, zone).instant)
    return after if facts.installed else None


def drift(facts: JobFacts) -> list[str]:
    """Where manifest, installed file and launchd do not say the same, each in a sentence part."""
    entry, launchd = facts.entry, facts.launchd
    if not facts.job.enabled:
        if entry is not None or launchd.loaded:
            return ["off in the manifest, but still installed: jobsctl install"]
        return []
    if entry is None:
        return ["not installed: jobsctl install"]
    found = []
    if facts.wanted is not None and facts.wanted != entry.digest:
        found.append("the manifest says otherwise than what is installed: jobsctl install")
    if facts.file is None:
        found.append("its plist was deleted: jobsctl install")
    elif facts.file != entry.digest:
        found.append(f"its plist was changed by somebody else: jobsctl install --force {facts.job.name}")
    if entry.pending:
        found.append("an install of it was not finished: jobsctl install")
    if launchd.domain_error:
        return found
    held = facts.held
    if launchd.disabled and not held:
        found.append("an override switches it off: jobsctl enable " + facts.job.name)
    if not launchd.loaded and not held and not facts.job.launchd.get("LaunchOnlyOnce"):
        found.append("launchd does not have it loaded: jobsctl install")
    if launchd.service is not None and not entry.pending and launchd.service.identity != entry.seen:
        found.append("launchd has something else loaded under its label: jobsctl install")
    return found
