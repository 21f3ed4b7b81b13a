"""A project with many jobs, installed on the double: what the benchmarks of install and status work on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.launchctl.control import ROOT, Double


class Project:
    """A manifest of `count` daily jobs in a folder, with a home and a launchd of its own."""

    def __init__(self, folder: Path, count: int) -> None:
        self.home = folder / "home"
        self.work = folder / "work"
        self.home.mkdir(parents=True)
        (self.work / "bin").mkdir(parents=True)
        script = self.work / "bin" / "run"
        script.write_text("#!/bin/sh\n")
        script.chmod(0o755)
        head = (
            f'version = 1\n[project]\nname = "p"\nprefix = "com.example"\nroot = "{self.work}"\n'
            f'home = "{self.home}"\npath = ["/usr/bin", "/bin"]\n'
        )
        self.names = [f"job-{number:04}" for number in range(count)]
        tables = [
            f'[jobs.{name}]\nrun = ["bin/run"]\nat = "{number % 24:02}:{number % 60:02}"\n'
            for number, name in enumerate(self.names)
        ]
        self.manifest = self.work / "jobs.toml"
        self.manifest.write_text(head + "\n".join(tables))
        self.double = Double(folder / "launchd", home=str(self.home))
        self.state = self.home / "Library" / "Application Support" / "p"

    def jobs(self, *words: str) -> None:
        """Run the program, as an installed one runs: with compiled modules."""
        environment = {
            **os.environ,
            **self.double.environment(),
            "HOME": str(self.home),
            "PYTHONPATH": str(ROOT / "src"),
            "PYTHONPYCACHEPREFIX": str(self.home.parent / "pycache"),
            "JOBS_MANIFEST": str(self.manifest),
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        subprocess.run(
            [sys.executable, "-m", "jobs", *words],
            env=environment,
            cwd=self.work,
            check=True,
            stdout=subprocess.DEVNULL,
        )
