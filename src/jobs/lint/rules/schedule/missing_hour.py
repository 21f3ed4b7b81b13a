"""S102: a day without an hour."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.calendar_entry import entries
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, calendar


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Every entry with a day field and a minute but no hour."""
    for entry in entries(job):
        lower = {pair.key.strip().lower() for pair in entry.value.entries}
        if "hour" in lower or not entry.has("Minute") or not entry.has("Day", "Weekday", "Month"):
            continue
        minute = entry.fields.get("Minute", 0)
        days = f" {entry.days()}" if entry.days() else ""
        yield Finding(
            entry.value.place,
            f"no Hour: fires 24 times{days}, from 00:{minute:02d} to 23:{minute:02d}",
            Fix("write <key>Hour</key><integer>0</integer>"),
        )


RULE = Rule(
    code="S102",
    name="missing-hour",
    title="A day without an hour fires every hour",
    subject="plist",
    severity=Severity.ERROR,
    why="A field that is not written counts as any. A Weekday with a Minute starts the job every hour of that day.",
    bad=calendar("Weekday=1 Minute=0"),
    good=(calendar("Weekday=1 Hour=0 Minute=0"), calendar("Minute=0")),
    check=on_job(_check),
    sources=("launchd.plist(5), StartCalendarInterval: missing keys are wildcards",),
    example_path=AGENT_PATH,
)
