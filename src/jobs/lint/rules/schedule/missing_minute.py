"""S101: an hour without a minute."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.calendar_entry import entries
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, calendar


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Every entry with another field and no Minute, with the minutes at which it fires."""
    for entry in entries(job):
        if not entry.present or entry.has("Minute") or _other_case(entry.value.entries):
            continue
        days = f" {entry.days()}" if entry.days() else ""
        hour = entry.fields.get("Hour")
        if hour is not None:
            told, times = (
                f"no Minute: fires every minute from {hour:02d}:00 to {hour:02d}:59{days}",
                "60 times",
            )
        elif entry.has("Hour"):
            told, times = f"no Minute: fires every minute of the hour{days}", "60 times"
        else:
            told, times = (
                f"no Hour and no Minute: fires every minute from 00:00 to 23:59{days}",
                "1440 times a day",
            )
        advice = (
            "write <key>Minute</key><integer>0</integer>" if entry.has("Hour") else "write Hour and Minute"
        )
        yield Finding(entry.value.place, f"{told}, {times}", Fix(advice))


def _other_case(pairs: tuple[object, ...]) -> bool:
    return any(getattr(pair, "key", "").strip().lower() == "minute" for pair in pairs)


RULE = Rule(
    code="S101",
    name="missing-minute",
    title="A time without a minute fires every minute",
    subject="plist",
    severity=Severity.ERROR,
    why="A field that is not written counts as any. An Hour of 6 alone starts the job sixty times, not at six.",
    bad=calendar("Hour=6"),
    good=(calendar("Hour=6 Minute=0"), calendar("Minute=30"), calendar("Weekday=1 Hour=6 Minute=0")),
    check=on_job(_check),
    exceptions="A Minute alone is every hour at that minute, and may be meant.",
    sources=(
        "launchd.plist(5), StartCalendarInterval: missing keys are wildcards",
        "launchd-842 core.c, cronemu_min",
    ),
    example_path=AGENT_PATH,
)
