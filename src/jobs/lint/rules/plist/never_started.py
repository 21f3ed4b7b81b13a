"""P140: a job that nothing starts."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import TRIGGERS, PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, flag, job


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """A list without any key that starts the job, spelt rightly or not."""
    keys = {entry.key.strip().lower() for entry in job.root.entries}
    wanted = {name.lower() for name in (*TRIGGERS, "StandardInPath")}
    demand = job.get("OnDemand")
    kept = job.get("KeepAlive")
    if (
        job.file.holes
        or keys & wanted
        or any(
            key.startswith(("start", "runat", "keepalive", "watch")) and key not in {"runatload", "keepalive"}
            for key in keys
        )
    ):
        return
    load = job.get("RunAtLoad")
    runs = load is not None and load.truth is not False
    if (
        runs
        or (kept is not None and kept.truth is not False)
        or (demand is not None and demand.truth is False)
    ):
        return
    if not any(fault.kind in {"value-without-key", "key-without-value"} for fault in job.file.faults):
        yield Finding(
            job.root.place,
            "nothing starts this job: no time, no RunAtLoad, no KeepAlive, no WatchPaths",
            Fix("write one of them, or start it by launchctl kickstart"),
        )


RULE = Rule(
    code="P140",
    name="never-started",
    title="Nothing starts the job",
    subject="plist",
    severity=Severity.INFO,
    why="launchd starts a job on demand. A list without any trigger is loaded and waits for a kickstart that may never come.",
    bad=job(trigger=""),
    good=(job(), job(flag("RunAtLoad"), trigger="")),
    check=on_job(_check),
    sources=("launchd.plist(5), KeepAlive: the default is on demand",),
    example_path=AGENT_PATH,
)
