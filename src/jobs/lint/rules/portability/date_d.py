"""B012: `date -d`, which BSD date lacks."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.tools import option, unguarded
from jobs.read.shell.flow import outcome
from jobs.read.shell.script import Script


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each call."""
    for _name, command, arguments in unguarded(script, "date"):
        word = option(
            arguments,
            r"-[uRI]*d.*|--date(=.*)?|--(iso-8601|rfc-3339|rfc-email|reference|set|file|debug)(=.*)?",
        )
        if word is not None and option(arguments, r"-[a-zA-Z]*j[a-zA-Z]*|-v.*") is None:
            hidden = outcome(script, command).tested
            yield Finding(
                script.of(command),
                f"BSD date of macOS has no `{word.raw.split('=')[0]}`"
                + (": the failure is hidden here" if hidden else ""),
                Fix("use `date -j -f FORMAT VALUE`, `date -r SECONDS` or `date -v-1d`"),
            )


RULE = Rule(
    code="B012",
    name="date-d",
    title="date -d on macOS",
    subject="script",
    severity=Severity.WARNING,
    why=(
        "BSD date has no -d: it fails, and `2>/dev/null || echo 0` behind it turns that into a date of 1970 that nobody notices."
    ),
    bad="""\
#!/bin/bash
then=$(date -d "$1" +%s 2>/dev/null || echo 0)
""",
    good=(
        """\
#!/bin/bash
then=$(date -d "$1" +%s 2>/dev/null || date -j -f %F "$1" +%s)
""",
        """\
#!/bin/bash
yesterday=$(date -v-1d +%F)
""",
    ),
    exceptions="Silent where the call is reached elsewhere than on macOS, has another way beside it (`A || B`), or names a tool of another folder.",
    sources=(
        "https://github.com/0xHoneyJar/loa/issues/1034",
        "date(1)",
    ),
    check=check,
)
