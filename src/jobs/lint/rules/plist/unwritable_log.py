"""P128: a log where an agent may not write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import LOG_KEYS, PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, key

OF_ROOT = re.compile(
    r"/(?:private/)?(?:var/(?:log|run|root|db)|etc)/|/Library/|/System/|/usr/(?!local/)|/s?bin/|/[^/]+$"
)


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """A log below a folder of root, or in somebody else's home."""
    if job.role != "agent":
        return
    told: set[str] = set()
    for name in LOG_KEYS:
        value = job.get(name)
        text = job.literal(value)
        if value is None or not text or text in told:
            continue
        told.add(text)
        if OF_ROOT.match(text) and not text.startswith("/dev/"):
            yield Finding(
                value.place,
                f'{name} "{text}": an agent may not write there; the job does not start, last exit 78',
                Fix(f"write {job.home or '/Users/NAME'}/Library/Logs/{PurePosixPath(text).name}"),
            )


RULE = Rule(
    code="P128",
    name="unwritable-log",
    title="A log where an agent may not write",
    subject="plist",
    severity=Severity.ERROR,
    why="launchd opens the log as the user of the job. When it cannot, the job ends with status 78 before its first line.",
    bad=job(key("StandardOutPath", "/Library/Logs/MyJobs/a.log")),
    good=(
        job(key("StandardOutPath", "/Users/kim/Library/Logs/MyJobs/a.log")),
        job(key("StandardOutPath", "/dev/null")),
    ),
    check=on_job(_check),
    exceptions="Daemons, and lists in a folder that does not tell what they are.",
    sources=("launchd.plist(5), StandardOutPath", "launchctl print: last exit code 78, EX_CONFIG"),
    example_path=AGENT_PATH,
)
