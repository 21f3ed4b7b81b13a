"""What `status` needs of a manifest, kept from one call to the next: reading and compiling 1,000 jobs takes seconds.

A snapshot counts only for the very bytes of the manifest and for this version of the program. It is a cache: it may
be deleted at any time, and what it lacks is worked out anew.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from jobs import __version__
from jobs.install.wanted import digest
from jobs.model.job import Argv, CatchupSettings, Job, JobCatchup, Lock, Manifest, Project
from jobs.schedule.rule import Rule, Schedule
from jobs.system.files import make_folder, write_atomic

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Known:
    """A manifest as far as `status` looks at it, and label → digest of the plist that it gives."""

    manifest: Manifest
    wanted: Mapping[str, str]


def place(manifest: Path, home: str) -> Path:
    """Where the snapshot of a manifest lies."""
    name = digest(str(manifest.absolute()).encode())[:32]
    return Path(home) / "Library" / "Caches" / "launchd-jobs" / f"{name}.json"


def save(path: Path, text: bytes, manifest: Manifest, wanted: Mapping[str, str]) -> None:
    """Keep a snapshot of a manifest whose file holds `text`. A cache that cannot be written is no error."""
    value = {
        "format": FORMAT,
        "version": __version__,
        "manifest": digest(text),
        "path": manifest.path,
        "project": asdict(manifest.project),
        "catchup_every_s": manifest.catchup.every_s if manifest.catchup is not None else None,
        "wanted": dict(wanted),
        "jobs": [_row(job) for job in manifest.jobs],
    }
    with contextlib.suppress(OSError):
        make_folder(path.parent, 0o700)
        write_atomic(path, json.dumps(value, separators=(",", ":")).encode(), 0o600, sync=False)


def load(path: Path, text: bytes) -> Known | None:
    """The snapshot for a manifest whose file holds `text`, or None."""
    try:
        found = json.loads(path.read_bytes())
        if (found["format"], found["version"], found["manifest"]) != (FORMAT, __version__, digest(text)):
            return None
        project = Project(**{**found["project"], "path": tuple(found["project"]["path"])})
        jobs = tuple(_job(row) for row in found["jobs"])
        every = found["catchup_every_s"]
        catchup = CatchupSettings(every_s=every) if every is not None else None
        return Known(Manifest(found["path"], project, jobs, catchup=catchup), found["wanted"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _row(job: Job) -> dict[str, Any]:
    schedule = job.schedule
    row: dict[str, Any] = {"name": job.name, "label": job.label, "log": job.log}
    if schedule is not None:
        row["rules"] = [
            (rule.minutes, rule.hours, rule.days, rule.months, rule.weekdays, rule.either)
            for rule in schedule.rules
        ]
        row["zone"] = schedule.zone
    optional = {
        "every_s": job.every_s,
        "guards": job.guards,
        "lock": job.lock.name if job.lock is not None else None,
        "off": not job.enabled,
        "made_up": job.catchup is not None,
        "once": bool(job.launchd.get("LaunchOnlyOnce")),
    }
    return row | {key: value for key, value in optional.items() if value}


def _job(row: Mapping[str, Any]) -> Job:
    rules = row.get("rules")
    schedule = None
    if rules is not None:
        made = tuple(
            Rule(tuple(m), tuple(h), tuple(d), tuple(mo), tuple(w), either)
            for m, h, d, mo, w, either in rules
        )
        schedule = Schedule(made, row["zone"])
    return Job(
        name=row["name"],
        label=row["label"],
        run=Argv(()),
        log=row["log"],
        cwd="/",
        schedule=schedule,
        every_s=row.get("every_s"),
        guards=tuple(row.get("guards", ())),
        lock=Lock(row["lock"]) if "lock" in row else None,
        enabled=not row.get("off", False),
        catchup=JobCatchup((), "today") if row.get("made_up") else None,
        launchd={"LaunchOnlyOnce": True} if row.get("once") else {},
    )
