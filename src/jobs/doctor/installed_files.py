"""The installed plists and the wrappers: mode, owner, links, quarantine, volume."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path

from jobs.diagnostics import Severity
from jobs.doctor.check import Context, Finding, run_quietly, script_of

XATTR = "/usr/bin/xattr"


def check_installed_files(context: Context) -> Iterator[Finding]:
    """Findings on files that launchd would refuse or that macOS would not start."""
    for label, entry in sorted(context.receipt.jobs.items()):
        plist = Path(entry.path)
        yield from _plist(entry.name, plist)
        wrapper = context.site.output / "bin" / entry.name
        if context.manifest.job(entry.name) is not None:
            yield from _wrapper(entry.name, wrapper)
        script = next((script_of(context, job) for job in context.manifest.jobs if job.label == label), None)
        for path in (plist, wrapper, Path(script) if script else None):
            if path is not None and path.exists():
                yield from _quarantine(entry.name, path)


def _plist(name: str, path: Path) -> Iterator[Finding]:
    try:
        found = path.lstat()
    except OSError:
        yield Finding(
            "its plist is gone: it will not come back at the next login",
            str(path),
            "jobsctl install",
            job=name,
        )
        return
    if stat.S_ISLNK(found.st_mode):
        yield Finding(
            "its plist is a symlink: owner, mode and volume of the target count, and privacy rights too",
            f"{path} → {path.readlink()}",
            f"jobsctl install --force {name}",
            Severity.WARNING,
            name,
        )
        return
    if found.st_mode & 0o022:
        mode = f"{found.st_mode & 0o777:04o}"
        yield Finding(
            "others may write its plist: launchd refuses it (122)",
            f"{path} has mode {mode}",
            "jobsctl install",
            job=name,
        )
    if found.st_uid not in {0, os.getuid()}:
        yield Finding(
            "its plist belongs to somebody else: launchd refuses it (122)",
            f"{path} belongs to uid {found.st_uid}",
            f"sudo chown {os.getuid()} {shlex.quote(str(path))}",
            job=name,
        )


def _wrapper(name: str, path: Path) -> Iterator[Finding]:
    if not path.exists():
        yield Finding(
            "its wrapper is not there: launchd ends it with 78",
            str(path),
            "jobsctl build, and keep the folder where project.root and project.output say",
            job=name,
        )
    elif not os.access(path, os.X_OK):
        yield Finding(
            "its wrapper cannot be executed: launchd ends it with 78", str(path), f"chmod +x {path}", job=name
        )


def _quarantine(name: str, path: Path) -> Iterator[Finding]:
    if not Path(XATTR).exists():
        return
    status, text = run_quietly([XATTR, "-p", "com.apple.quarantine", str(path)])
    if status == 0:
        yield Finding(
            f"{path.name} is quarantined: it is not loaded or not started",
            f"com.apple.quarantine = {text.strip()}",
            f"xattr -d com.apple.quarantine {shlex.quote(str(path))}",
            job=name,
        )
