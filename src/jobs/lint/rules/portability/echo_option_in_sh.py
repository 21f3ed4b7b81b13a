"""B008: `echo -n` and `echo -e` in a script for /bin/sh."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.platform import runs_on_macos
from jobs.read.shell.script import Script


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each option."""
    if script.shell != "macos-sh" or not script.source.text.startswith("#!"):
        return
    for command in script.calls.get("echo", ()):
        first = command.arguments[0] if command.arguments else None
        if first is not None and first.raw in ("-n", "-e", "-ne", "-en") and runs_on_macos(script, command):
            yield Finding(script.of(first), f"/bin/sh of macOS prints the `{first.raw}`", Fix("use printf"))


RULE = Rule(
    code="B008",
    name="echo-option-in-sh",
    title="echo with options in /bin/sh",
    subject="script",
    severity=Severity.INFO,
    why=(
        "macOS's /bin/sh is bash in POSIX mode with xpg_echo: `echo -n` and `echo -e` print the option. A file that was meant to hold a pid or a token then begins with `-n `."
    ),
    bad="""\
#!/bin/sh
echo -n "$TOKEN" > "$HOME/.token"
""",
    good=(
        """\
#!/bin/sh
printf %s "$TOKEN" > "$HOME/.token"
""",
        """\
#!/bin/bash
echo -n "$TOKEN" > "$HOME/.token"
""",
    ),
    sources=(
        "POSIX echo",
        "sh(1) of macOS",
    ),
    check=check,
)
