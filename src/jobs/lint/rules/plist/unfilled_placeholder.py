"""P125: a placeholder nobody filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.placeholder import PLACEHOLDER, placeholder_in
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, key


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Every string with a placeholder; the same one is told once a key."""
    code = {id(job.argv[number]) for number in job.code()}
    for entry in job.root.entries:
        told: set[str] = set()
        for value in entry.value.strings():
            text = job.literal(value)
            word = placeholder_in(text) if text else None
            if (
                word is None
                or word in told
                or (id(value) in code and not re.search(r"/Users/|/path/to|YOUR|\{\{", word))
            ):
                continue
            if word == "{{}}" or (word.startswith("<") and not PLACEHOLDER.fullmatch(word)):
                continue
            told.add(word)
            yield Finding(
                value.place,
                f'placeholder "{word}" in {entry.key} was not filled in',
                Fix("write the value itself"),
            )


RULE = Rule(
    code="P125",
    name="unfilled-placeholder",
    title="A placeholder that was not filled in",
    subject="plist",
    severity=Severity.WARNING,
    why="The job is loaded all the same: the program or the log is not there, and the start fails with status 78.",
    bad=job(key("WorkingDirectory", "/Users/YOUR_NAME/work")),
    good=(job(key("WorkingDirectory", "/Users/kim/work")), job(argv=("/usr/local/bin/tidy", "__init__"))),
    check=on_job(_check),
    exceptions="Files whose name says that they are templates.",
    sources=("launchd.plist(5)",),
    example_path=AGENT_PATH,
)
