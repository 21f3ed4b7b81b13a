"""P123: $VARIABLES, which nothing expands."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.placeholder import placeholder_in
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.plist_values import expanded, known_home, short, variable_in
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, environment, job, key
from jobs.read.plist_value import PlistValue


def _check(job: PlistJob, context: Context) -> Iterator[Finding]:
    """Every string that reaches its reader with a variable as typed."""
    code = job.code()
    seen: set[int] = set()
    for name, value in _values(job, code):
        text = job.literal(value)
        if text is None or id(value) in seen or placeholder_in(text):
            continue
        seen.add(id(value))
        word = variable_in(text)
        if word is None:
            continue
        yield Finding(
            value.place,
            f'{word} in {name} is not expanded: "{short(text)}" is taken as typed',
            Fix(_advice(name, text, job, context)),
        )


def _values(job: PlistJob, code: frozenset[int]) -> Iterator[tuple[str, PlistValue]]:
    yield from job.paths()
    for number, argument in enumerate(job.argv):
        if number not in code:
            yield "ProgramArguments", argument
    yield from job.env.items()
    for name in ("UserName", "GroupName", "Label"):
        value = job.get(name)
        if value is not None:
            yield name, value


def _advice(name: str, text: str, job: PlistJob, context: Context) -> str:
    meant = expanded(text, job, context, name=name)
    if known_home(text):
        return f"write {meant}"
    if name == "ProgramArguments":
        return "write the value itself, or let a shell expand it: /bin/sh, -c and one string"
    return "write the value itself"


RULE = Rule(
    code="P123",
    name="unexpanded-variable",
    title="A $VARIABLE that nothing expands",
    subject="plist",
    severity=Severity.ERROR,
    why=(
        "launchd expands no variables, in no key. A log path of $HOME/Library/Logs/a.log is taken as typed and the job does not "
        "start; a PATH of $HOME/bin:… holds no such folder. plutil -lint passes all of it."
    ),
    bad=job(key("StandardOutPath", "$HOME/Library/Logs/a.log")),
    good=(
        job(key("StandardOutPath", "/Users/kim/Library/Logs/a.log")),
        job(argv=("/bin/bash", "-c", "echo $HOME")),
        job(argv=("/usr/bin/awk", "{print $NF}", "/usr/local/var/a")),
        job(environment(GREETING="pa$sword")),
    ),
    check=on_job(_check),
    exceptions="Text that a shell or another language reads (-c, -e), and here-documents whose shell expands them.",
    sources=("launchd.plist(5), EnableGlobbing: expansion is of arguments only, and of patterns and ~ only",),
    example_path=AGENT_PATH,
)
