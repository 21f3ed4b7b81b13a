"""S108: a date that no year has."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.calendar_entry import LENGTHS, MONTHS, entries
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, calendar


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Every entry whose month never has its day."""
    for entry in entries(job):
        month, day = entry.fields.get("Month"), entry.fields.get("Day")
        if month is not None and day is not None and day > LENGTHS[month]:
            after = MONTHS[month % 12 + 1]
            yield Finding(
                entry.present["Day"].key_place,
                f"{MONTHS[month]} has no day {day}: never fires, or rolls into {after}",
                Fix(f"write a day of 1 to {LENGTHS[month]}"),
            )


RULE = Rule(
    code="S108",
    name="impossible-date",
    title="A date that no year has",
    subject="plist",
    severity=Severity.ERROR,
    why="launchd hands such a date to mktime, which makes another one of it: 30 February becomes 1 or 2 March.",
    bad=calendar("Month=2 Day=30 Hour=9 Minute=0"),
    good=(calendar("Month=4 Day=30 Hour=9 Minute=0"), calendar("Month=1 Day=31 Hour=9 Minute=0")),
    check=on_job(_check),
    sources=("launchd-842 core.c, calendarinterval_setalarm", "mktime(3)"),
    example_path=AGENT_PATH,
)
