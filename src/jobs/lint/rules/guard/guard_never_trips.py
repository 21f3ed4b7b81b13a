"""G202: a guard that watches for what this job never says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.manifest_sample import manifest
from jobs.lint.rule import Context, Finding, JobFacts, Rule
from jobs.lint.shell.ai_tools import AiCall, ai_calls
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Node

PROVIDERS = {"claude-code": "claude", "anthropic": "claude", "openai": "codex"}


def check(facts: JobFacts, _context: Context) -> Iterator[Finding]:
    """A finding for each guard whose tool the job does not call, or whose words never reach the log."""
    calls = [(each.script, call) for each in facts.reached for call in ai_calls(each.script)]
    if not calls:
        return
    called = {call.tool for _script, call in calls}
    for name in facts.job.guards:
        guard = facts.manifest.guard(name)
        if guard is None or guard.tool is None:
            continue
        tool = PROVIDERS.get(guard.tool, guard.tool)
        if tool not in called:
            yield Finding(
                facts.at("guard"),
                f"guard {name!r} watches {guard.tool}, the job calls {', '.join(sorted(called))}: it never trips",
                Fix("name the guard of the tool that is called"),
            )
            continue
        mine = [(script, call) for script, call in calls if call.tool == tool]
        if all(_swallowed(script, call) for script, call in mine):
            script, call = mine[0]
            yield Finding(
                script.of(call.word),
                f"the words of {tool} go to /dev/null: guard {name!r} reads them in the job's log and never trips",
                Fix("leave standard error to the log"),
            )


def _swallowed(script: Script, call: AiCall) -> bool:
    """Whether both streams of a call, or of a group around it, end in /dev/null."""
    node: Node | None = call.command
    out = err = False
    while node is not None:
        for redirect in node.redirects:
            null = redirect.target.literal == "/dev/null"
            if redirect.operator in ("&>", "&>>") and null:
                out = err = True
            elif redirect.operator in (">", ">>") and null:
                out = out or redirect.fd in ("", "1")
                err = err or redirect.fd == "2"
            elif redirect.operator == ">&" and redirect.fd == "2" and redirect.target.literal == "1" and out:
                err = True
        node = node.parent
    return (
        out
        and err
        and re.search(r"output-format", script.slice(call.command.start, call.command.end)) is None
    )


RULE = Rule(
    code="G202",
    name="guard-never-trips",
    title="Guard that can never trip",
    subject="job",
    severity=Severity.WARNING,
    why=(
        "A guard is tripped by the words of its tool in this run's own output. Where the tool is another one, or its "
        "words go to /dev/null, the guard stays closed and every slot runs into the wall."
    ),
    bad=manifest('at = "09:30"\nguard = "codex"', run="\"claude -p 'write' > out.md\"")
    + '\n[catchup]\nevery = "15m"\n\n[guards.codex]\ntool = "codex"\n',
    good=(
        manifest('at = "09:30"\nguard = "claude"', run="\"claude -p 'write' > out.md\"")
        + '\n[guards.claude]\ntool = "claude"\n',
    ),
    exceptions="Silent for guards with patterns of their own, and for jobs whose programs cannot be looked into.",
    check=check,
)
