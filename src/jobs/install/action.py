"""The actions of an install: what is done about each job, and the launchctl lines of it. Pure values."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from jobs.install.actual import Actual
from jobs.install.differences import Difference
from jobs.install.receipt import Entry


class Kind(StrEnum):
    """What is done about one job."""

    ADD = "add"  # new here
    CHANGE = "change"  # another plist
    LOAD = "load"  # the file is right, launchd does not have the job
    RELOAD = "reload"  # the file is right, launchd has something else under the label
    ENABLE = "enable"  # loaded, but an override would keep it out at the next login
    REWRITE = "rewrite"  # only the file: its mode or owner, or a job that stays switched off
    UNLOAD = "unload"  # it stays installed, but is switched off
    REMOVE = "remove"
    KEEP = "keep"  # nothing to do
    LEAVE = "leave"  # not ours to touch


@dataclass(frozen=True, slots=True)
class Action:
    """One job's part of the plan. `data` is the file afterwards; None: no file."""

    kind: Kind
    label: str
    name: str
    domain: str
    path: Path
    reason: str
    was: Actual
    data: bytes | None = None
    write: bool = False
    enable: bool = False
    unload: bool = False
    load: bool = False
    patient: bool = False  # should the job run, its end is waited for
    waits: bool = False  # it runs now, and is patient
    once: bool = False  # launchd forgets the job by itself after its run
    exit_timeout_s: int = 5
    differences: tuple[Difference, ...] = ()
    entry: Entry | None = None  # of the receipt, before
    after: Entry | None = None  # of the receipt, when all went well; None: none

    @property
    def target(self) -> str:
        """Launchd's name of the job."""
        return f"{self.domain}/{self.label}"

    @property
    def changes(self) -> bool:
        """Whether anything is done at all, the receipt aside."""
        return self.write or self.enable or self.unload or self.load

    def commands(self) -> tuple[str, ...]:
        """The launchctl lines, in order, as a shell takes them."""
        words = []
        if self.enable:
            words.append(["launchctl", "enable", self.target])
        if self.unload:
            words.append(["launchctl", "bootout", self.target])
        if self.load:
            words.append(["launchctl", "bootstrap", self.domain, str(self.path)])
        return tuple(shlex.join(line) for line in words)


@dataclass(frozen=True, slots=True)
class Plan:
    """All actions, in the order in which they are done."""

    actions: tuple[Action, ...] = field(default=())

    @property
    def changes(self) -> bool:
        """Whether anything is to be done."""
        return any(action.changes for action in self.actions)

    @property
    def left(self) -> tuple[Action, ...]:
        """What is not touched because it is not ours."""
        return tuple(action for action in self.actions if action.kind is Kind.LEAVE)
