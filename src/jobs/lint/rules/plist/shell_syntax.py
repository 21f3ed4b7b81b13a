"""P122: pipes and redirections without a shell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job

_OPERATOR = re.compile(r"(?:&&|\|\|?|;|[0-9]?>>?(?:&[0-9]|/.*)?|&>|&)")


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """The first argument that is an operator of the shell and nothing else."""
    code = job.code()
    for number, argument in enumerate(job.argv):
        text = job.literal(argument)
        if number and number not in code and text and _OPERATOR.fullmatch(text.strip()) and number > 0:
            if text.strip() == ";" and any(
                (word.text or "") in {"-exec", "-execdir"} for word in job.argv[:number]
            ):
                continue
            if text.strip() in {"|", ";", "&"} and (job.argv[number - 1].text or "").startswith("-"):
                continue  # the value of an option, a separator for example
            yield Finding(
                argument.place,
                f'"{text.strip()}" in ProgramArguments: no shell reads it, the program gets it as an argument',
                Fix("use StandardOutPath and StandardErrorPath, or /bin/sh, -c and one string"),
            )
            return


RULE = Rule(
    code="P122",
    name="shell-syntax",
    title="Pipes or redirections without a shell",
    subject="plist",
    severity=Severity.ERROR,
    why="launchd starts one program with words. `>`, `|` and `&&` are words like any other: nothing is redirected or joined.",
    bad=job(argv=("/usr/local/bin/tidy", "&gt;&gt;", "/usr/local/var/tidy.log")),
    good=(
        job(argv=("/bin/sh", "-c", "tidy &gt;&gt; /usr/local/var/tidy.log 2&gt;&amp;1")),
        job(argv=("/usr/bin/find", "/usr/local/var", "-exec", "rm", "{}", ";")),
        job(argv=("/usr/local/bin/tidy", "--separator", "|")),
    ),
    check=on_job(_check),
    exceptions="The text after -c, the end of find's -exec, the value of an option.",
    sources=("launchd.plist(5), ProgramArguments",),
    example_path=AGENT_PATH,
)
