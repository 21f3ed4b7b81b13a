"""S104: a field that times do not have."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from jobs.diagnostics import Fix, Severity
from jobs.lint.calendar_entry import RANGES
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, calendar

_MEANT = {
    "dayofweek": "Weekday",
    "dow": "Weekday",
    "dayofmonth": "Day",
    "weekdays": "Weekday",
    "min": "Minute",
}


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Every key of an entry that is none of the five fields."""
    for value in job.calendar():
        for pair in value.entries:
            if pair.key in RANGES:
                continue
            same = [name for name in RANGES if name.lower() == pair.key.strip().lower()]
            close = same or get_close_matches(pair.key, RANGES, n=1, cutoff=0.75)
            meant = close[0] if close else _MEANT.get(pair.key.lower())
            words = (
                f'"{pair.key}" is spelt {same[0]} in a time' if same else f'a time has no field "{pair.key}"'
            )
            yield Finding(
                pair.key_place,
                f"{words}; launchd ignores it",
                Fix(f"write {meant}" if meant else f"remove it; the fields are {', '.join(RANGES)}"),
            )


RULE = Rule(
    code="S104",
    name="unknown-field",
    title="A time has a field that launchd ignores",
    subject="plist",
    severity=Severity.ERROR,
    why="Second, Year, or a field in lower case are skipped without a word; the job then fires at every value of what was meant.",
    bad=calendar("Hour=9 Minute=0 Second=30"),
    good=(calendar("Month=1 Day=1 Hour=9 Minute=0"),),
    check=on_job(_check),
    sources=("launchd.plist(5), StartCalendarInterval",),
    example_path=AGENT_PATH,
)
