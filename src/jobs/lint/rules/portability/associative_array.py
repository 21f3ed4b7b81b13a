"""B001: associative arrays, which bash 3.2 lacks."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.platform import runs_on_macos
from jobs.lint.shell.tools import old_bash, option
from jobs.read.shell.script import Script


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each declaration."""
    if not old_bash(script):
        return
    for name in ("declare", "typeset", "local", "readonly", "export"):
        for command in script.calls.get(name, ()):
            word = option(command.arguments, r"-[a-zA-Z]*A[a-zA-Z]*")
            if word is not None and runs_on_macos(script, command):
                yield Finding(
                    script.of(command),
                    f"`{name} {word.raw}`: bash 3.2 of macOS has no associative arrays",
                    Fix("use a `case`, two plain arrays, or `#!/bin/zsh`, which has them"),
                )


RULE = Rule(
    code="B001",
    name="associative-array",
    title="Associative array under bash 3.2",
    subject="script",
    severity=Severity.ERROR,
    why=(
        "macOS's bash is 3.2: `declare -A` is an invalid option there, and the subscripts that follow are taken for numbers."
    ),
    bad="""\
#!/bin/bash
declare -A port
port[web]=80
""",
    good=(
        """\
#!/opt/homebrew/bin/bash
declare -A port
port[web]=80
""",
        """\
#!/bin/bash
declare -a ports
ports[0]=80
""",
    ),
    exceptions="Silent under another bash (`#!/opt/homebrew/bin/bash`), and where the script looks at BASH_VERSINFO.",
    sources=(
        "https://github.com/vaniacer/sshto/issues/21",
        "bash, CHANGES 4.0",
    ),
    check=check,
)
