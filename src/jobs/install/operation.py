"""One operation on an installed project: the lock around it, what it reads, what it leaves in the state folder."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jobs.compile.quote import quote
from jobs.errors import MachineError
from jobs.install.action import Action, Plan
from jobs.install.actual import read_actual
from jobs.install.apply import Installer, Progress, Result
from jobs.install.launchd_steps import LaunchdSteps, Patience
from jobs.install.plan import Facts, make_plan, places, plan_removal
from jobs.install.receipt import Archive, Receipt
from jobs.install.site import Site
from jobs.install.wanted import Wanted
from jobs.system.clock import now
from jobs.system.files import make_folder, write_atomic
from jobs.system.launchctl import Launchctl


@dataclass(frozen=True, slots=True)
class Options:
    """What the user asked for beside the job names."""

    force: Collection[str] = ()
    now: bool = False
    all_or_nothing: bool = False


def no_progress(_number: int, _count: int, _name: str) -> None:
    """Nothing."""


@dataclass(slots=True)
class Operation:
    """A project with its receipt, ready to be planned and changed."""

    site: Site
    launchctl: Launchctl
    options: Options = field(default_factory=Options)
    patience: Patience = field(default_factory=Patience)
    progress: Progress = no_progress
    archive: Archive = field(init=False)
    receipt: Receipt = field(init=False)

    def __post_init__(self) -> None:
        self.archive = Archive(self.site.state)
        self.receipt = self.archive.receipt()

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """The operation alone on this project; the receipt is read again inside. Raises MachineError."""
        try:
            make_folder(self.site.state, 0o700)
            self.archive.make()
            handle = os.open(self.archive.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise MachineError(
                f"the state folder cannot be used: {error.filename}: {error.strerror}"
            ) from error
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise MachineError(
                    "another install of this project is under way; wait for its end"
                ) from error
            self.receipt = self.archive.receipt()
            yield
        finally:
            os.close(handle)

    def steps(self) -> LaunchdSteps:
        """The launchd steps with this operation's patience."""
        return LaunchdSteps(self.launchctl, self.patience)

    def _facts(self, wanted: Iterable[Wanted], names: Collection[str] | None = None) -> Facts:
        actual = read_actual(self.launchctl, places(self.site, self.receipt, wanted, names))
        return Facts(
            self.site, self.receipt, actual, self.archive.knows, self.options.force, self.options.now
        )

    def plan(self, wanted: Sequence[Wanted]) -> Plan:
        """What has to be done so that exactly `wanted` is installed."""
        return make_plan(wanted, self._facts(wanted))

    def plan_removal(self, names: Collection[str] | None) -> Plan:
        """What has to be done to remove these jobs, or all."""
        return plan_removal(names, self._facts((), names))

    def apply(self, plan: Plan) -> Result:
        """The result of carrying out a plan; call it under `locked`. Raises NoSessionError, MachineError."""
        installer = Installer(
            self.archive,
            self.receipt,
            self.steps(),
            self.progress,
            self.options.all_or_nothing,
            self._note_schedule,
        )
        return installer.apply(plan)

    def install(
        self, plan: Plan, wanted: Sequence[Wanted], files: Mapping[str, bytes], folders: Iterable[Path]
    ) -> Result:
        """The result of an install: folders and the stored set first, then the jobs. Call it under `locked`."""
        try:
            for folder in folders:
                make_folder(folder, 0o755)
                if not os.access(folder, os.W_OK | os.X_OK):
                    raise MachineError(
                        f"the log folder {folder} cannot be written by you: launchd would end every job there with 78 "
                        "before it starts"
                    )
            number = self.archive.store_set(files, tuple(wanted), now())
            write_tool(self.site.state)
        except OSError as error:
            raise MachineError(f"{error.filename}: {error.strerror}") from error
        self.receipt.number = number
        self.receipt.site = self.site
        return self.apply(plan)

    def _note_schedule(self, action: Action) -> None:
        """Write `since/JOB` when a job is new or its slots are others: earlier slots do not count as missed."""
        old = action.entry.schedule if action.entry is not None and action.entry.digest else None
        if action.after is not None and old != action.after.schedule:
            write_since(self.site.state, action.name)


def write_since(state: Path, name: str) -> None:
    """Let the slots of a job count from now. Raises OSError."""
    make_folder(state / "since", 0o700)
    write_atomic(state / "since" / name, f"{now()}\n".encode(), 0o600, sync=False)


def write_tool(state: Path) -> None:
    """Note which program answers the wrappers' `guard judge`, if it is another one than before. Raises OSError."""
    program = own_program() or _shim(state)
    path = state / "tool"
    text = f"{program}\n".encode()
    if not path.is_file() or path.read_bytes() != text:
        write_atomic(path, text, 0o600)


def _shim(state: Path) -> str:
    """A program in the state folder that runs this very package by this Python, where no `jobsctl` is installed."""
    path = state / "jobsctl"
    package = quote(str(Path(__file__).resolve().parents[2]))
    text = f'#!/bin/sh\nexec /usr/bin/env PYTHONPATH={package} {quote(sys.executable)} -m jobs "$@"\n'
    write_atomic(path, text.encode(), 0o700)
    return str(path.absolute())


def own_program() -> str | None:
    """The absolute path of `jobsctl`: the called one, the one beside this Python, the one on PATH, or None."""
    called = Path(sys.argv[0])
    candidates = [called.with_name("jobsctl"), Path(sys.executable).with_name("jobsctl")]
    for path in candidates:
        if path.is_file() and os.access(path, os.X_OK):
            return str(path.absolute())
    return shutil.which("jobsctl")
