"""P134: a throttle longer than the interval."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, number


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """A StartInterval that the throttle, ten seconds by default, does not let through."""
    value = job.get("ThrottleInterval")
    throttle = 10 if value is None or value.number is None else value.number
    interval = job.interval
    if interval is not None and interval < throttle:
        place = job.key_place("ThrottleInterval" if value is not None else "StartInterval")
        yield Finding(
            place,
            f"StartInterval {interval} is shorter than ThrottleInterval {throttle}: starts are {throttle} seconds apart at least",
            Fix(f"write a StartInterval of {throttle} or more, or a ThrottleInterval of {interval}"),
        )


RULE = Rule(
    code="P134",
    name="throttle-over-interval",
    title="The throttle is longer than the interval",
    subject="plist",
    severity=Severity.WARNING,
    why="launchd leaves ThrottleInterval seconds, ten if nothing is said, from one start to the next, whatever StartInterval asks for.",
    bad=job(trigger=number("StartInterval", 5)),
    good=(
        job(trigger=number("StartInterval", 10)),
        job(number("ThrottleInterval", 5), trigger=number("StartInterval", 5)),
    ),
    check=on_job(_check),
    sources=("launchd.plist(5), ThrottleInterval",),
    example_path=AGENT_PATH,
)
