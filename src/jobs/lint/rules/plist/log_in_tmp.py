"""P129: a log in a folder that is emptied."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import LOG_KEYS, PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, key


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """The log paths under /tmp, once for both streams."""
    told = False
    for name in LOG_KEYS:
        value = job.get(name)
        text = job.literal(value)
        if value is None or not text or told or not re.match(r"/(?:private/)?(?:var/)?tmp/", text):
            continue
        told = True
        folder = f"{job.home or '/Users/NAME'}/Library/Logs" if job.role != "daemon" else "/var/log"
        yield Finding(
            value.place,
            f"{name} is under /tmp: emptied at boot, old files go every night, any user can put a link in its place",
            Fix(f"write {folder}/{PurePosixPath(text).name}"),
        )


RULE = Rule(
    code="P129",
    name="log-in-tmp",
    title="A log under /tmp",
    subject="plist",
    severity=Severity.INFO,
    why="The folder is emptied at boot and files not used for three days are removed: the log is gone when it is needed.",
    bad=job(key("StandardOutPath", "/private/tmp/tidy.log")),
    good=(job(key("StandardOutPath", "/Users/kim/Library/Logs/tidy.log")),),
    check=on_job(_check),
    sources=("macOS com.apple.tmp_cleaner, 110.clean-tmps",),
    example_path=AGENT_PATH,
)
