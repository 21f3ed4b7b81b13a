"""B017: options of find that BSD lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.tools import unguarded
from jobs.read.shell.script import Script

GNU = frozenset(
    [
        "-printf",
        "-fprintf",
        "-fprint",
        "-regextype",
        "-executable",
        "-readable",
        "-writable",
        "-daystart",
        "-ignore_readdir_race",
        "-fls",
        "-quit0",
        "-xtype",
        "-lname",
        "-used",
        "-noignore_readdir_race",
        "-warn",
        "-nowarn",
    ]
)
FRONT = re.compile(r"-[HLPEXdsx]+|-f")


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each call."""
    for _name, command, arguments in unguarded(script, "find"):
        word = next((word for word in arguments if word.raw in GNU - {"-lname"}), None)
        if word is not None:
            yield Finding(
                script.of(command),
                f"BSD find of macOS has no `{word.raw}`",
                Fix("use -exec, stat -f or -perm"),
            )
            continue
        first = next((word for word in arguments if not FRONT.fullmatch(word.shape)), None)
        if first is None or first.raw.startswith(("-", "!", "\\(")):
            yield Finding(
                script.of(command), "BSD find of macOS needs a folder to start from", Fix("write `find . …`")
            )


RULE = Rule(
    code="B017",
    name="gnu-find",
    title="GNU find on macOS",
    subject="script",
    severity=Severity.ERROR,
    why=(
        "BSD find has no -printf, -regextype or -executable, and needs a folder to start from: it prints its usage and finds nothing."
    ),
    bad="""\
#!/bin/bash
find "$HOME/a" -type f -printf "%f\\n"
""",
    good=(
        """\
#!/bin/bash
find "$HOME/a" -type f -exec basename {} \\;
""",
        """\
#!/bin/bash
find . -name "*.tmp" -mmin +60 -delete
""",
    ),
    exceptions="Silent where the call is reached elsewhere than on macOS, has another way beside it (`A || B`), or names a tool of another folder.",
    sources=("find(1)",),
    check=check,
)
