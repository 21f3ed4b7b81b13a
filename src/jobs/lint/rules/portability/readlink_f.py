"""B015: `readlink -f` and realpath, new on macOS."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.tools import option, unguarded
from jobs.read.shell.script import Script


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each call."""
    for name, command, arguments in unguarded(script, "readlink", "realpath"):
        if name == "realpath":
            yield Finding(
                script.of(command), "realpath is there from macOS 13 only", Fix("use `cd … && pwd -P`")
            )
        elif option(arguments, r"-[nz]*f[nz]*") is not None:
            yield Finding(
                script.of(command), "readlink -f works from macOS 12.3 only", Fix("use `cd … && pwd -P`")
            )


RULE = Rule(
    code="B015",
    name="readlink-f",
    title="readlink -f or realpath on older macOS",
    subject="script",
    severity=Severity.INFO,
    why=(
        '`readlink -f` works from macOS 12.3 and realpath(1) from 13. On older systems they fail, and `cd "$(dirname "$(readlink -f "$0")")"` goes to the wrong folder.'
    ),
    bad="""\
#!/bin/bash
cd "$(dirname "$(readlink -f "$0")")"
""",
    good=(
        """\
#!/bin/bash
cd "$(dirname "$0")"
readlink "$HOME/link"
""",
        """\
#!/bin/bash
here=$(readlink -f "$0" 2>/dev/null || perl -MCwd -e "print Cwd::abs_path shift" "$0")
""",
    ),
    exceptions="Silent where the call is reached elsewhere than on macOS, has another way beside it (`A || B`), or names a tool of another folder.",
    sources=("shell_cmds-278, readlink(1), realpath(1)",),
    check=check,
)
