"""P121: quotes, backslashes and blanks that were meant for a shell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.plist_values import short
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, key
from jobs.read.plist_value import PlistValue

_QUOTED = re.compile(r"""(?:^|=)\s*(?:"[^"]*"|'[^']*')\s*$""")


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Arguments and paths that carry a shell's marks."""
    code = job.code()
    for number, argument in enumerate(job.argv):
        if number not in code:
            yield from _marks(job, argument, "ProgramArguments")
    for name, value in job.paths():
        if value not in job.argv:
            yield from _marks(job, value, name)
    for name, value in job.env.items():
        text = job.literal(value)
        if text and _QUOTED.match(text) and not re.search(r"[{\[]", text):
            yield Finding(
                value.place, f"{name} holds the quotes too: {short(text)}", Fix(f"write {text.strip()[1:-1]}")
            )


def _marks(job: PlistJob, value: PlistValue, name: str) -> Iterator[Finding]:
    """One finding for a value with marks, all of them told together."""
    text = job.literal(value)
    if text is None or not text.strip() or re.match(r"\s*[\[{]", text):
        return
    told, meant = [], text
    if text != text.strip():
        told.append(
            f"{'leading' if text != text.lstrip() else 'trailing'} {'line break' if chr(10) in text.strip(' ') else 'blank'}"
        )
        meant = meant.strip()
    if _QUOTED.search(meant) and not re.search(r"\s-[A-Za-z]", meant):
        told.append("quotes")
        meant = re.sub(r"""(["'])([^"']*)\1$""", r"\2", meant)
    if re.search(r"\\[ \"'&()]", meant) and not re.search(r"[\^*+?\[]|\\[dwsb]", meant):
        told.append("backslash")
        meant = re.sub(r"\\([ \"'&()])", r"\1", meant)
    if told:
        words = " and ".join(told)
        yield Finding(
            value.place,
            f'{words} in {name} "{short(text)}": passed on as characters, no shell reads them',
            Fix(f"write {short(meant, 120)}"),
        )


RULE = Rule(
    code="P121",
    name="shell-quoting",
    title="Quotes, backslashes or blanks that were meant for a shell",
    subject="plist",
    severity=Severity.WARNING,
    why="No shell reads the strings of a property list. Quotes, backslashes and blanks around a word reach the program as characters.",
    bad=job(argv=("/usr/local/bin/tidy", ' --conf="/etc/app/a.conf"')),
    good=(
        job(argv=("/usr/local/bin/tidy", "--conf=/etc/app/a.conf")),
        job(argv=("/usr/local/bin/tidy", '{"mode": "full", "name": "a"}')),
        job(argv=("/bin/bash", "-c", 'exec tidy --name "My Mac"')),
        job(argv=("/usr/bin/osascript", "-e", 'display notification "done"')),
        job(key("WorkingDirectory", "/usr/local/My Files")),
    ),
    check=on_job(_check),
    exceptions="JSON, the text after -c or -e, patterns.",
    sources=("launchd.plist(5), ProgramArguments: each element is one argument",),
    example_path=AGENT_PATH,
)
