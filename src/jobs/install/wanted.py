"""What should be installed, as plain values: made from a compiled manifest or from a stored set. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from jobs.model.job import Job, Manifest

PLISTS = "launchd/"


@dataclass(frozen=True, slots=True)
class Wanted:
    """One job that should be installed; `data` is its plist."""

    label: str
    name: str
    data: bytes
    enabled: bool = True
    daemon: bool = False  # kept alive, without a schedule: always running, so nobody waits for its end
    schedule: str = ""  # changes when the slots change

    @property
    def digest(self) -> str:
        """SHA-256 of the plist."""
        return digest(self.data)


def digest(data: bytes) -> str:
    """SHA-256 in hex: the name of a content in receipts and stored sets."""
    return hashlib.sha256(data).hexdigest()


def wanted_jobs(manifest: Manifest, files: Mapping[str, bytes]) -> tuple[Wanted, ...]:
    """Every job of a compiled manifest, the catch-up job included, in the order of the labels."""
    jobs = {job.label: job for job in manifest.jobs}
    found = []
    for path in sorted(files):
        if path.startswith(PLISTS) and path.endswith(".plist"):
            label = path.removeprefix(PLISTS).removesuffix(".plist")
            found.append(_wanted(manifest, label, jobs.get(label), files[path]))
    return tuple(found)


def _wanted(manifest: Manifest, label: str, job: Job | None, data: bytes) -> Wanted:
    if job is None:
        # The catch-up job may run for hours, and goes on where it was stopped: nobody waits for its end.
        return Wanted(label, label.removeprefix(f"{manifest.project.prefix}."), data, daemon=True)
    return Wanted(
        label=label,
        name=job.name,
        data=data,
        enabled=job.enabled,
        daemon=job.keep_alive is not None and job.schedule is None and job.every_s is None,
        schedule=digest(repr((job.schedule, job.every_s)).encode())[:16],
    )


def exit_timeout_s(data: bytes | None) -> int:
    """The seconds between TERM and KILL that a plist asks for; launchd's own 5 where it asks for nothing."""
    value = plist_values(data).get("ExitTimeOut", 5)
    return value if isinstance(value, int) else 5


def runs_only_once(data: bytes) -> bool:
    """Whether launchd itself forgets the job after its first run."""
    return b"LaunchOnlyOnce" in data and plist_values(data).get("LaunchOnlyOnce") is True


def plist_values(data: bytes | None) -> Mapping[str, object]:
    """The keys of a plist; empty for what is none."""
    if data is None:
        return {}
    import plistlib
    from xml.parsers.expat import ExpatError

    try:
        values = plistlib.loads(data)
    except (ValueError, ExpatError, plistlib.InvalidFileException):
        return {}
    return values if isinstance(values, dict) else {}
