"""What catch-up judges: the jobs of a manifest with their records, claims and slots."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from jobs.model.job import Job, Manifest
from jobs.runtime.catchup import CatchupJob, Decision, PassedSlot, Window, decide
from jobs.runtime.records import newest_first
from jobs.schedule.rule import Schedule
from jobs.schedule.slots import previous_slots

LONGEST_LOOK_S = 62 * 86400


def catchup_job(job: Job) -> CatchupJob:
    """What of a job matters to catch-up."""
    return CatchupJob(
        name=job.name,
        label=job.label,
        schedule=job.schedule,
        guards=job.guards,
        reasons=job.catchup.reasons if job.catchup else (),
        window=job.catchup.window if job.catchup else "today",
        deadline_s=job.deadline_s,
        timeout_s=job.timeout_s or 0,
        kill_after_s=job.kill_after_s,
        lock_wait_s=job.lock.wait_s if job.lock else 0,
        retry=job.once is not None and job.once.mark == "success",
    )


def passed_slots(schedule: Schedule, now: int, window: Window, zone: tzinfo) -> Sequence[PassedSlot]:
    """The slots of the window that have passed, oldest first.

    "today" is the day of the wall clock in the schedule's own zone, as the wrapper sees it.
    """
    from zoneinfo import ZoneInfo

    clock = ZoneInfo(schedule.zone) if schedule.zone else zone
    today = datetime.fromtimestamp(now, UTC).astimezone(clock).strftime("%Y%m%d")
    found = []
    for slot in previous_slots(schedule, now + 1, zone):
        inside = slot.id.startswith(today) if window == "today" else now - slot.instant <= window
        if not inside or now - slot.instant > LONGEST_LOOK_S:
            break
        found.append(PassedSlot(slot.id, slot.instant))
    return found[::-1]


def decisions(manifest: Manifest, now: int, zone: tzinfo) -> list[Decision]:
    """The decision on every job, in the order of the manifest."""
    state = Path(manifest.project.state)
    return [
        decide(
            catchup_job(job),
            now=now,
            passed=lambda schedule, _start, now, window: passed_slots(schedule, now, window, zone),
            records=newest_first(state / "runs" / f"{job.name}.jsonl"),
            claims=claims(state, job.name),
            installed=installed(state, job.name),
        )
        for job in manifest.jobs
    ]


def claims(state: Path, job: str) -> frozenset[str]:
    """The names of the job's markers."""
    try:
        return frozenset(path.name for path in (state / "claims" / job).iterdir())
    except OSError:
        return frozenset()


def installed(state: Path, job: str) -> int | None:
    """The epoch before which the job's slots do not count, or None."""
    try:
        return int((state / "since" / job).read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return None


def expired(manifest: Manifest, found: Sequence[Decision], now: int, zone: tzinfo) -> list[str]:
    """The jobs whose skipped slot can no longer be made up, though nobody has written so yet.

    Their wrapper is asked once more: it finds the time over, and records the slot as missed.
    """
    state = Path(manifest.project.state)
    return [
        decision.job.name
        for decision in found
        if overdue(decision, _cursor(state, decision.job.name), claims(state, decision.job.name), now, zone)
    ]


def overdue(
    decision: Decision, cursor: Sequence[str], claims: Collection[str], now: int, zone: tzinfo
) -> bool:
    """Whether the skipped slot that a job's cursor names is past its window; `cursor` are the words of `slots/JOB`."""
    if decision.candidate or not decision.job.reasons or decision.job.schedule is None:
        return False
    if len(cursor) < 3 or cursor[1] not in {"guard", "canary", "lock", "failed"}:
        return False
    newest = next(previous_slots(decision.job.schedule, now + 60, zone), None)
    if newest is None or newest.id != cursor[0] or cursor[0] in claims:
        return False  # a newer slot takes its place, and says so when it comes
    inside = passed_slots(decision.job.schedule, now + 60, decision.job.window, zone)
    return all(slot.name != cursor[0] for slot in inside)


def _cursor(state: Path, job: str) -> list[str]:
    try:
        return (state / "slots" / job).read_text().split()
    except (OSError, UnicodeDecodeError):
        return []
