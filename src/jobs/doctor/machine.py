"""The machine: clock, disk, state folder, log folders."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from jobs.diagnostics import Severity
from jobs.doctor.check import Context, Finding
from jobs.doctor.privacy import guarded_folder
from jobs.runtime.records import newest_first

LOW_BYTES, WARN_BYTES = 50_000_000, 500_000_000
LOW_FILES = 1000
EMPTIED = ("/tmp/", "/private/tmp/", "/private/var/tmp/", "/var/tmp/")  # noqa: S108 - looked at, not used
FUTURE_S = 120
PLAUSIBLE_EPOCH = 1_704_067_200  # 2024-01-01: a clock before that is wrong


def check_clock(context: Context) -> Iterator[Finding]:
    """Findings on a clock that cannot be right, or that was set back."""
    if context.now < PLAUSIBLE_EPOCH:
        yield Finding(
            "the clock is years behind", f"epoch {context.now}", "set the clock: sudo sntp -sS time.apple.com"
        )
        return
    for job in context.manifest.jobs:
        newest = next(newest_first(context.site.state / "runs" / f"{job.name}.jsonl"), None)
        if newest is not None and newest.epoch > context.now + FUTURE_S:
            yield Finding(
                "its newest record is from the future: the clock was set back",
                f"{newest.time or newest.epoch}, {newest.epoch - context.now} s ahead",
                "check the clock; slots of that time count as handled",
                Severity.WARNING,
                job.name,
            )


def check_disk(context: Context) -> Iterator[Finding]:
    """Findings on a disk that is full or nearly so."""
    seen = set()
    for folder in (context.site.state, context.site.logs, context.site.folder):
        there = next((path for path in (folder, *folder.parents) if path.exists()), Path("/"))
        device = there.stat().st_dev
        if device in seen:
            continue
        seen.add(device)
        found = os.statvfs(there)
        free, files = found.f_bavail * found.f_frsize, found.f_favail
        if free < WARN_BYTES or (found.f_files and files < LOW_FILES):
            yield Finding(
                "the disk is full" if free < LOW_BYTES else "the disk is nearly full",
                f"{free // 1_000_000} MB and {files} files free at {there}",
                "free some space: without it no record, no claim and no log can be written",
                Severity.ERROR if free < LOW_BYTES else Severity.WARNING,
            )


def check_state(context: Context) -> Iterator[Finding]:
    """Findings on the state folder: absent, not ours, open to others, not writable, in a place that is emptied or synced."""
    state = context.site.state
    text = str(state)
    if os.path.realpath(state).startswith(EMPTIED) and not _lives_in(state, context.home):
        yield Finding(
            "the state folder lies where macOS deletes files",
            text,
            "set project.state to a folder under ~/Library",
        )
    synced = guarded_folder(text, context.manifest.project.home.rstrip("/"))
    if synced is not None:
        yield Finding(
            "the state folder is in a guarded or synced folder",
            f"{text} in {synced}",
            "set project.state to a folder under ~/Library",
        )
    try:
        found = state.lstat()
    except OSError:
        if context.receipt.jobs:
            yield Finding("the state folder is not there", text, "jobsctl install")
        return
    if not stat.S_ISDIR(found.st_mode):
        yield Finding(
            "the state folder is no folder of its own", text, "move it away; jobsctl install makes it"
        )
        return
    if found.st_uid != os.getuid():
        yield Finding(
            "the state folder belongs to somebody else",
            f"uid {found.st_uid}",
            f"sudo chown -R {os.getuid()} '{text}'",
        )
    elif found.st_mode & 0o077:
        yield Finding(
            "others may look into the state folder",
            f"mode {found.st_mode & 0o777:04o}",
            f"chmod 700 '{text}'",
            Severity.WARNING,
        )
    yield from _writable(state, "the state folder")


def _lives_in(path: Path, folder: Path) -> bool:
    """Whether a path lies in a folder, links resolved: with a home in /tmp there is no better place."""
    return os.path.realpath(path).startswith(os.path.realpath(folder) + "/")


def check_logs(context: Context) -> Iterator[Finding]:
    """Findings on log folders: a job whose log cannot be opened ends with 78 before it starts."""
    folders: dict[Path, str] = {}
    for job in context.manifest.jobs:
        folders.setdefault(Path(job.log).parent, job.name)
    for folder, name in folders.items():
        if not folder.is_dir():
            yield Finding(
                "the folder of its log is not there: launchd may end it with 78",
                str(folder),
                "jobsctl install makes it",
                Severity.WARNING,
                name,
            )
        else:
            for finding in _writable(folder, "the folder of its log"):
                yield Finding(finding.message, finding.evidence, finding.fix, finding.severity, name)


def _writable(folder: Path, what: str) -> Iterator[Finding]:
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        yield Finding(
            f"{what} cannot be written", f"{folder}: {error.strerror}", f"make {folder} yours and writable"
        )
