"""What a wrapper costs around a job that does nothing, beside what people put there."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from jobs.schedule.rule import Rule, Schedule
from tests.bench.rows import Row, compare
from tests.wrapper.sandbox import Sandbox

EVERY_MINUTE = Schedule((Rule(tuple(range(60)), tuple(range(24))),), "Etc/GMT-9")
COMMON = """\
#!/bin/bash
# mkdir, pid and trap, with a dated lock and two lines of log: the usual wrapper of an unattended job.
export PATH=/usr/local/bin:/usr/bin:/bin HOME={base}
LOCK="{base}/lock.$(date +%Y%m%d)"
acquire_lock() {{
    if mkdir "$LOCK" 2>/dev/null; then echo $$ >"$LOCK/pid"; return 0; fi
    pid=$(cat "$LOCK/pid" 2>/dev/null)
    if [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null; then return 1; fi
    rm -rf "$LOCK"; mkdir "$LOCK" && echo $$ >"$LOCK/pid"
}}
trap 'rm -rf "$LOCK"' EXIT INT TERM
acquire_lock || exit 0
echo "[$(date '+%F %T')] start" >>"{base}/common.log"
/bin/true
echo "[$(date '+%F %T')] end $?" >>"{base}/common.log"
"""
BARE = {"PATH": "/usr/bin:/bin"}


def run(*words: str) -> None:
    """One process from start to end, as launchd starts it."""
    subprocess.run(
        words, env=BARE, stdin=subprocess.DEVNULL, capture_output=True, start_new_session=True, check=False
    )


def bench_a_whole_run() -> Iterator[Row]:
    """Slot, closed guard, lock, claim, job, record; and the same with nothing due."""
    with tempfile.TemporaryDirectory() as name:
        box = Sandbox(Path(name) / "box")
        box.add("job", "exit 0", schedule=EVERY_MINUTE, guards=("claude",))
        wrapper = str(box.base / "generated" / "bin" / "job")
        claims = box.state / "claims" / "job"
        common = box.base / "common"
        common.write_text(COMMON.format(base=box.base))
        common.chmod(0o755)
        shim = box.base / "shim.py"
        shim.write_text("import subprocess; subprocess.run(['true'])\n")

        def ours() -> None:
            for claim in claims.iterdir() if claims.exists() else ():
                claim.rmdir()
            run(wrapper)

        run(wrapper)
        yield compare(
            "wrapper around `true`", ours, "mkdir, pid, trap in bash", lambda: run(str(common)), most=1.5
        )
        yield compare(
            "Python shim around `true`", lambda: run(sys.executable, str(shim)), "wrapper around `true`", ours
        )
        for program, words in (("flock", ["-n", str(box.base / "f"), "true"]), ("chronic", ["true"])):
            path = shutil.which(program)
            if path:
                yield compare(
                    "wrapper around `true`", ours, f"{program} around `true`", partial(run, path, *words)
                )


def bench_a_skip() -> Iterator[Row]:
    """The guard is open: the wrapper ends after one look at the clock."""
    with tempfile.TemporaryDirectory() as name:
        box = Sandbox(Path(name) / "box")
        box.add("job", "exit 0", every_s=60, guards=("claude",))
        wrapper = str(box.base / "generated" / "bin" / "job")
        run(wrapper)
        box.open_guard(0, kind="billing", since=1)

        def shell_and_date() -> None:
            run("/bin/sh", "-c", ":")
            run("/bin/date")

        yield compare(
            "skip with the guard open", lambda: run(wrapper), "sh -c : and one date", shell_and_date, most=1.5
        )
