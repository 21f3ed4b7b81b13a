"""The form of a check: what it is given, what it gives back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from jobs.diagnostics import Severity
from jobs.install.receipt import Receipt
from jobs.install.site import Site
from jobs.model.job import Argv, Job, Manifest
from jobs.system.launchctl import Launchctl


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, or may be. `job` is empty for what concerns all."""

    message: str
    evidence: str
    fix: str
    severity: Severity = Severity.ERROR
    job: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """What checks look at. `launchctl` is None where there is none."""

    manifest: Manifest
    site: Site
    receipt: Receipt
    launchctl: Launchctl | None
    now: int
    search_path: str = field(default_factory=lambda: os.environ.get("PATH", ""))  # the user's own shell's
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    agent_folders: tuple[Path, ...] = (Path("/Library/LaunchAgents"), Path("/Library/LaunchDaemons"))

    @property
    def home(self) -> Path:
        """The home of the jobs."""
        return Path(self.manifest.project.home)


@dataclass(frozen=True, slots=True)
class Check:
    """One check: its name, what it makes sure of, and how. `good` is said when nothing was found."""

    name: str
    good: str
    run: Callable[[Context], Iterable[Finding]]


def job_path(context: Context, job: Job) -> str:
    """The PATH that the job gets."""
    own = dict(job.env).get("PATH")
    return own if own is not None else ":".join(context.manifest.project.path)


def program_of(job: Job) -> str | None:
    """The job's own program: word 0, or the first word of a plain shell line; None when a shell decides."""
    import shlex

    if isinstance(job.run, Argv):
        return job.run.words[0]
    try:
        words = shlex.split(job.run.text, comments=True)
    except ValueError:
        return None
    first = words[0] if words else ""
    plain = first and "=" not in first and not set(first) & set("$`;&|<>(){}*?~!")
    return first if plain else None


def script_of(context: Context, job: Job) -> str | None:
    """The job's program as an absolute path where it names one, relative paths under root."""
    program = program_of(job)
    if program is None or "/" not in program:
        return None
    return program if program.startswith("/") else os.path.join(context.manifest.project.root, program)  # noqa: PTH118


def run_quietly(argv: list[str], limit_s: float = 10.0) -> tuple[int | None, str]:
    """Status and output of a program that only tells something; None when it is missing, refuses or hangs."""
    import subprocess

    try:
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit_s, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None, ""
    return done.returncode, done.stdout.decode(errors="replace")
