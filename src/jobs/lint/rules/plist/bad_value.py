"""P103: a number out of range, a word that is none of the allowed ones."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.plist_keys import Seen, seen
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, key, number
from jobs.model.launchd_keys import PlistKey


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Every number out of range and every word that is not allowed."""
    for one in seen(job.root):
        if one.known is None:
            continue
        yield from _number(one, one.known)
        yield from _words(job, one, one.known)
        if one.name == "Umask":
            yield from _umask(job, one)


def _number(one: Seen, known: PlistKey) -> Iterator[Finding]:
    value = one.entry.value.number
    low, high = known.minimum, known.maximum
    if value is None or (low is None and high is None):
        return
    if (low is not None and value < low) or (high is not None and value > high):
        span = f"{low} to {high}" if high is not None and high < 2**32 - 1 else f"{low} or more"
        after = "never starts by it" if one.name == "StartInterval" else "launchd ignores it"
        yield Finding(
            one.entry.value.place,
            f"{one.shown} is {value}; it must be {span}; {after}",
            Fix(f"write a number of {span}"),
        )


def _words(job: PlistJob, one: Seen, known: PlistKey) -> Iterator[Finding]:
    if not known.values:
        return
    value = one.entry.value
    for item in value.items if value.kind == "array" else (value,):
        text = job.literal(item)
        if text is None or text in known.values:
            continue
        allowed = ", ".join(known.values)
        close = [word for word in known.values if word.lower() == text.lower()] or get_close_matches(
            text, known.values, n=1
        )
        yield Finding(
            item.place,
            f'{one.shown} is "{text[:40]}"; allowed: {allowed}',
            Fix(f"write {close[0] if close else known.values[0]}"),
        )


def _umask(job: PlistJob, one: Seen) -> Iterator[Finding]:
    """A umask string that strtoul would not take whole."""
    text = job.literal(one.entry.value)
    if text is None:
        return
    try:
        value = int(text, 8) if text.startswith("0") and text.isdigit() else int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value <= 0o777:
        yield Finding(
            one.entry.value.place,
            f'Umask is "{text[:20]}"; it must be an octal number such as 022',
            Fix("write <string>022</string>"),
        )


RULE = Rule(
    code="P103",
    name="bad-value",
    title="A value out of range or not among the allowed ones",
    subject="plist",
    severity=Severity.ERROR,
    why="launchd logs such a value at most and goes on without it: the job is loaded and does not do what was asked for.",
    bad=job(number("Nice", 40)),
    good=(job(number("Nice", 20)), job(key("ProcessType", "Background")), job(number("ExitTimeOut", 0))),
    check=on_job(_check),
    sources=("launchd.plist(5)", "launchd-842 core.c, job_import_integer"),
    example_path=AGENT_PATH,
)
