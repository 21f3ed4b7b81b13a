"""P125: a placeholder nobody filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.placeholder import placeholder_in
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, key
from jobs.text import Place

_SURE = re.compile(r"/Users/|path/to|YOUR|\{\{")  # in text that a shell reads, other marks mean something


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Each placeholder once, with the keys that hold it."""
    code = {id(job.argv[number]) for number in job.code()}
    seen: dict[str, tuple[Place, list[str]]] = {}
    for entry in job.root.entries:
        for value in entry.value.strings():
            text = job.literal(value)
            word = placeholder_in(text) if text else None
            if word is None or (id(value) in code and not _SURE.search(word)):
                continue
            _place, keys = seen.setdefault(word, (value.place, []))
            if entry.key not in keys:
                keys.append(entry.key)
    for word, (place, keys) in seen.items():
        yield Finding(
            place,
            f'placeholder "{word}" in {", ".join(keys)} was not filled in',
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
