"""P133: an octal umask in a decimal integer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, key, number

_USUAL = {2, 7, 22, 23, 26, 27, 72, 77, 117, 177, 222}


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """An integer that reads like a usual octal mask, and a string without its leading zero."""
    value = job.get("Umask")
    if value is None:
        return
    if value.number is not None and value.number > 7 and value.number in _USUAL:
        right = int(str(value.number), 8)
        yield Finding(
            value.place,
            f"Umask {value.number} is decimal, octal {value.number:03o}; if octal {value.number:03d} is meant the number is {right}",
            Fix(f"write <integer>{right}</integer>"),
        )
    text = job.literal(value)
    if text and re.fullmatch(r"[1-7][0-7]{1,2}", text):
        yield Finding(
            value.place,
            f'Umask "{text}" has no leading zero and is decimal',
            Fix(f"write <string>0{text}</string>"),
        )


RULE = Rule(
    code="P133",
    name="octal-umask",
    title="A umask in the wrong base",
    subject="plist",
    severity=Severity.WARNING,
    why="A property list has no octal numbers: 22 is octal 026, 77 is octal 0115. Files come out readable, or unreadable, by the wrong people.",
    bad=job(number("Umask", 77)),
    good=(job(number("Umask", 63)), job(key("Umask", "077")), job(number("Umask", 18))),
    check=on_job(_check),
    sources=("launchd.plist(5), Umask",),
    example_path=AGENT_PATH,
)
