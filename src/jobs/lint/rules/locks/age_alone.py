"""L006: a lock that is taken over because it is old."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.locks import asks_age, locks, take_overs
from jobs.lint.shell.operations import liveness
from jobs.read.shell.script import Script


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each removal that only age allows."""
    if liveness(script):
        return
    for lock in locks(script):
        if lock.how not in ("mkdir", "exclusive", "test-create") or lock.dated:
            continue
        if asks_age(script, lock) is None:
            continue
        removals = take_overs(script, lock)
        if removals:
            yield Finding(
                script.of(removals[0].command),
                f"{removals[0].word.raw} is taken over because it is old: a run that takes longer, or slept with the "
                "Mac, loses it while it works, and two that find it old both take it",
                Fix(
                    "write the owner into the lock and take it over only when that process is dead, or use lockf"
                ),
            )


RULE = Rule(
    code="L006",
    name="age-alone",
    title="Lock taken over by its age alone",
    subject="script",
    severity=Severity.WARNING,
    why=(
        "Age says when a run began, not whether it goes on. The clock runs while the Mac sleeps: a job that was frozen "
        "for a night is older than any limit at the moment it continues."
    ),
    bad="""\
#!/bin/sh
LOCK="$HOME/.state/sync.lock"
if ! mkdir "$LOCK" 2>/dev/null; then
  if [ -n "$(find "$LOCK" -maxdepth 0 -mmin +60)" ]; then
    rmdir "$LOCK"
    mkdir "$LOCK" || exit 0
  else
    exit 0
  fi
fi
trap 'rmdir "$LOCK"' EXIT
rsync -a "$HOME/a/" "$HOME/b/"
""",
    good=(
        """\
#!/bin/sh
LOCK="$HOME/.state/sync.lock"
exec 9>"$LOCK"
/usr/bin/lockf -s -t 0 9 || exit 0
find "$HOME/.state" -name '*.tmp' -mmin +60 -delete
rsync -a "$HOME/a/" "$HOME/b/"
""",
    ),
    exceptions="A lock whose name carries the date is kept for that day on purpose.",
    check=check,
)
