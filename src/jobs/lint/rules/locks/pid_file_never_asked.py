"""L004: a pid file that is believed without asking whether its owner lives."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.rules.locks.test_then_create import deciding_test
from jobs.lint.shell.locks import asks_age, locks
from jobs.lint.shell.operations import liveness
from jobs.read.shell.script import Script


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at the test of each pid file whose pid nobody looks at."""
    if liveness(script):
        return
    for lock in locks(script):
        test = deciding_test(script, lock)
        if (
            lock.how == "test-create"
            and lock.writes_pid
            and test is not None
            and asks_age(script, lock) is None
        ):
            yield Finding(
                script.of(test.command),
                f"the pid in {test.word.raw} is written and never asked for: a crash leaves the file and the job stays "
                "off for ever; and testing first and writing later is not atomic",
                Fix("take the lock with `mkdir` or `ln -s`, and take it over only when its owner is dead"),
            )


RULE = Rule(
    code="L004",
    name="pid-file-never-asked",
    title="Pid file without asking for its owner",
    subject="script",
    severity=Severity.ERROR,
    why=(
        "A pid file tells more than an empty one only if somebody asks whether that process lives. Without it a crash "
        "or a power cut is the job's last run. The test and the write are two steps as well: two starters can both pass."
    ),
    bad="""\
#!/bin/sh
PIDFILE="$HOME/.state/sync.pid"
if [ -e "$PIDFILE" ]; then
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
/usr/bin/shlock -f "$PIDFILE" -p $$ || exit 0
trap 'rm -f "$PIDFILE"' EXIT
rsync -a "$HOME/a/" "$HOME/b/"
""",
    ),
    sources=("https://github.com/GameServerManagers/LinuxGSM/issues/2916", "shlock(1)"),
    check=check,
)
