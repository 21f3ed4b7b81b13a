"""A folder with built wrappers, and what tests ask of it: start one, read what it left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from jobs.compile.wrapper import library_files, wrapper_text
from jobs.model.job import Argv, CatchupSettings, Guard, Job, Lock, Manifest, Project, ShellLine
from jobs.schedule.rule import Rule, Schedule

EVERY_MINUTE = Schedule((Rule(tuple(range(60)), tuple(range(24))),), "UTC")
NOON = 1796126400  # 2026-12-01T12:00:00Z, a Tuesday
DAY = 86400


def daily(hour: int, minute: int = 0, zone: str = "UTC") -> Schedule:
    """A schedule with one slot a day."""
    return Schedule((Rule((minute,), (hour,)),), zone)


@dataclass
class Sandbox:
    """A generated folder, its state and its logs, below `base`."""

    base: Path
    shell: Sequence[str] = ("sh",)
    guards: tuple[Guard, ...] = (Guard("claude", tool="claude"),)
    jobs: dict[str, Job] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for folder in ("bin", "lib"):
            (self.base / "generated" / folder).mkdir(parents=True)
        for path, data in library_files().items():
            (self.base / "generated" / path).write_bytes(data)

    @property
    def printed(self) -> Path:
        """What wrappers wrote to the streams that launchd gave them: nothing, if all is well."""
        return self.base / "printed"

    @property
    def state(self) -> Path:
        return self.base / "state"

    def add(self, name: str, run: Argv | ShellLine | str, *, exact: bool = True, **keys: Any) -> Job:
        """Build the wrapper of a job; a text is a line for the shell. Defaults as the manifest has them."""
        if isinstance(run, str):
            run = ShellLine(run)
        keys.setdefault("lock", Lock(name))
        keys.setdefault("cwd", str(self.base))
        keys.setdefault("kill_after_s", 1)
        keys["env"] = (("LANG", "en_US.UTF-8"), *keys.get("env", ()))
        job = Job(name=name, label=f"com.example.{name}", run=run, log=str(self.log(name)), **keys)
        manifest = Manifest(
            path="jobs.toml",
            project=Project(
                name="test",
                prefix="com.example",
                root=str(self.base),
                home=str(self.base),
                user="kim",
                path=("/usr/local/bin", "/usr/bin", "/bin"),
                logs=str(self.base / "logs"),
                state=str(self.state),
                output="generated",
            ),
            jobs=(job,),
            guards=self.guards,
            catchup=CatchupSettings(),
        )
        path = self.base / "generated" / "bin" / name
        path.write_text(wrapper_text(manifest, job, exact=exact))
        path.chmod(0o755)
        self.jobs[name] = job
        return job

    def log(self, name: str) -> Path:
        return self.base / "logs" / f"{name}.log"

    def command(self, name: str) -> list[str]:
        return [*self.shell, str(self.base / "generated" / "bin" / name)]

    def start(
        self, name: str, *, now: int | None = None, trigger: str = "", env: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a wrapper as launchd does: an empty environment, a session of its own, cwd /, no input."""
        with self.printed.open("ab") as printed:
            return self._spawn(name, printed, now, trigger, env)

    def _spawn(
        self, name: str, printed: BinaryIO, now: int | None, trigger: str, env: Mapping[str, str] | None
    ) -> subprocess.Popen[bytes]:
        environment = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", **(env or {})}
        if now is not None:
            environment["JOBS_NOW"] = str(now)
        if trigger:
            environment["JOBS_TRIGGER"] = trigger
        return subprocess.Popen(
            self.command(name),
            env=environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def run(self, name: str, **keys: Any) -> int:
        """Start a wrapper and wait: its status. Whatever it prints outside its log fails the test."""
        status = self.start(name, **keys).wait(timeout=60)
        assert self.printed.read_text(errors="replace") == ""
        return status

    def records(self, name: str) -> list[dict[str, Any]]:
        """All records of a job, oldest first."""
        path = self.state / "runs" / f"{name}.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def story(self, name: str) -> list[str]:
        """The records in short: `event reason`, without starts."""
        return [f"{r['event']} {r['reason']}" for r in self.records(name) if r["event"] != "start"]

    def said(self, name: str) -> str:
        """What the job itself printed: the log without the tool's own lines."""
        lines = self.log(name).read_text().splitlines(keepends=True)
        return "".join(line for line in lines if not line.startswith("[jobs "))

    def claims(self, name: str) -> list[str]:
        return sorted(path.name for path in (self.state / "claims" / name).iterdir())

    def open_guard(
        self, until: int, *, kind: str = "quota", attempt: int = 0, since: int = NOON - 600
    ) -> None:
        """Write the breaker's file as a run would have."""
        folder = self.state / "guard"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "claude").write_text(f"1 open {until} {kind} {attempt} {since} other\nlimit reached\n")

    def holder(self, name: str) -> str | None:
        """The ID at the end of the lock's chain, or None when the lock is free."""
        folder = self.state / "lock" / name
        link = folder / "owner"
        if not link.is_symlink():
            return None
        last = os.readlink(link)
        while (folder / f"after.{last}").is_symlink():
            last = os.readlink(folder / f"after.{last}")
        return last


def wait_until(condition: Callable[[], bool], *, seconds: float = 20) -> None:
    """Wait for a condition that another process brings about; fails the test when it never comes."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the awaited state never came"
        time.sleep(0.005)


def group_members(group: int) -> list[int]:
    """The living processes of a process group, zombies left out."""
    if sys.platform == "darwin":
        listing = subprocess.run(
            ["/bin/ps", "-A", "-o", "pid=,pgid=,stat="], capture_output=True, text=True, check=True
        ).stdout
        rows = [line.split() for line in listing.splitlines()]
        return [int(pid) for pid, pgid, stat in rows if int(pgid) == group and not stat.startswith("Z")]
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                state, _, pgrp = (entry / "stat").read_text().rpartition(") ")[2].split()[:3]
                if int(pgrp) == group and state != "Z":
                    found.append(int(entry.name))
    return found


def kill_group(group: int) -> None:
    """Clean up after a test that leaves processes on purpose."""
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
