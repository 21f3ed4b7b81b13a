"""G203: `guard = false` on a job that calls the tool, with no word why."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.manifest_sample import manifest
from jobs.lint.rule import Context, Finding, JobFacts, Rule
from jobs.lint.shell.ai_tools import ai_calls


def check(facts: JobFacts, _context: Context) -> Iterator[Finding]:
    """A finding at the key."""
    job = facts.job
    if job.unguarded_reason is None or job.unguarded_reason.strip():
        return
    call = next((call for each in facts.reached for call in ai_calls(each.script)), None)
    if call is not None:
        yield Finding(
            facts.at("guard"),
            f"`guard = false` and no reason, on a job that calls {call.tool}",
            Fix("say why in a comment behind it (`guard = false  # own account`), or take the guard"),
        )


RULE = Rule(
    code="G203",
    name="guard-off-without-reason",
    title="Guard switched off without a reason",
    subject="job",
    severity=Severity.WARNING,
    why="A job that spends the quota and does not ask for it takes it from the others. The next reader must know why.",
    bad=manifest('at = "09:30"\nguard = false', run="\"claude -p 'write' > out.md\""),
    good=(
        manifest(
            'at = "09:30"\nguard = false  # pays by key, not by plan', run="\"claude -p 'write' > out.md\""
        ),
        manifest('at = "09:30"\nguard = false'),
    ),
    check=check,
)
