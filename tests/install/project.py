"""A project called as a user calls it, through `python -m jobs`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Protocol

from tests.launchctl.control import Double

SOURCE = Path(__file__).parents[2] / "src"
PREFIX = "com.example"


class Launchd(Protocol):
    """What a project must know of its launchd."""

    def environment(self) -> dict[str, str]:
        """The variables under which the tool finds it."""


class Project:
    """A project with a manifest. `launchd` None: it has none that the tool could find."""

    def __init__(self, folder: Path, launchd: Launchd | None = None) -> None:
        self.root = folder / "work"
        self.home = folder / "home"
        (self.root / "bin").mkdir(parents=True)
        self.home.mkdir()
        self.launchd = launchd
        self.state = self.home / "Library/Application Support/p"
        self.agents = self.home / "Library/LaunchAgents"
        self.variables: dict[str, str | None] = {}
        for name in "ab":
            self.script(name, "echo done")

    def script(self, name: str, text: str) -> None:
        path = self.root / "bin" / f"{name}.sh"
        path.write_text(f"#!/bin/sh\nset -eu\n{text}\n")
        path.chmod(0o755)

    def manifest(self, *tables: str, project: str = "") -> None:
        head = (
            f'version = 1\n[project]\nname = "p"\nprefix = "{PREFIX}"\nroot = "{self.root}"\nhome = "{self.home}"\n'
            f'path = ["/usr/bin", "/bin"]\n{project}\n'
        )
        (self.root / "jobs.toml").write_text(head + "\n".join(tables))

    def environment(self) -> dict[str, str]:
        found = {
            **os.environ,
            **(self.launchd.environment() if self.launchd else {}),
            "HOME": str(self.home),
            "PYTHONPATH": str(SOURCE),
            "TZ": "UTC",
        }
        for name in ("JOBS_MANIFEST", "JOBS_NOW", "SUDO_UID", "SSH_CONNECTION"):
            found.pop(name, None)
        for name, value in self.variables.items():
            if value is None:
                found.pop(name, None)
            else:
                found[name] = value
        return found

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "jobs", *words],
            cwd=self.root,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def jobs(self, *words: str, status: int = 0) -> str:
        """All output of a call that must end with this status."""
        process = self.start(*words)
        out, err = process.communicate(timeout=60)
        assert process.returncode == status, out + err
        return out + err

    def json(self, *words: str, status: int = 0) -> Any:
        process = self.start(*words, "--json")
        out, err = process.communicate(timeout=60)
        assert process.returncode == status, out + err
        return json.loads(out)

    def install(self, *tables: str, **options: Any) -> str:
        self.manifest(*tables)
        self.jobs("build")
        return self.jobs("install", **options)


def job(name: str, *lines: str) -> str:
    return "\n".join([f"[jobs.{name}]", f'run = ["bin/{name}.sh"]', 'at = "09:30"', *lines, ""])


def interval(name: str, *lines: str) -> str:
    return job(name, *lines).replace('at = "09:30"', 'every = "30m"')


class DoubleProject(Project):
    """A project with a launchd of its own: the double."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.double = Double(folder / "launchd", home=str(self.home))
        self.launchd = self.double
