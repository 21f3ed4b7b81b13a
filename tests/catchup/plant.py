"""Real wrappers whose jobs do next to nothing, and a catch-up in a process of its own that can be killed."""

from __future__ import annotations

import os
import shutil
import signal
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from jobs.catchup.gather import decisions, expired
from jobs.catchup.lock import one_at_a_time
from jobs.catchup.machine import RealMachine
from jobs.model.job import CatchupSettings, Guard, Job, JobCatchup, Lock, Manifest, Once, Project
from jobs.runtime.catchup import in_order
from jobs.runtime.drain import Limits, drain
from jobs.schedule.rule import Rule, Schedule
from tests.catchup.ledger import Ledger, ledger
from tests.wrapper.sandbox import Sandbox, group_members, kill_group

MIDNIGHT = 1796083200  # Tuesday 2026-12-01T00:00:00Z
HOUR = 3600
# Refused while `out` is there. `ran` is the true story: who began, who ended, and who saw another made-up run alive.
WORK = """\
[ ! -e out ] || exit 75
if [ "$JOBS_TRIGGER" = catchup ]; then
    for other in live/*; do
        [ -e "$other" ] && kill -0 "${other#live/}" 2>/dev/null || continue
        state=R # a zombie, which an init may leave about for a while, runs no more
        [ ! -r "/proc/${other#live/}/stat" ] || read -r _ _ state _ <"/proc/${other#live/}/stat"
        [ "$state" = Z ] || echo "two $JOBS_NAME" >>ran
    done
    : >"live/$$"
fi
echo "begin $JOBS_NAME ${JOBS_SLOT:--} $JOBS_TRIGGER" >>ran
[ ! -e "deaf.$JOBS_NAME" ] || trap '' TERM
[ ! -e slow ] || sleep 0.1
if [ -e "hang.$JOBS_NAME" ]; then
    : >up
    looks=0 # a hang that nobody stops ends by itself, some day
    while [ "$looks" -lt 3000 ]; do sleep 0.02; looks=$((looks + 1)); done
fi
echo "end $JOBS_NAME ${JOBS_SLOT:--} $JOBS_TRIGGER" >>ran
"""


def at_hours(*hours: int) -> Schedule:
    """A slot at each of these full hours."""
    return Schedule((Rule((0,), hours),), "UTC")


@dataclass
class Plant:
    """Three jobs: `a` and `b` wait for the guard only, `c` is made up after sleep, too, and shares the lock of `a`."""

    base: Path

    def __post_init__(self) -> None:
        self.sandbox = Sandbox(self.base)
        guard = {"guards": ("claude",), "catchup": JobCatchup(("guard",), "today")}
        self._add("a", at_hours(9, 15), guard, lock=Lock("site"))
        self._add("b", at_hours(10), guard, once=Once("day"))
        both = guard | {"catchup": JobCatchup(("guard", "missed"), "today")}
        self._add("c", at_hours(9, 11, 12), both, lock=Lock("site", 1))

    def _add(self, name: str, schedule: Schedule, keys: dict[str, object], **more: object) -> None:
        self.sandbox.add(name, WORK, schedule=schedule, **keys, **more)  # type: ignore[arg-type]

    @property
    def jobs(self) -> dict[str, Job]:
        return self.sandbox.jobs

    def manifest(self) -> Manifest:
        root, state = str(self.base), str(self.sandbox.state)
        project = Project("test", "com.example", root, root, "kim", ("/bin",), root, state, "generated")
        guards = (Guard("claude", tool="claude", cooldown_s=1200),)
        return Manifest("jobs.toml", project, tuple(self.jobs.values()), guards, CatchupSettings())

    def fresh(self) -> None:
        """A new day: no state, no story."""
        for name in ("state", "live"):
            shutil.rmtree(self.base / name, ignore_errors=True)
        for path in self.base.iterdir():
            if path.name not in {"generated", "logs", "printed"}:
                path.unlink()
        (self.base / "live").mkdir()
        (self.base / "state").mkdir(mode=0o700)
        (self.base / "state" / "since").mkdir(mode=0o700)
        for name in self.jobs:
            (self.base / "state" / "since" / name).write_text(f"{MIDNIGHT}\n")

    def mark(self, name: str, there: bool = True) -> None:
        """Make or remove one of the files that the jobs look for."""
        path = self.base / name
        path.touch() if there else path.unlink(missing_ok=True)

    def ran(self) -> list[str]:
        path = self.base / "ran"
        return path.read_text().splitlines() if path.exists() else []

    def skipped_morning(self) -> None:
        """All that was due until noon was skipped, and the guard lets through again."""
        self.sandbox.open_guard(MIDNIGHT + 12 * HOUR - 60, since=MIDNIGHT + 8 * HOUR)
        for name, hour in (("a", 9), ("c", 9), ("b", 10), ("c", 11)):
            assert self.sandbox.run(name, now=MIDNIGHT + hour * HOUR + 1) == 0

    def catch_up(
        self, now: int, machine: type[RealMachine] = RealMachine, *, timeout_s: float = 20, step: int = -1
    ) -> int:
        """Start a catch-up; the pid of its process."""
        child = os.fork()
        if child == 0:
            status = 70
            with suppress(BaseException):
                os.setsid()
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                if step >= 0:
                    machine.dies_at = step  # type: ignore[attr-defined]
                status = self._catch_up_here(now, machine, timeout_s)
            os._exit(status)
        return child

    def _catch_up_here(self, now: int, kind: type[RealMachine], timeout_s: float) -> int:
        os.environ["JOBS_NOW"] = str(now)
        os.environ["TZ"] = "UTC"
        manifest, state = self.manifest(), self.sandbox.state
        machine = kind(state, self.base / "generated" / "bin", None, {})
        with one_at_a_time(state) as mine:
            if not mine:
                return 3
            found = decisions(manifest, now, UTC)
            for name in expired(manifest, found, now, UTC):
                machine.ask_wrapper(name)
            limits = Limits(timeout_s, 0, 0.01)
            made = list(drain(in_order(found), machine, limits, lambda _words: None, found))
        return 1 if any(one.outcome != "ok" for one in made) else 0

    def ledger(self, end: int) -> Ledger:
        return ledger(self.sandbox.state, self.jobs.values(), MIDNIGHT, end, UTC)

    def begun_twice(self) -> list[str]:
        """The slots whose job began more than once, in truth."""
        begun = [tuple(line.split()[1:3]) for line in self.ran() if line.startswith("begin ")]
        return sorted({" ".join(slot) for slot in begun if slot[1] != "-" and begun.count(slot) > 1})

    def let_end(self) -> None:
        """Nothing of the plant runs any more: what hangs is killed."""
        for name in self.jobs:
            for record in self.sandbox.records(name):
                if record["event"] == "start" and group_members(record["pid"]):
                    kill_group(record["pid"])


def status_of(pid: int) -> int:
    """The status of a catch-up, as a shell would tell it."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
