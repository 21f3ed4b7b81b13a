"""How tests hold the double: its folder, its switches, what was asked of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.launchctl.program import WRITES
from tests.launchctl.spawn import alive
from tests.launchctl.state import Store

if TYPE_CHECKING:
    from tests.launchctl.state import Service

ROOT = Path(__file__).parents[2]
LAUNCHER = """#!{python} -SE
import os
import sys

os.environ["LAUNCHCTL_DOUBLE"] = {folder!r}
sys.path[0] = {root!r}
from tests.launchctl.program import main

sys.exit(main(sys.argv[1:]))
"""


class Double:
    """One launchd of its own for one test."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.folder = folder
        self.store = Store(str(folder))
        self.program = folder / "launchctl"
        # A launcher of its own: the interpreter of the tests, compiled modules, no `env` in between.
        self.program.write_text(LAUNCHER.format(python=sys.executable, root=str(ROOT), folder=str(folder)))
        self.program.chmod(0o755)
        self.options: dict[str, Any] = {}
        self.set(scale=0.02, **options)

    def set(self, **options: Any) -> None:
        """Change switches."""
        self.options = {**self.options, **options}
        with self.store:
            self.store.set_options(self.options)

    def environment(self) -> dict[str, str]:
        """The variables under which the tool finds this double."""
        return {"JOBS_LAUNCHCTL": str(self.program), "LAUNCHCTL_DOUBLE": str(self.folder)}

    def call(self, *words: str) -> subprocess.CompletedProcess[str]:
        """One call, as anybody could make it behind the tool's back."""
        return subprocess.run(
            [str(self.program), *words],
            env={**os.environ, **self.environment()},
            capture_output=True,
            text=True,
            check=False,
        )

    def calls(self) -> list[tuple[int, list[str]]]:
        """Every call so far: status and words."""
        try:
            lines = (self.folder / "calls.log").read_text().splitlines()
        except FileNotFoundError:
            return []
        return [(found[0], found[1:]) for found in map(json.loads, lines)]

    def writes(self) -> list[list[str]]:
        """Every call so far that changes something."""
        return [words for _, words in self.calls() if words[:1] and words[0] in WRITES]

    def forget_calls(self) -> None:
        """Begin counting anew."""
        (self.folder / "calls.log").unlink(missing_ok=True)

    def log(self) -> str:
        """launchd's own log, where the true codes stand."""
        try:
            return (self.folder / "launchd.log").read_text()
        except FileNotFoundError:
            return ""

    def services(self) -> dict[str, Service]:
        """Label → loaded service."""
        with self.store:
            return {service["label"]: service for service in self.store.services()}

    def overrides(self, domain: str = f"gui/{os.getuid()}") -> dict[str, bool]:
        """Label → disabled."""
        with self.store:
            return self.store.overrides(domain)

    def set_clock(self, epoch: int) -> None:
        """Start virtual time."""
        with self.store:
            self.store.set_now(epoch)

    def advance(self, until: int) -> int:
        """Move the virtual clock on to the next fire or `until`, wait for the runs to end; the number of starts."""
        return self._clock("wake", until)

    def sleep(self, until: int) -> int:
        """Sleep until then: everything that fired on the way starts once."""
        return self._clock("sleep", until)

    def _clock(self, how: str, until: int) -> int:
        started = int(self.call("--double", how, str(until)).stdout)
        self.settle()
        return started

    def settle(self, limit_s: float = 10.0) -> None:
        """Wait until nothing runs."""
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            if not any(
                service["supervisor"] and alive(service["supervisor"]) for service in self.services().values()
            ):
                return
            time.sleep(0.01)
        raise AssertionError("a job of the double still runs")

    def shutdown(self) -> None:
        """Kill every process of the double."""
        for service in self.services().values():
            for pid, group in ((service["supervisor"], False), (service["pid"], True)):
                if pid:
                    try:
                        (os.killpg if group else os.kill)(pid, signal.SIGKILL)
                    except (ProcessLookupError, PermissionError):
                        continue
