"""G201: a job that calls an AI tool and has no guard."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.manifest_sample import manifest
from jobs.lint.rule import Context, Finding, JobFacts, Rule
from jobs.lint.shell.ai_tools import ai_calls


def check(facts: JobFacts, _context: Context) -> Iterator[Finding]:
    """One finding for a job whose guard was forgotten, at its table."""
    job = facts.job
    if job.guards or job.unguarded_reason is not None:
        return
    for reached in facts.reached:
        for call in ai_calls(reached.script):
            where = reached.script.of(call.word)
            yield Finding(
                facts.place,
                f"job {job.name!r} calls {call.tool} ({where}) and has no guard: at the limit it fails at every slot, "
                "and nothing is made up",
                Fix(
                    f'write `guard = "{call.tool}"` and a `[guards.{call.tool}]` table with `tool = "{call.tool}"`'
                ),
            )
            return


RULE = Rule(
    code="G201",
    name="unguarded-tool",
    title="AI tool called by a job without a guard",
    subject="job",
    severity=Severity.WARNING,
    why=(
        "Without a guard every job runs into the used-up quota by itself, spends a start on it, and its slot is lost. A "
        "guard is asked first, skips with a record, and the catch-up makes the slot up."
    ),
    bad=manifest('at = "09:30"', run="\"claude -p 'write' > out.md\""),
    good=(
        manifest('at = "09:30"\nguard = "claude"', run="\"claude -p 'write' > out.md\"")
        + '\n[guards.claude]\ntool = "claude"\n',
        manifest('at = "09:30"', run='"claude --version"'),
    ),
    exceptions="Silent for `guard = false`: G203 asks for its reason.",
    check=check,
)
