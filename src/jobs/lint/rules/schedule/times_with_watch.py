"""S206: times together with another trigger."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.manifest_sample import manifest
from jobs.lint.rule import Context, Finding, JobFacts, Rule


def _check(facts: JobFacts, _context: Context) -> Iterator[Finding]:
    """`watch` or `keep_alive` beside `at` or `cron`."""
    job = facts.job
    if job.schedule is None:
        return
    if job.keep_alive is not None:
        yield Finding(
            facts.at("keep_alive"),
            "keep_alive with times: the job is started again as soon as it ends",
            Fix("remove keep_alive"),
            Severity.ERROR,
        )
    if job.watch:
        yield Finding(
            facts.at("watch"),
            "watch with times: launchd does not say which of them started the job, so a change and a slot can look the same",
            Fix("make two jobs of it"),
        )


RULE = Rule(
    code="S206",
    name="times-with-watch",
    title="Times and another trigger in one job",
    subject="job",
    severity=Severity.INFO,
    why="The triggers are independent and the job is told nothing. Two jobs that share a lock are clear about it.",
    bad=manifest('at = "09:30"\nwatch = ["/Users/kim/in"]'),
    good=(manifest('watch = ["/Users/kim/in"]'), manifest('at = "09:30"')),
    check=_check,
    sources=("launchd.plist(5), WatchPaths, StartCalendarInterval, KeepAlive",),
)
