"""S106: a month together with a weekday."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.calendar_entry import WEEKDAYS, entries
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, calendar


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Every entry with Month and Weekday."""
    for entry in entries(job):
        if "Month" in entry.fields and "Weekday" in entry.fields:
            day = WEEKDAYS[entry.fields["Weekday"]]
            yield Finding(
                entry.present["Month"].key_place,
                f"Month with Weekday: launchd may fire on every {day} of the year, Month does not apply to Weekday",
                Fix("leave Month out and test the month in the job"),
            )


RULE = Rule(
    code="S106",
    name="month-with-weekday",
    title="Month does not apply to Weekday",
    subject="plist",
    severity=Severity.WARNING,
    why="In the last open launchd the search for a weekday never looks at the month: Mondays in June are all Mondays.",
    bad=calendar("Month=6 Weekday=1 Hour=9 Minute=0"),
    good=(calendar("Month=6 Day=1 Hour=9 Minute=0"), calendar("Weekday=1 Hour=9 Minute=0")),
    check=on_job(_check),
    sources=("launchd-842 core.c, cronemu_wday",),
    example_path=AGENT_PATH,
)
