"""Small experiments that show the fault of a lock on this machine, with real processes.

Each one writes a starter into a folder of its own, runs it, and counts. The right form is run beside it. All are
bounded: starters that do not end are stopped, and the folder is removed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

STARTERS = 100
DEADLINE_S = 30.0
SHELL = "/bin/sh"

# A starter waits until all are there: opening the pipe for reading returns when the parent opens it for writing.
HEAD = 'cd "$1" || exit 1\n: < go\n'
WORK = "echo $$ >> entered\nsleep 0.2\n"


@dataclass(frozen=True, slots=True)
class Proof:
    """What was seen: `shown` says whether the fault appeared, `text` tells it."""

    shown: bool
    text: str


def storm(script: str, starters: int, prepare: Callable[[Path], None] | None = None) -> int:
    """How many of `starters`, started at once, entered the part that only one may enter."""
    with tempfile.TemporaryDirectory(prefix="jobs-prove-") as name:
        folder = Path(name)
        (folder / "starter").write_text(HEAD + script)
        os.mkfifo(folder / "go")
        if prepare is not None:
            prepare(folder)
        running = [
            subprocess.Popen(
                [SHELL, str(folder / "starter"), name],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            for _number in range(starters)
        ]
        try:
            _open_gate(folder / "go")
            _wait(running)
        finally:
            _stop(running)
        entered = folder / "entered"
        return len(entered.read_text().splitlines()) if entered.exists() else 0


def _open_gate(gate: Path) -> None:
    """Let the starters go, those that arrive late as well."""
    descriptor = os.open(gate, os.O_RDWR)
    time.sleep(0.5)  # the slowest starter may not be at the gate yet
    os.close(descriptor)


def _wait(running: list[subprocess.Popen[bytes]]) -> None:
    end = time.monotonic() + DEADLINE_S
    for process in running:
        try:
            process.wait(max(0.1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            return


def _stop(running: list[subprocess.Popen[bytes]]) -> None:
    for process in running:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _compared(bad: str, good: str, what: str) -> Proof:
    wrong, right = storm(bad, STARTERS), storm(good, STARTERS)
    shown = wrong > 1
    text = (
        f"{STARTERS} starters at once, {what}:\n"
        f"{_indented(bad)}  entered: {wrong}\n\n"
        f"{STARTERS} starters at once, with a step that only one can win:\n"
        f"{_indented(good)}  entered: {right}\n\n"
    )
    return Proof(shown, text + (f"{wrong} runs at the same time.\n" if shown else "Not seen this time.\n"))


def _indented(script: str) -> str:
    return "".join(f"    {line}\n" for line in script.splitlines())


GOOD = "mkdir lock 2>/dev/null || exit 0\n" + WORK


def _mkdir_p() -> Proof:
    return _compared("mkdir -p lock || exit 0\n" + WORK, GOOD, "with `mkdir -p` as the lock")


def _test_then_create() -> Proof:
    return _compared(
        "if [ -f lock ]; then exit 0; fi\ntouch lock\n" + WORK, GOOD, "with a test and a `touch`"
    )


def _create() -> Proof:
    return _compared("touch lock || exit 0\n" + WORK, GOOD, "with `touch` as the lock")


TAKE_OVER = """\
if ! mkdir lock 2>/dev/null; then
  kill -0 "$(cat lock/pid)" 2>/dev/null && exit 0
  rm -rf lock; mkdir lock || exit 0
fi
echo $$ > lock/pid
"""


def _take_over() -> Proof:
    def dead_owner(folder: Path) -> None:
        (folder / "lock").mkdir()
        gone = subprocess.Popen([SHELL, "-c", ":"])
        gone.wait()
        (folder / "lock" / "pid").write_text(f"{gone.pid}\n")

    rounds, doubles = 20, 0
    for _round in range(rounds):
        doubles += storm(TAKE_OVER + WORK, 8, dead_owner) > 1
    text = f"8 starters at once on the lock of a dead owner, {rounds} rounds:\n{_indented(TAKE_OVER)}"
    return Proof(doubles > 0, f"{text}  rounds with more than one winner: {doubles} of {rounds}\n")


def _run(folder: Path, script: str, *, environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [SHELL, "-c", script],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def _appears(path: Path) -> bool:
    end = time.monotonic() + DEADLINE_S
    while time.monotonic() < end:
        if path.exists():
            return True
        time.sleep(0.01)
    return False


EARLY = """\
trap 'rmdir lock' EXIT
mkdir lock 2>/dev/null || exit 0
"""


def _early_trap() -> Proof:
    with tempfile.TemporaryDirectory(prefix="jobs-prove-") as name:
        folder = Path(name)
        first = _run(folder, EARLY + "touch first; sleep 3 & wait\n")
        try:
            _appears(folder / "first")
            second = _run(folder, EARLY + "touch second\n")
            second.communicate(timeout=DEADLINE_S)
            gone = not (folder / "lock").exists()
            third = _run(folder, EARLY + "touch third\n")
            third.communicate(timeout=DEADLINE_S)
            entered = (folder / "third").exists()
            works = first.poll() is None
        finally:
            os.killpg(first.pid, signal.SIGKILL)
            first.communicate()
    text = (
        f"{_indented(EARLY)}\n"
        f"  first starter: has the lock and works\n"
        f"  second starter: does not get it; its trap fires; the lock is {'gone' if gone else 'there'}\n"
        f"  third starter: {'enters' if entered else 'stays out'} while the first {'still works' if works else 'is gone'}\n"
    )
    return Proof(gone and entered and works, text)


LASTING = """\
mkdir lock || exit 0
trap 'rmdir lock' TERM
touch ready
sleep 5 & wait
[ -d lock ] || echo "works without the lock"
kill $! 2>/dev/null
"""


def _lasting() -> Proof:
    with tempfile.TemporaryDirectory(prefix="jobs-prove-") as name:
        process = _run(Path(name), LASTING)
        try:
            _appears(Path(name) / "ready")
            time.sleep(0.2)  # the shell has to arrive in its wait
            os.kill(process.pid, signal.SIGTERM)
            told, _nothing = process.communicate(timeout=DEADLINE_S)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
    shown = "without the lock" in told
    return Proof(shown, f"{_indented(LASTING)}\n  after TERM it says: {told.strip() or '(nothing)'}\n")


MISSING = """\
exec 9>lock
flock -n 9 || { echo "already running (status $?)"; exit 0; }
echo "works"
"""


def _missing_flock() -> Proof:
    with tempfile.TemporaryDirectory(prefix="jobs-prove-") as name:
        process = _run(Path(name), MISSING, environment={"PATH": f"{name}/bin"})
        told, _nothing = process.communicate(timeout=DEADLINE_S)
    shown = "already running (status 127)" in told
    return Proof(
        shown,
        f"One starter, nobody else, a PATH without flock as on macOS:\n{_indented(MISSING)}\n{_indented(told)}",
    )


PROOFS: dict[str, Callable[[], Proof]] = {
    "L001": _mkdir_p,
    "L002": _test_then_create,
    "L003": _create,
    "L007": _take_over,
    "L008": _early_trap,
    "L009": _lasting,
    "L013": _missing_flock,
}


def run(code: str) -> Proof:
    """The experiment of a rule, carried out."""
    return PROOFS[code]()
