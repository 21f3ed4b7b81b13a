"""The exceptions of the program and its exit statuses.

A user's mistake in a file is a `Diagnostic`, not an exception. Exceptions are for what stops a command::

    JobsError                 one line for the user, with an exit status
    ├── UsageError            the command line asks for something that is not there          (2)
    ├── ManifestError         the manifest cannot be used; carries its diagnostics           (2)
    └── MachineError          the machine said no: a file, a process, launchctl              (1)
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobs.diagnostics import Diagnostic


class Exit(IntEnum):
    """The exit statuses of every command."""

    OK = 0
    FINDINGS = 1  # findings, drift, a stale build, a job that failed to install
    USAGE = 2  # bad command line, bad or missing manifest
    INTERRUPTED = 130  # ^C


class JobsError(Exception):
    """An expected stop: its text is one line for the user."""

    status: int = Exit.FINDINGS


class UsageError(JobsError):
    """The command line cannot be carried out as it stands."""

    status = Exit.USAGE


class MachineError(JobsError):
    """The machine refused: a file that cannot be written, a program that is missing."""

    status = Exit.FINDINGS


class ManifestError(JobsError):
    """The manifest has errors; `diagnostics` holds every one of them."""

    status = Exit.USAGE

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)
