"""B010: `timeout`, which macOS does not have."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.tools import missing, name_word
from jobs.read.shell.script import Script


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each call."""
    for name, command in missing(script, "timeout"):
        yield Finding(
            script.of(name_word(command, name)),
            "macOS has no timeout: status 127, and the command behind it does not run",
            Fix(
                "give the job a `timeout` in the manifest, or use `perl -e 'alarm shift; exec @ARGV' SECONDS COMMAND`"
            ),
        )


RULE = Rule(
    code="B010",
    name="timeout-missing",
    title="timeout, which macOS does not have",
    subject="script",
    severity=Severity.ERROR,
    why=(
        "timeout(1) belongs to GNU coreutils. On a Mac the call ends with 127 and what it should have run has not run at all."
    ),
    bad="""\
#!/bin/bash
timeout 600 rsync -a "$HOME/a/" "$HOME/b/"
""",
    good=(
        """\
#!/bin/bash
if command -v timeout >/dev/null; then
  timeout 600 rsync -a "$HOME/a/" "$HOME/b/"
else
  rsync -a "$HOME/a/" "$HOME/b/"
fi
""",
        """\
#!/bin/bash
/opt/homebrew/bin/timeout 600 rsync -a "$HOME/a/" "$HOME/b/"
""",
    ),
    exceptions="Silent where the script asks for timeout first, defines it, runs elsewhere, or names the path of an installed one.",
    sources=("https://github.com/mvanhorn/cli-printing-press/issues/3846",),
    check=check,
)
