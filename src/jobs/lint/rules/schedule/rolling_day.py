"""S109: a day that some months lack."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.calendar_entry import entries
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, calendar


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Every entry with a day of 29 to 31 in any month, and 29 February."""
    for entry in entries(job):
        month, day = entry.fields.get("Month"), entry.fields.get("Day", 0)
        if month == 2 and day == 29:
            words = "29 February: in other years it is skipped, or rolls to 1 March"
        elif month is None and not entry.has("Month") and day >= 29:
            words = f"Day {day}: months without it skip it or roll it into the next month"
        else:
            continue
        yield Finding(
            entry.present["Day"].key_place,
            words,
            Fix("write a day of 1 to 28, or several days and a test in the job"),
        )


RULE = Rule(
    code="S109",
    name="rolling-day",
    title="A day that some months do not have",
    subject="plist",
    severity=Severity.WARNING,
    why="The last open launchd rolls such a day over: day 31 fires on 1 May and 3 March too. cron would skip it.",
    bad=calendar("Day=31 Hour=9 Minute=0"),
    good=(calendar("Day=28 Hour=9 Minute=0"), calendar("Month=12 Day=31 Hour=9 Minute=0")),
    check=on_job(_check),
    sources=("launchd-842 core.c, calendarinterval_setalarm", "mktime(3)"),
    example_path=AGENT_PATH,
)
