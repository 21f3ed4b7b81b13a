"""B008: `echo -n` and `echo -e` in a script for /bin/sh."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.platform import runs_on_macos
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Case, Command


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each option."""
    if script.shell != "macos-sh" or not script.source.text.startswith("#!"):
        return
    for command in script.calls.get("echo", ()):
        first = command.arguments[0] if command.arguments else None
        if (
            first is not None
            and first.raw in ("-n", "-e", "-ne", "-en")
            and not _tried_out(command)
            and runs_on_macos(script, command)
        ):
            yield Finding(script.of(first), f"/bin/sh of macOS prints the `{first.raw}`", Fix("use printf"))


def _tried_out(command: Command) -> bool:
    """Whether its output is looked at by a test or a case: that finds out which echo it is."""
    for above in command.ancestors():
        if above.slot == "substitution":
            holder = above.parent
            return isinstance(holder, Case) or (
                isinstance(holder, Command) and holder.name in ("[", "[[", "test")
            )
    return False


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
