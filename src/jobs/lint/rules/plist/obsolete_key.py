"""P104: a key that does nothing any more."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.plist_keys import seen
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, flag, job, number

_INSTEAD = {
    "OnDemand": "write KeepAlive",
    "TimeOut": "remove it; a time limit is the job's own affair",
    "ServiceDescription": "remove it, or make it a comment",
    "KeepAlive.NetworkState": "remove it; wait for the network in the job",
}


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Every key that the manual calls removed or replaced."""
    for one in seen(job.root):
        if one.known is None or one.known.status not in {"ignored", "deprecated"}:
            continue
        words = "does nothing any more" if one.known.status == "ignored" else "is deprecated"
        yield Finding(one.entry.key_place, f"{one.shown} {words}", Fix(_INSTEAD.get(one.name, "remove it")))


RULE = Rule(
    code="P104",
    name="obsolete-key",
    title="A key that launchd has given up",
    subject="plist",
    severity=Severity.WARNING,
    why="The key is read over. Whoever relies on it, on a time limit above all, relies on nothing.",
    bad=job(number("TimeOut", 600)),
    good=(job(number("ExitTimeOut", 600)), job(flag("EnableGlobbing"))),
    check=on_job(_check),
    sources=("launchd.plist(5): keys described as no longer implemented or deprecated",),
    example_path=AGENT_PATH,
)
