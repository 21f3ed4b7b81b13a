"""S103: a field that is no number or out of range."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.calendar_entry import EVERY, MONTHS, RANGES, WEEKDAYS
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.plist_values import short
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, calendar
from jobs.read.plist_value import PlistEntry


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Every field of every entry that launchd does not take as it is meant."""
    for value in job.calendar():
        for pair in value.entries:
            if pair.key in RANGES:
                yield from _field(job, pair)


def _field(job: PlistJob, pair: PlistEntry) -> Iterator[Finding]:
    name, value = pair.key, pair.value
    low, high = RANGES[name]
    number = value.number
    if value.kind == "integer":
        if number is None or low <= number <= high:
            return
        effect = f"launchd treats this as {EVERY[name]}"
        if number > high or (number == 0 and name == "Day"):
            effect = f"launchd drops this time or treats it as {EVERY[name]}"
        advice = (
            "write 0, midnight" if (name, number) == ("Hour", 24) else f"write a number of {low} to {high}"
        )
        yield Finding(
            value.place, f"{name} must be an integer {low}-{high}, not {number}; {effect}", Fix(advice)
        )
        return
    if value.kind == "string" and job.literal(value) is None:
        return
    shown = (
        f'the text "{short(value, 20)}"'
        if value.kind == "string"
        else f"a{'n' if value.kind[0] == 'a' else ''} {value.kind}"
    )
    yield Finding(
        value.place,
        f"{name} must be an integer {low}-{high}; launchd treats this as {EVERY[name]} (here: {shown})",
        Fix(_advice(name, value.text or "", low, high)),
    )


def _advice(name: str, text: str, low: int, high: int) -> str:
    """What to write for a text: the number itself, the number of a name, or several entries."""
    bare = text.strip()
    if bare.isdigit() and low <= int(bare) <= high:
        return f"write <integer>{int(bare)}</integer>"
    names = {"Weekday": WEEKDAYS[:7], "Month": MONTHS}.get(name, ())
    for number, word in enumerate(names):
        if word and len(bare) >= 3 and word.lower().startswith(bare.lower()):
            return f"write <integer>{number}</integer>"
    if any(mark in bare for mark in "-,/*"):
        return (
            "write one dictionary for each value, in an array"
            if bare != "*"
            else f"remove {name}: without it every value counts"
        )
    return f"write <integer> with a number of {low} to {high}"


RULE = Rule(
    code="S103",
    name="bad-field",
    title="A field of a time that is no number in its range",
    subject="plist",
    severity=Severity.ERROR,
    why=(
        "launchd takes whole numbers only: no ranges, lists or names. One release drops a time with a bad field, another counts the "
        "field as any, and none refuses the file: the job runs never or far too often."
    ),
    bad=calendar("Hour=24 Minute=0"),
    good=(
        calendar("Hour=0 Minute=0"),
        calendar("Weekday=7 Hour=9 Minute=0"),
        calendar("Weekday=0 Hour=9 Minute=0"),
    ),
    check=on_job(_check),
    sources=(
        "launchd.plist(5), StartCalendarInterval",
        "launchd-842 core.c, calendarinterval_new_from_obj_dict_walk",
    ),
    example_path=AGENT_PATH,
)
