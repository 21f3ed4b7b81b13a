"""E101: /usr/bin/env looks for a program that the job's PATH does not have."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.env_call import env_call
from jobs.lint.on_path import missing_on
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, environment, job


def _check(job: PlistJob, context: Context) -> Iterator[Finding]:
    """The name behind /usr/bin/env that none of PATH's folders can hold."""
    call = env_call(job)
    if call is None or "/" in call.name:
        return
    path = call.path or job.path
    if not path or not missing_on(call.name, path, context.disk):
        return
    yield Finding(
        call.value.place,
        f"{call.name} is not on the job's PATH ({':'.join(path)}): env ends with 127",
        Fix(f"write the full path of {call.name}, or set PATH in EnvironmentVariables"),
    )


RULE = Rule(
    code="E101",
    name="env-command-missing",
    title="env looks for a program that PATH does not have",
    subject="plist",
    severity=Severity.ERROR,
    why=(
        "A job's PATH is /usr/bin:/bin:/usr/sbin:/sbin unless the list sets one; no shell file is read. Homebrew's, nvm's and pip's "
        "programs are in none of them: each run ends with 127, shown as LastExitStatus 32512."
    ),
    bad=job(argv=("/usr/bin/env", "npx", "tool", "sync")),
    good=(
        job(environment(PATH="/opt/homebrew/bin:/usr/bin:/bin"), argv=("/usr/bin/env", "npx", "tool")),
        job(argv=("/usr/bin/env", "rsync", "-a", "/src", "/dst")),
        job(argv=("/usr/bin/env", "PATH=/opt/homebrew/bin:/bin", "npx", "tool")),
    ),
    check=on_job(_check),
    exceptions="Programs of macOS itself; a PATH with folders that cannot be looked into from here.",
    sources=("launchd.plist(5), EnvironmentVariables", "env(1)"),
    example_path=AGENT_PATH,
)
