"""How tests hold the second double."""

from __future__ import annotations

import contextlib
import os
import plistlib
import signal
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).with_name("launchctl.py")
WRITES = frozenset({"bootstrap", "bootout", "enable", "disable", "kickstart", "kill"})
DOMAIN = f"gui/{os.getuid()}"


class Second:
    """One launchd of its own for one test. `era` is "old" or "new", `session` the code of a missing gui domain."""

    def __init__(self, folder: Path, era: str, session: int = 0) -> None:
        folder.mkdir()
        self.folder = folder
        self.program = folder / "launchctl"
        self.program.write_text(
            f"#!/bin/sh\nSECOND_STATE='{folder}' SECOND_ERA={era} SECOND_SESSION={session} "
            f'exec "{sys.executable}" -SE "{PROGRAM}" "$@"\n'
        )
        self.program.chmod(0o755)

    def environment(self) -> dict[str, str]:
        """The variables under which the tool finds it."""
        return {"JOBS_LAUNCHCTL": str(self.program)}

    def call(self, *words: str) -> subprocess.CompletedProcess[str]:
        """One call behind the tool's back."""
        return subprocess.run([str(self.program), *words], capture_output=True, text=True, check=False)

    def calls(self) -> list[list[str]]:
        """Every call so far."""
        return [line.split() for line in (self.folder / "calls").read_text().splitlines()]

    def writes(self) -> list[list[str]]:
        """Every call so far that changes something."""
        return [words for words in self.calls() if words and words[0] in WRITES]

    def forget_calls(self) -> None:
        """Begin counting anew."""
        (self.folder / "calls").unlink(missing_ok=True)

    def labels(self) -> set[str]:
        """What is loaded, by `list`; the Finder aside."""
        lines = self.call("list").stdout.splitlines()[2:]
        return {line.split("\t")[2] for line in lines}

    def load(self, path: Path) -> None:
        """Load a plist behind the tool's back."""
        done = self.call("bootstrap", DOMAIN, str(path))
        assert done.returncode == 0, done.stderr

    def shutdown(self) -> None:
        """Kill every process of a job that is still there."""
        for path in self.folder.glob("*.pid"):
            if not path.with_suffix(".end").exists():
                with contextlib.suppress(ProcessLookupError, ValueError):
                    os.killpg(int(path.read_text()), signal.SIGKILL)


def write_plist(path: Path, label: str, *words: str) -> None:
    """A foreign agent's plist."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(plistlib.dumps({"Label": label, "ProgramArguments": list(words)}))
