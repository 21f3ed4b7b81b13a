"""P138: a security session of its own."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, flag, job


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """SessionCreate in an agent, which has the user's session already."""
    if job.is_true("SessionCreate") and job.role == "agent":
        yield Finding(
            job.key_place("SessionCreate"),
            "SessionCreate takes the agent out of the user's session: no keychain, no access to apps",
            Fix("remove it"),
        )


RULE = Rule(
    code="P138",
    name="session-create",
    title="An agent leaves the user's session",
    subject="plist",
    severity=Severity.WARNING,
    why="A new security session has no unlocked keychain and no way to the user's apps; scripts that ask for a password fail.",
    bad=job(flag("SessionCreate")),
    good=(job(), job(flag("SessionCreate", value=False))),
    check=on_job(_check),
    exceptions="Daemons, which have no user's session to lose.",
    sources=("launchd.plist(5), SessionCreate",),
    example_path=AGENT_PATH,
)
