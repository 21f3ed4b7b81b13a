"""P106: a daemon's key in an agent, or the reverse."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.plist_keys import seen
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, flag, job, key


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Every key that the domain of the job, known by its folder, ignores."""
    role = job.role
    if role is None:
        return
    for one in seen(job.root):
        if one.known is None or one.known.applies_to in {"both", role}:
            continue
        home = "LaunchDaemons" if one.known.applies_to == "daemon" else "LaunchAgents"
        yield Finding(
            one.entry.key_place,
            f"{one.shown} is for {one.known.applies_to}s only; launchd ignores it in this {role}",
            Fix(f"remove it, or move the job to /Library/{home}"),
        )


RULE = Rule(
    code="P106",
    name="key-for-other-domain",
    title="A key that this kind of job ignores",
    subject="plist",
    severity=Severity.WARNING,
    why="An agent runs as the user who is logged in, whatever UserName says; a daemon has no session to choose.",
    bad=job(key("UserName", "root")),
    good=(job(), job(flag("RunAtLoad"), trigger="")),
    check=on_job(_check),
    exceptions="A list that lies in neither LaunchAgents nor LaunchDaemons may become either.",
    sources=("launchd.plist(5), UserName, GroupName, LimitLoadToSessionType",),
    example_path=AGENT_PATH,
)
