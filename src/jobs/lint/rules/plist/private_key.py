"""P105: a key that Apple keeps for itself."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.plist_keys import seen
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, key


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Every key that no manual describes."""
    if (job.literal(job.get("Label")) or "").startswith("com.apple."):
        return
    for one in seen(job.root):
        if one.known is None or one.known.status not in {"private", "undocumented"}:
            continue
        private = one.known.status == "private"
        words = "is a private key of Apple's own jobs" if private else "is not documented in launchd.plist(5)"
        yield Finding(
            one.entry.key_place,
            f"{one.shown} {words}",
            Fix("remove it"),
            Severity.WARNING if private else Severity.INFO,
        )


RULE = Rule(
    code="P105",
    name="private-key",
    title="A key that only Apple's own jobs may rely on",
    subject="plist",
    severity=Severity.WARNING,
    why="Private keys change without notice and mostly do nothing in the jobs of others.",
    bad=job(key("POSIXSpawnType", "Background")),
    good=(job(key("ProcessType", "Background")),),
    check=on_job(_check),
    exceptions="Apple's own jobs. A key that is only undocumented is told as information.",
    sources=("launchd-842 launch_priv.h",),
    example_path=AGENT_PATH,
)
