"""P127: a path that is not a full one."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.placeholder import placeholder_in
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.plist_values import short
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, key


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Every path but the program's that does not begin at the root."""
    for name, value in job.paths():
        text = (job.literal(value) or "").strip()
        if value is job.program or not text or text[0] in "/~$`\"'\\" or placeholder_in(text):
            continue
        yield Finding(
            value.place,
            f'{name} "{short(text)}" is not a full path; nobody knows from where it counts',
            Fix("write the full path"),
        )


RULE = Rule(
    code="P127",
    name="relative-path",
    title="A path that is not a full one",
    subject="plist",
    severity=Severity.ERROR,
    why="launchd's own folder is /. A relative log or working folder is looked for there, and the job may not start (status 78).",
    bad=job(key("StandardOutPath", "logs/tidy.log")),
    good=(job(key("StandardOutPath", "/usr/local/var/log/tidy.log")),),
    check=on_job(_check),
    sources=("launchd.plist(5), WorkingDirectory, StandardOutPath, WatchPaths",),
    example_path=AGENT_PATH,
)
