"""What a wrapper starts on its way to the job: few programs, and no Python."""

from __future__ import annotations

import re
import time
from pathlib import Path

from jobs.model.job import Argv
from jobs.schedule.rule import Rule, Schedule
from tests.tools import require_tool
from tests.wrapper.sandbox import Sandbox, wait_until

EVERY_MINUTE = Schedule((Rule(tuple(range(60)), tuple(range(24))),), "UTC")
_EXEC = re.compile(r'execve\("([^"]*)".* = 0$', re.MULTILINE)


def plant(base: Path) -> Sandbox:
    """One guarded job with a lock and a slot at every minute, traced."""
    require_tool("strace")
    # -DDD: the tracer stands aside in a session of its own, and the shell leads its process group as it does under launchd.
    tracer = (
        "strace",
        "-DDD",
        "-f",
        "-q",
        "-e",
        "trace=execve",
        "-e",
        "signal=none",
        "-o",
        str(base / "trace"),
    )
    made = Sandbox(base / "box", shell=(*tracer, "dash"))
    made.add("a", Argv(("/bin/true",)), guards=("claude",), schedule=EVERY_MINUTE)
    # The first run makes the folders. The second is started by the real clock, which costs one `date`.
    assert made.run("a", now=int(time.time()) - 60) == 0
    programs(base)
    return made


def programs(base: Path) -> list[str]:
    """The programs that were executed by the shell that was traced, in order, once the tracer has told all."""
    trace = base / "trace"
    first = trace.read_text().split(maxsplit=1)[0]
    wait_until(lambda: re.search(rf"^{first} +\+\+\+ exited", trace.read_text(), re.MULTILINE) is not None)
    found = [Path(path).name for path in _EXEC.findall(trace.read_text())]
    trace.unlink()
    return found[1:]


def test_a_run_starts_six_programs_and_the_job(tmp_path: Path) -> None:
    traced = plant(tmp_path)
    assert traced.run("a") == 0
    found = programs(tmp_path)
    print(f"programs of a run: {len(found)}: {' '.join(found)}")
    assert sorted(found) == ["date", "date", "ln", "mkdir", "rm", "true", "wc"]


def test_a_skip_starts_one_program(tmp_path: Path) -> None:
    traced = plant(tmp_path)
    traced.open_guard(0, kind="billing")
    assert traced.run("a") == 0
    assert traced.story("a")[-1] == "skip guard"
    found = programs(tmp_path)
    print(f"programs of a skip: {len(found)}: {' '.join(found)}")
    assert found == ["date"]
