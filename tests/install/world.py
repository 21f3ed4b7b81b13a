"""A Mac for one test: a home, a launchd (the double), a project without a manifest."""

from __future__ import annotations

import os
import plistlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jobs.install.action import Plan
from jobs.install.apply import Result
from jobs.install.launchd_steps import Patience
from jobs.install.operation import Operation, Options
from jobs.install.site import Site
from jobs.install.wanted import Wanted, digest
from jobs.system.launchctl import Launchctl
from tests.launchctl.control import Double
from tests.launchctl.in_process import QuickLaunchctl

PREFIX = "com.example"
DOMAIN = f"gui/{os.getuid()}"
QUICK = Patience(poll_s=0.02, poll_max_s=0.05, margin_s=0.5, retry_s=0.02, retries=2, run_s=5.0)


def plist(label: str, *script: str, **keys: Any) -> bytes:
    """A plist that runs a line of shell; TERM ends it at once."""
    words = ["/bin/sh", "-c", script[0] if script else "exit 0"]
    values = {"Label": label, "ProgramArguments": words, "StartInterval": 3600, "ExitTimeOut": 30, **keys}
    return plistlib.dumps(values)


def wanted(name: str, *script: str, enabled: bool = True, daemon: bool = False, **keys: Any) -> Wanted:
    """A job as the compiler would give it."""
    label = f"{PREFIX}.{name}"
    schedule = digest(repr(keys.get("StartInterval")).encode())[:16]
    return Wanted(label, name, plist(label, *script, **keys), enabled, daemon, schedule)


class World:
    """The machine, and what a test does to it."""

    def __init__(self, tmp_path: Path, **options: Any) -> None:
        self.home = tmp_path / "home"
        self.home.mkdir()
        self.double = Double(tmp_path / "launchd", home=str(self.home), **options)
        self.folder = self.home / "Library" / "LaunchAgents"
        self.state = self.home / "Library" / "Application Support" / "p"
        self.output = tmp_path / "generated"
        self.site = Site(
            "p", PREFIX, DOMAIN, self.folder, self.state, self.home / "Library/Logs/p", self.output
        )
        self.patience = QUICK
        self.launchctl: Launchctl = QuickLaunchctl(str(self.double.program))

    def operation(self, **options: Any) -> Operation:
        """A fresh operation, as each call of the program makes one."""
        return Operation(self.site, self.launchctl, Options(**options), self.patience)

    def install(
        self, *jobs: Wanted, before: Callable[[], None] = lambda: None, **options: Any
    ) -> tuple[Plan, Result]:
        """Plan and apply."""
        operation = self.operation(**options)
        files = {f"launchd/{job.label}.plist": job.data for job in jobs}
        with operation.locked():
            plan = operation.plan(jobs)
            before()
            return plan, operation.install(plan, jobs, files, [self.site.logs])

    def uninstall(self, *names: str, **options: Any) -> tuple[Plan, Result]:
        """Plan and apply a removal."""
        operation = self.operation(**options)
        with operation.locked():
            plan = operation.plan_removal(names or None)
            return plan, operation.apply(plan)

    def loaded(self) -> dict[str, Mapping[str, Any]]:
        """Name → plist of what launchd has."""
        return {
            label.removeprefix(f"{PREFIX}."): service["plist"]
            for label, service in self.double.services().items()
        }

    def files(self) -> dict[str, bytes]:
        """File name → content of launchd's folder."""
        return (
            {path.name: path.read_bytes() for path in sorted(self.folder.iterdir())}
            if self.folder.is_dir()
            else {}
        )

    def path(self, name: str) -> Path:
        """The installed plist of a job."""
        return self.folder / f"{PREFIX}.{name}.plist"

    def kinds(self, plan: Plan) -> dict[str, str]:
        """Name → kind of action."""
        return {action.name: action.kind.value for action in plan.actions}

    def agrees(self, *jobs: Wanted) -> None:
        """Assert that files, launchd and receipt say the same: exactly these jobs."""
        names = {job.name for job in jobs}
        receipt = self.operation().receipt
        assert {entry.name for entry in receipt.jobs.values()} == names
        assert set(self.loaded()) >= names
        for job in jobs:
            assert self.path(job.name).read_bytes() == job.data
            assert self.loaded()[job.name] == plistlib.loads(job.data)
            entry = receipt.jobs[job.label]
            assert (entry.digest, entry.pending) == (job.digest, "")
