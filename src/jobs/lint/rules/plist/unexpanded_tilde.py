"""P124: ~ where nothing expands it."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.plist_values import expanded, short, tilde_in, variable_in
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.rules.plist.killed_when_idle import is_script
from jobs.lint.sample import AGENT_PATH, flag, job, key


def _check(job: PlistJob, context: Context) -> Iterator[Finding]:
    """Every path, argument or variable that begins with ~."""
    code = job.code()
    for name, value in job.paths():
        text = job.literal(value)
        arguments = value is job.program and job.get("Program") is None
        if text and tilde_in(text) and not variable_in(text) and not (arguments and job.globbing):
            yield Finding(
                value.place,
                f'~ in {name} is not expanded: "{short(text)}" is taken as typed',
                Fix(f"write {expanded(text, job, context)}"),
            )
    for number, argument in enumerate(job.argv):
        text = job.literal(argument)
        if not text or argument is job.program or number in code or job.globbing or variable_in(text):
            continue
        if tilde_in(text) or tilde_in(text.partition("=")[2]):
            script = tilde_in(text) and is_script(job)  # other programs may expand it themselves
            yield Finding(
                argument.place,
                f'~ in ProgramArguments is not expanded: the program gets "{short(text)}"',
                Fix(f"write {_argument(text, job, context)}, or set EnableGlobbing"),
                None if script else Severity.WARNING,
            )
    for name, value in job.env.items():
        text = job.literal(value)
        if text and tilde_in(text, list_of_paths=True) and not variable_in(text):
            yield Finding(
                value.place,
                f'~ in {name} is not expanded: the job gets "{short(text)}"',
                Fix(f"write {expanded(text, job, context)}"),
                None if name == "PATH" else Severity.WARNING,
            )


def _argument(text: str, job: PlistJob, context: Context) -> str:
    name, equals, value = text.partition("=")
    return (
        f"{name}={expanded(value, job, context)}"
        if equals and not tilde_in(text)
        else expanded(text, job, context)
    )


RULE = Rule(
    code="P124",
    name="unexpanded-tilde",
    title="A ~ that nothing expands",
    subject="plist",
    severity=Severity.ERROR,
    why="~ is a shell's word for the home folder. launchd expands it in ProgramArguments only, and only with EnableGlobbing.",
    bad=job(key("WorkingDirectory", "~/work")),
    good=(
        job(key("WorkingDirectory", "/Users/kim/work")),
        job(flag("EnableGlobbing"), argv=("/usr/local/bin/tidy", "~/work")),
        job(argv=("/bin/sh", "-c", "cd ~/work")),
        job(argv=("/usr/local/bin/tidy", "backup~")),
    ),
    check=on_job(_check),
    exceptions="Arguments with EnableGlobbing, text that a shell reads. An argument of a program that may expand it itself is a warning.",
    sources=("launchd.plist(5), EnableGlobbing",),
    example_path=AGENT_PATH,
)
