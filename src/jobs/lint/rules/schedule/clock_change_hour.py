"""S110: a time in the hours that clock changes touch."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.calendar_entry import entries
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, calendar


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """The first time between 01:00 and 02:59; one finding a job."""
    for entry in entries(job):
        hour = entry.fields.get("Hour")
        if hour in {1, 2} and "Minute" in entry.fields:
            clock = f"{hour:02d}:{entry.fields['Minute']:02d}"
            yield Finding(
                entry.present["Hour"].value.place,
                f"{clock} may come twice in autumn or not at all in spring, when clocks change",
                Fix("write a time before 01:00 or from 03:00 on, or make a second run harmless"),
            )
            return


RULE = Rule(
    code="S110",
    name="clock-change-hour",
    title="A time that clock changes repeat or leave out",
    subject="plist",
    severity=Severity.INFO,
    why=(
        "On the day of a change 02:30 does not exist in spring and comes twice in autumn; in America 01:30 is the one that "
        "comes twice. launchd fires early, late or twice then."
    ),
    bad=calendar("Hour=2 Minute=30", "Hour=9 Minute=0"),
    good=(calendar("Hour=9 Minute=0"), calendar("Minute=30")),
    check=on_job(_check),
    exceptions="Zones without summer time do not care.",
    sources=("launchd-842 core.c, cronemu_hour and mktime", "zic(8)"),
    example_path=AGENT_PATH,
)
