"""P139: a script that promises transactions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import INTERPRETERS, SHELLS, PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, flag, job


def is_script(job: PlistJob) -> bool:
    """Whether what is started is a shell, another interpreter or a script by its name."""
    name = job.executable_name
    return (
        name in SHELLS
        or bool(INTERPRETERS.fullmatch(name))
        or bool(re.search(r"\.(?:sh|py|rb|pl|js|command)$", name))
    )


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """EnableTransactions or EnablePressuredExit for a program that cannot keep the promise."""
    if not is_script(job):
        return
    for name in ("EnableTransactions", "EnablePressuredExit"):
        if job.is_true(name):
            yield Finding(
                job.key_place(name),
                f"{name} in a script: launchd may send KILL at once, without TERM",
                Fix("remove it"),
            )


RULE = Rule(
    code="P139",
    name="killed-when-idle",
    title="A script that launchd may kill without a word",
    subject="plist",
    severity=Severity.WARNING,
    why="These keys promise that the program says when it is at work. A script never does, so it counts as idle and may be killed at any time.",
    bad=job(flag("EnableTransactions"), argv=("/bin/sh", "/usr/local/bin/tidy.sh")),
    good=(job(flag("EnableTransactions")), job(argv=("/bin/sh", "/usr/local/bin/tidy.sh"))),
    check=on_job(_check),
    sources=("launchd.plist(5), EnableTransactions, EnablePressuredExit", "xpc_transaction_begin(3)"),
    example_path=AGENT_PATH,
)
