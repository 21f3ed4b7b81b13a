"""S105: StartCalendarInterval with nothing in it, or with something else."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, calendar, job
from jobs.read.plist_value import PlistValue

_ENTRY = "write <dict> with Hour and Minute"


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Empty dictionaries and arrays, and anything that is no dictionary."""
    value = job.get("StartCalendarInterval")
    if value is None or job.file.holes:
        return
    if value.kind == "array" and not value.items:
        yield Finding(
            value.place, "StartCalendarInterval is an empty array: the job never fires", Fix(_ENTRY)
        )
    for item in value.items if value.kind == "array" else (value,):
        yield from _item(job, item)


def _item(job: PlistJob, item: PlistValue) -> Iterator[Finding]:
    if item.kind != "dictionary":
        if item.kind == "string" and job.literal(item) is None:
            return
        shown = (
            f'the string "{(item.text or "")[:30]}"'
            if item.kind == "string"
            else f"a{'n' if item.kind[0] in 'aeiou' else ''} {item.kind}"
        )
        yield Finding(
            item.place,
            f"StartCalendarInterval must hold dictionaries, not {shown}; launchd ignores it",
            Fix(_ENTRY),
        )
    elif not item.entries:
        yield Finding(item.place, "empty time: fires every minute of every day", Fix(_ENTRY))


RULE = Rule(
    code="S105",
    name="empty-times",
    title="StartCalendarInterval is empty or holds no times",
    subject="plist",
    severity=Severity.ERROR,
    why="An empty dictionary matches every minute. An empty array, or strings in it, match none.",
    bad=job(trigger="<key>StartCalendarInterval</key><dict/>"),
    good=(calendar("Hour=9 Minute=0"), calendar("Hour=9 Minute=0", "Hour=18 Minute=0")),
    check=on_job(_check),
    sources=("launchd.plist(5), StartCalendarInterval",),
    example_path=AGENT_PATH,
)
