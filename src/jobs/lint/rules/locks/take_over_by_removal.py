"""L007: a dead owner's lock that is removed and made again."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.locks import asks_age, locks, take_overs
from jobs.lint.shell.operations import liveness
from jobs.read.shell.script import Script


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each such removal."""
    for lock in locks(script):
        if lock.how not in ("mkdir", "exclusive") or lock.dated:
            continue
        if asks_age(script, lock) is not None and not liveness(script):
            continue  # L006
        for removal in take_overs(script, lock):
            yield Finding(
                script.of(removal.command),
                f"two starters that both find the owner of {removal.word.raw} dead remove it one after the other: the "
                "slower one deletes the lock that the faster one has just made, and both run",
                Fix(
                    "take over in one step that only one can win (`mkdir LOCK.next`, `mv` to a name of your own), or use lockf"
                ),
            )


RULE = Rule(
    code="L007",
    name="take-over-by-removal",
    title="Lock of a dead owner removed and made again",
    subject="script",
    severity=Severity.WARNING,
    why=(
        "To judge a lock dead and to remove it are two steps. Eight starters on one dead lock show the double run in "
        "nearly every round; two starters hide it."
    ),
    bad="""\
#!/bin/sh
L="$HOME/.state/sync.lock"
if ! mkdir "$L" 2>/dev/null; then
  kill -0 "$(cat "$L/pid")" 2>/dev/null && exit 0
  rm -rf "$L"
  mkdir "$L" || exit 0
fi
echo $$ > "$L/pid"
trap 'rm -rf "$L"' EXIT
rsync -a "$HOME/a/" "$HOME/b/"
""",
    good=(
        """\
#!/bin/sh
L="$HOME/.state/sync.lock"
mkdir "$L" 2>/dev/null || exit 0
trap 'rm -rf "$L"' EXIT
rsync -a "$HOME/a/" "$HOME/b/"
""",
    ),
    exceptions="A take-over inside of another lock, or by a rename that only one can win, is right.",
    sources=(
        "https://github.com/moxystudio/node-proper-lockfile/issues/121",
        "https://github.com/Digital-Process-Tools/claude-remember/issues/185",
    ),
    check=check,
)
