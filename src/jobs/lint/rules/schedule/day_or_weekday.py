"""S107: a day of the month together with a weekday."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.calendar_entry import WEEKDAYS, entries
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, calendar


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Every entry with Day and Weekday."""
    for entry in entries(job):
        if "Day" in entry.fields and "Weekday" in entry.fields:
            day, weekday = entry.fields["Day"], WEEKDAYS[entry.fields["Weekday"]]
            yield Finding(
                entry.present["Day"].key_place,
                f"Day with Weekday: either matches, day {day} of each month and every {weekday}",
                Fix("write two dictionaries if that is meant, else one of the two and a test in the job"),
            )


RULE = Rule(
    code="S107",
    name="day-or-weekday",
    title="Day and Weekday are joined by or",
    subject="plist",
    severity=Severity.WARNING,
    why="As in cron, a time with both fields fires when either matches: Friday the 13th becomes every Friday and every 13th.",
    bad=calendar("Day=13 Weekday=5 Hour=7 Minute=0"),
    good=(
        calendar("Day=13 Hour=4 Minute=0", "Weekday=5 Hour=4 Minute=0"),
        calendar("Weekday=5 Hour=4 Minute=0"),
    ),
    check=on_job(_check),
    sources=("launchd.plist(5), StartCalendarInterval", "launchd-842 core.c, calendarinterval_setalarm"),
    example_path=AGENT_PATH,
)
