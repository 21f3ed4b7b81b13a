"""`jobs next`: the slots to come, and what each schedule means in words."""

from __future__ import annotations

from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from jobs.cli.installed import MANIFEST_HELP
from jobs.errors import Exit

if TYPE_CHECKING:
    from jobs.model.job import Job
    from jobs.schedule.rule import Schedule
    from jobs.schedule.slots import Slot

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl next                            the next slot of every job, soonest first
  jobsctl next note-post                  the next five slots of one job
  jobsctl next --from 2026-12-24 --count 3   what comes after midnight of that day
"""


@app.command(
    "next", epilog=EPILOG, help="Show the next slots of jobs, and what their schedules mean in words."
)
def next_slots_of_jobs(
    names: list[str] = typer.Argument(None, metavar="[NAME]...", help="Jobs; default: all."),
    start: str | None = typer.Option(
        None,
        "--from",
        metavar="TIME",
        help="Begin there instead of now: 2026-12-01 or 2026-12-01T09:00, local time.",
    ),
    count: int | None = typer.Option(
        None, "--count", min=1, max=1000, help="Slots of each job; default 1, of named jobs 5."
    ),
    manifest: Path | None = typer.Option(None, "--manifest", help=MANIFEST_HELP),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """The exit status."""
    from jobs.cli.installed import check_names, print_json
    from jobs.cli.manifest import require_manifest
    from jobs.cli.when import epoch_of
    from jobs.system.clock import local_zone, now

    found = require_manifest(manifest)
    check_names(names or [], [job.name for job in found.jobs])
    zone = local_zone()
    moment = now() if start is None else epoch_of(start, zone)
    jobs = [job for job in found.jobs if not names or job.name in names]
    shown = count or (5 if names else 1)
    if as_json:
        print_json(_record(jobs, moment, zone, shown))
        return Exit.OK
    print("\n".join(_text(jobs, moment, zone, shown)))
    return Exit.OK


def _upcoming(job: Job, moment: int, zone: tzinfo, count: int) -> list[Slot]:
    from jobs.schedule.slots import first_slots

    # A slot that is due at this very moment is still to come.
    return first_slots(job.schedule, moment - 1, zone, count) if job.schedule is not None else []


def _text(jobs: list[Job], moment: int, zone: tzinfo, count: int) -> list[str]:
    from jobs.schedule.words import in_words
    from jobs.week.causes import PHASE, events_in_words, interval_in_words

    slots = {job.name: _upcoming(job, moment, zone, count) for job in jobs}
    timed = [job for job in jobs if job.schedule is not None]
    timed.sort(key=lambda job: (slots[job.name][0].instant if slots[job.name] else 1 << 62, job.name))
    width = max((len(job.name) for job in jobs), default=0)
    lines: list[str] = []
    for job in timed:
        if job.schedule is None:
            continue
        words = in_words(job.schedule) + ("" if job.enabled else ", switched off")
        told = [_slot_text(slot, job.schedule, moment, zone) for slot in slots[job.name]]
        if count == 1:
            when, note = told[0] if told else ("never", "")
            lines.append(f"{job.name:{width}}  {when}  {words}{note}")
        else:
            lines += [f"{job.name}  {words}", *(f"  {when}{note}" for when, note in told), ""]
    intervals = [(job.name, text) for job in jobs if (text := interval_in_words(job))]
    if intervals:
        lines += [""] * (lines[-1:] not in ([], [""])) + [f"By interval, {PHASE}:"]
        lines += [f"  {name:{width}}  {text}" for name, text in intervals]
    events = [(job.name, ", ".join(found)) for job in jobs if (found := events_in_words(job))]
    if events:
        lines += [""] * (lines[-1:] not in ([], [""])) + ["By events:"]
        lines += [f"  {name:{width}}  {text}" for name, text in events]
    while lines and not lines[-1]:
        lines.pop()
    return lines or ["the manifest has no jobs"]


def _slot_text(slot: Slot, schedule: Schedule, moment: int, zone: tzinfo) -> tuple[str, str]:
    """A slot as a person reads it: its wall time and how far it is; and a note where the clock plays a trick."""
    from jobs.schedule.slots import clock_of
    from jobs.schedule.wall import wall_clock
    from jobs.schedule.words import duration_in_words

    distance = slot.instant - moment
    far = "now" if distance == 0 else f"in {duration_in_words(distance)}"
    notes = []
    shown = clock_of(schedule, zone).reading(slot.instant)
    if shown != slot.wall * 60:
        notes.append(
            f"the clock skips {slot.time:%H:%M}: due at {shown % 86400 // 3600:02d}:{shown % 3600 // 60:02d}"
        )
    if schedule.zone is not None:
        here = wall_clock(zone).reading(slot.instant)
        if here != shown:
            notes.append(f"{here % 86400 // 3600:02d}:{here % 3600 // 60:02d} here")
    return f"{slot.time:%a %Y-%m-%d %H:%M}  {far:>14}", f"  ({'; '.join(notes)})" if notes else ""


def _record(jobs: list[Job], moment: int, zone: tzinfo, count: int) -> dict[str, Any]:
    from jobs.schedule.words import in_words
    from jobs.week.causes import events_in_words, interval_in_words

    rows: list[dict[str, Any]] = []
    for job in jobs:
        row: dict[str, Any] = {"job": job.name, "enabled": job.enabled}
        if job.schedule is not None:
            row["schedule"] = in_words(job.schedule)
            row["zone"] = job.schedule.zone or str(zone)
            row["slots"] = [
                {"slot": slot.id, "epoch": slot.instant, "in": slot.instant - moment}
                for slot in _upcoming(job, moment, zone, count)
            ]
        if job.every_s is not None:
            row["every"] = job.every_s
            row["interval"] = interval_in_words(job)
        events = events_in_words(job)
        if events:
            row["events"] = list(events)
        rows.append(row)
    return {"from": moment, "zone": str(zone), "jobs": rows}
