"""L013: `flock`, which macOS does not have."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.operations import calls_of
from jobs.lint.shell.platform import is_provided, runs_on_macos
from jobs.read.shell.flow import leaves, outcome, text_of
from jobs.read.shell.script import Script


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each call that nobody made sure of."""
    if is_provided(script, "flock"):
        return
    for _name, command, arguments in calls_of(script, "flock"):
        if command.name.startswith(("/opt/", "/usr/local/")):
            continue
        if not runs_on_macos(script, command):
            continue
        out = outcome(script, command)
        read_as = ""
        if leaves(script, out.failure) or text_of(script, out.failure).strip():
            read_as = "; its failure (127) is read as `the lock is taken`, so that nothing ever runs"
        fd = next((word.shape for word in arguments if word.shape.isdigit()), "9")
        yield Finding(
            script.of(command.words[0]),
            f"macOS has no flock{read_as}",
            Fix(f"use `/usr/bin/lockf -s -t 0 {fd}` (macOS 13), `zsystem flock` in zsh, or `mkdir LOCK`"),
        )


RULE = Rule(
    code="L013",
    name="flock-missing",
    title="flock, which macOS does not have",
    subject="script",
    severity=Severity.ERROR,
    why=(
        "flock(1) belongs to Linux. On a Mac the call ends with 127, and `flock … || exit 0` takes that for a lock that "
        "somebody holds: the job reports success and never works."
    ),
    bad="""\
#!/bin/bash
exec 9>"$HOME/.state/sync.lock"
flock -n 9 || exit 0
rsync -a "$HOME/a/" "$HOME/b/"
""",
    good=(
        """\
#!/bin/bash
exec 9>"$HOME/.state/sync.lock"
if command -v flock >/dev/null; then
  flock -n 9 || exit 0
else
  /usr/bin/lockf -s -t 0 9 || exit 0
fi
rsync -a "$HOME/a/" "$HOME/b/"
""",
        """\
#!/bin/zsh
zmodload zsh/system
: >> "$HOME/.state/sync.lock"
zsystem flock -t 0 "$HOME/.state/sync.lock" || exit 0
rsync -a "$HOME/a/" "$HOME/b/"
""",
    ),
    exceptions="Silent where the script asks for flock first, runs elsewhere than on macOS, or names the path of an installed one.",
    sources=("https://github.com/AgriciDaniel/claude-obsidian/issues/86", "lockf(1)"),
    check=check,
)
