"""L005: a pid file whose owner is judged by `kill -0` alone."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.locks import Lock, asks_age, locks, take_overs
from jobs.lint.shell.operations import compares_identity, liveness
from jobs.read.shell.script import Script


def believed(script: Script) -> list[Lock]:
    """The locks whose owner is a pid that is only asked whether it lives."""
    if not liveness(script) or compares_identity(script):
        return []
    return [
        lock
        for lock in locks(script)
        if lock.writes_pid and lock.how in ("test-create", "mkdir", "mkdir-p", "exclusive")
    ]


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each such question."""
    for lock in believed(script):
        if lock.how != "test-create" and take_overs(script, lock):
            continue  # the race of the take-over is the graver fault, and told by L007
        if asks_age(script, lock) is not None:
            continue
        asking = liveness(script)[0]
        yield Finding(
            script.of(asking),
            f"the owner of {lock.take.word.raw} is believed alive when any process has its pid: after a reboot that is "
            "somebody else's, and the job stays off",
            Fix("compare the start of that process as well (`ps -o lstart= -p PID`), or use lockf"),
        )


RULE = Rule(
    code="L005",
    name="kill-0-alone",
    title="Owner of a lock judged by `kill -0` alone",
    subject="script",
    severity=Severity.WARNING,
    why=(
        "Pids are used again, after a reboot for quite other programs. `kill -0` then says that the owner lives, for as "
        "long as that program runs."
    ),
    bad="""\
#!/bin/sh
PIDFILE="$HOME/.state/sync.pid"
if [ -f "$PIDFILE" ] && kill -0 "$(cat "$PIDFILE")" 2>/dev/null; then
  echo "already running"
  exit 0
fi
echo $$ > "$PIDFILE"
trap 'rm -f "$PIDFILE"' EXIT
rsync -a "$HOME/a/" "$HOME/b/"
""",
    good=(
        """\
#!/bin/sh
PIDFILE="$HOME/.state/sync.pid"
if [ -f "$PIDFILE" ] && ps -o command= -p "$(cat "$PIDFILE")" | grep -q sync; then
  echo "already running"
  exit 0
fi
echo $$ > "$PIDFILE"
trap 'rm -f "$PIDFILE"' EXIT
rsync -a "$HOME/a/" "$HOME/b/"
""",
    ),
    exceptions="Silent where the script compares the command or the start of the process.",
    sources=("https://github.com/volcengine/OpenViking/issues/4210",),
    check=check,
)
