"""E104: an interpreter without LANG."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.env_call import env_call
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, environment, job

_INTERPRETER = re.compile(r"(?:python|ruby|perl)[0-9.]*")
_SET = {"LANG", "LC_ALL", "LC_CTYPE", "PYTHONUTF8", "PYTHONIOENCODING", "RUBYOPT", "PERL_UNICODE", "PERL5OPT"}


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Python, Ruby or Perl without a locale."""
    call = env_call(job)
    name = call.name if call is not None else job.executable_name
    if job.program is None or not _INTERPRETER.fullmatch(name) or _SET & set(job.env):
        return
    if any(
        (argument.text or "").startswith(("LANG=", "LC_ALL=", "LC_CTYPE=", "PYTHONUTF8="))
        for argument in job.argv
    ):
        return
    yield Finding(
        (call.value if call is not None else job.program).place,
        f"{name} without LANG: launchd sets no locale, names and output with accents may fail",
        Fix("set LANG in EnvironmentVariables to a UTF-8 locale, such as en_US.UTF-8"),
    )


RULE = Rule(
    code="E104",
    name="no-language",
    title="An interpreter without a locale",
    subject="plist",
    severity=Severity.INFO,
    why="A terminal sets LANG, launchd does not. In the C locale Ruby, Perl and what they start take text for ASCII.",
    bad=job(argv=("/usr/bin/ruby", "/usr/local/lib/tidy.rb")),
    good=(job(environment(LANG="en_US.UTF-8"), argv=("/usr/bin/ruby", "/usr/local/lib/tidy.rb")), job()),
    check=on_job(_check),
    sources=("environ(7), LANG", "launchd-842: no locale variable is set"),
    example_path=AGENT_PATH,
)
