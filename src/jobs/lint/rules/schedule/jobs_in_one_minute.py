"""S207: many jobs in one minute."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.manifest_sample import HEAD
from jobs.lint.rule import Context, Finding, Rule
from jobs.model.job import Job, Manifest
from jobs.schedule.rule import ALL_WEEKDAYS, Schedule

MANY = 5
_HALF_OF_ALL_MINUTES = 720


def _busy(schedule: Schedule) -> bool:
    """Whether a schedule starts its job every other minute or more often, so that it meets every other one."""
    return sum(len(times.minutes) * len(times.hours) for times in schedule.rules) >= _HALF_OF_ALL_MINUTES


def _check(manifest: Manifest, _context: Context) -> Iterator[Finding]:
    """Each minute at which five jobs or more start, once for the same set of jobs."""
    at: dict[tuple[int, int, int], list[Job]] = {}
    for job in manifest.jobs:
        if job.schedule is None or not job.enabled or _busy(job.schedule):
            continue
        minutes = {
            (weekday, hour, minute)
            for times in job.schedule.rules
            for weekday in (ALL_WEEKDAYS if times.either else times.weekdays)
            for hour in times.hours
            for minute in times.minutes
        }
        for each in minutes:
            at.setdefault(each, []).append(job)
    told: set[frozenset[str]] = set()
    for (_weekday, hour, minute), together in sorted(at.items(), key=lambda pair: pair[0]):
        names = frozenset(job.name for job in together)
        if len(names) < MANY or any(names <= earlier for earlier in told):
            continue
        told.add(names)
        yield Finding(
            together[0].place,
            f"{len(names)} jobs start at {hour:02d}:{minute:02d}: {', '.join(job.name for job in together)}",
            Fix("move them some minutes apart, or let those that must not overlap share a lock with wait"),
        )


RULE = Rule(
    code="S207",
    name="jobs-in-one-minute",
    title="Many jobs start in one minute",
    subject="manifest",
    severity=Severity.INFO,
    why="After sleep they all start at once too, share one account's quota and one disk, and make each other late.",
    bad=HEAD
    + "".join(f'\n[jobs.job{number}]\nrun = ["bin/job{number}"]\nat = "09:00"\n' for number in range(5)),
    good=(
        HEAD
        + "".join(
            f'\n[jobs.job{number}]\nrun = ["bin/job{number}"]\nat = "09:0{number}"\n' for number in range(5)
        ),
    ),
    check=_check,
    exceptions="Jobs that run every other minute or more often.",
    sources=("launchd.plist(5), StartCalendarInterval: missed times are joined into one at wake",),
)
