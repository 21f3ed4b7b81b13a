"""A storm on the lock, on this machine: the shipped wrappers, and beside them the lock that most scripts use."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from jobs.compile.quote import quote
from jobs.compile.wrapper import library_files, wrapper_text
from jobs.model.job import Job, Lock, Manifest, Project, ShellLine

FREE_STARTERS = 100
DEAD_STARTERS = 8

COMMON_LOCK = """\
#!/bin/sh
# The lock that many scripts use: right about mkdir, wrong about taking over.
acquire_lock() {{
    if mkdir {lock} 2>/dev/null; then
        echo $$ >{lock}/pid
        return 0
    fi
    owner=$(cat {lock}/pid 2>/dev/null)
    [ -n "$owner" ] || return 1
    ! kill -0 "$owner" 2>/dev/null || return 1
    rm -rf {lock}
    mkdir {lock} 2>/dev/null || return 1
    echo $$ >{lock}/pid
}}
acquire_lock || exit 0
trap 'rm -rf {lock}' EXIT
{work}
"""


@dataclass(frozen=True, slots=True)
class Count:
    """What a storm gave: runs that happened, runs that met another one inside, rounds that left the lock taken."""

    starts: int
    runs: int
    doubles: int
    wedged: int


@dataclass(frozen=True, slots=True)
class Arena:
    """A folder for one lock: how to start a contender, how to leave a dead owner behind, how to see the lock taken."""

    folder: Path
    command: Sequence[str]
    plant: Callable[[str], None]
    taken: Callable[[], bool]


def storm(arena: Arena, *, rounds: int, starters: int, dead: bool) -> Count:
    """Let `starters` processes at once go for the lock, `rounds` times; with `dead`, its last owner has died."""
    wedged = 0
    for _ in range(rounds):
        if dead:
            arena.plant(str(_dead_process()))
        started = [
            subprocess.Popen(
                arena.command,
                env={"PATH": "/usr/bin:/bin:/usr/sbin:/sbin"},
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            for _ in range(starters)
        ]
        for process in started:
            process.wait()
        wedged += arena.taken()
    return Count(rounds * starters, _lines(arena.folder / "ran"), _lines(arena.folder / "doubles"), wedged)


@contextmanager
def arenas(state: Path) -> Iterator[tuple[Arena, Arena]]:
    """The arena of the shipped wrapper and that of the common lock, in a folder of the state that goes away again."""
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="selftest.", dir=state) as name:
        base = Path(name)
        yield _ours(base / "jobs"), _common(base / "common")


def _work(folder: Path) -> str:
    """A job that sees whether another one is inside with it."""
    inside, ran, doubles = (quote(str(folder / word)) for word in ("inside", "ran", "doubles"))
    return f"echo ran >>{ran}; mkdir {inside} 2>/dev/null || {{ echo double >>{doubles}; exit 1; }}; sleep 0.02; rmdir {inside}"


def _ours(folder: Path) -> Arena:
    for part in ("generated/bin", "generated/lib"):
        (folder / part).mkdir(parents=True)
    for path, data in library_files().items():
        (folder / "generated" / path).write_bytes(data)
    root = str(folder)
    job = Job(
        name="selftest",
        label="selftest",
        run=ShellLine(_work(folder)),
        log=f"{root}/log",
        cwd=root,
        every_s=60,
        lock=Lock("selftest"),
    )
    project = Project(
        "selftest", "selftest", root, root, "nobody", ("/usr/bin", "/bin"), root, f"{root}/state", "generated"
    )
    wrapper = folder / "generated" / "bin" / "selftest"
    wrapper.write_text(wrapper_text(Manifest("jobs.toml", project, (job,)), job))
    wrapper.chmod(0o755)
    lock = folder / "state" / "lock" / "selftest"

    def plant(pid: str) -> None:
        lock.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / "state").chmod(0o700)
        (lock / "owner").symlink_to(f"{pid}.1.1.selftest")

    return Arena(folder, [str(wrapper)], plant, (lock / "owner").is_symlink)


def _common(folder: Path) -> Arena:
    folder.mkdir(parents=True)
    lock = folder / "lock"
    script = folder / "script"
    script.write_text(COMMON_LOCK.format(lock=quote(str(lock)), work=_work(folder)))
    script.chmod(0o755)

    def plant(pid: str) -> None:
        lock.mkdir(exist_ok=True)
        (lock / "pid").write_text(f"{pid}\n")

    return Arena(folder, [str(script)], plant, lock.is_dir)


def _dead_process() -> int:
    """The number of a process that has ended and was waited for."""
    process = subprocess.Popen(["/bin/sh", "-c", ":"], start_new_session=True)
    process.wait()
    return process.pid


def _lines(path: Path) -> int:
    try:
        with path.open("rb") as stream:
            return sum(1 for _ in stream)
    except OSError:
        return 0
