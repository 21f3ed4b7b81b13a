"""P141: a wildcard in a path that launchd takes as typed."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.placeholder import placeholder_in
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.plist_values import short
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, flag, job


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Every path but an argument with * in it."""
    for name, value in job.paths():
        text = job.literal(value)
        if (
            not text
            or "*" not in text
            or placeholder_in(text)
            or (name == "ProgramArguments" and job.globbing)
        ):
            continue
        yield Finding(
            value.place,
            f'* in {name} is not expanded: "{short(text)}" is taken as typed',
            Fix("write each path in full"),
        )


RULE = Rule(
    code="P141",
    name="wildcard-in-path",
    title="A wildcard in a path that nothing expands",
    subject="plist",
    severity=Severity.ERROR,
    why="EnableGlobbing is for ProgramArguments only. A * in WatchPaths or in a log path is a file of that name.",
    bad=job(trigger="<key>WatchPaths</key><array><string>/Users/kim/in/*.csv</string></array>"),
    good=(
        job(trigger="<key>WatchPaths</key><array><string>/Users/kim/in</string></array>"),
        job(flag("EnableGlobbing"), argv=("/usr/local/bin/tidy", "/Users/kim/in/*.csv")),
    ),
    check=on_job(_check),
    exceptions="Arguments: the program may expand them itself.",
    sources=("launchd.plist(5), EnableGlobbing",),
    example_path=AGENT_PATH,
)
