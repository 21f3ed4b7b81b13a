"""E103: a path with the version of an interpreter in it."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, environment, job
from jobs.lint.well_known_paths import VERSIONED


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Each versioned folder once, wherever it stands."""
    told: set[str] = set()
    for entry in job.root.entries:
        for value in entry.value.strings():
            found = VERSIONED.search(job.literal(value) or "")
            if found is None or found.group() in told:
                continue
            told.add(found.group())
            yield Finding(
                value.place,
                f'"{found.group()}" in {entry.key} names a version: it is gone after the next upgrade',
                Fix("write a path without the version, such as a link, a shim or Homebrew's opt folder"),
            )


RULE = Rule(
    code="E103",
    name="versioned-path",
    title="A path that the next upgrade removes",
    subject="plist",
    severity=Severity.WARNING,
    why="Version managers and Homebrew keep each version in a folder of its own. After an upgrade the job's program is not there.",
    bad=job(argv=("/Users/kim/.nvm/versions/node/v22.1.0/bin/node", "/usr/local/lib/tool.js")),
    good=(
        job(argv=("/opt/homebrew/opt/node/bin/node", "/usr/local/lib/tool.js")),
        job(environment(PATH="/Users/kim/.pyenv/shims:/usr/bin:/bin")),
    ),
    check=on_job(_check),
    exceptions="Named virtual environments, frameworks that keep old versions.",
    sources=("nvm, pyenv, rbenv, asdf, mise: layout of their folders", "brew(1), cleanup"),
    example_path=AGENT_PATH,
)
