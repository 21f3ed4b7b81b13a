"""The plist of a job: one ordered table of keys, written by plistlib.

A plist carries no mark of this tool: comments are read differently by different readers (python/cpython#95722), and a
key that launchd does not know is a warning in its log. What was generated is known by the hashes in jobs.lock.json.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from jobs.compile.naming import CATCHUP, catchup_label, program
from jobs.errors import ManifestError
from jobs.model.job import Job, Manifest, Project

DEFAULT_LANG = "en_US.UTF-8"
STOP_MARGIN_S = 10
"""launchd's KILL comes this much later than the wrapper's own, which leaves time for the record."""

OWNED_KEYS = frozenset(
    {
        "Disabled",
        "EnvironmentVariables",
        "ExitTimeOut",
        "KeepAlive",
        "Label",
        "Program",
        "ProgramArguments",
        "RunAtLoad",
        "StandardErrorPath",
        "StandardOutPath",
        "StartCalendarInterval",
        "StartInterval",
        "Umask",
        "WatchPaths",
        "WorkingDirectory",
    }
)
"""The keys that a job's `launchd` table must leave alone."""

# What XML cannot carry, and CR, which every reader turns into LF.
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")

Calendar = tuple[dict[str, int], ...]


def environment(project: Project, own: tuple[tuple[str, str], ...] = ()) -> dict[str, str]:
    """What a job finds in its environment. launchd sets no LANG, and text with accents then fails (maestral#480)."""
    return {
        "PATH": ":".join(project.path),
        "HOME": project.home,
        "USER": project.user,
        "LOGNAME": project.user,
        "LANG": DEFAULT_LANG,
    } | dict(own)


def job_plist(manifest: Manifest, job: Job, calendar: Calendar) -> bytes:
    """The plist of a job whose fires are `calendar`. Raises ManifestError for what no plist can hold."""
    kept = job.keep_alive
    return _write(
        manifest.project,
        job.label,
        program(manifest.project, job.name),
        job.log,
        own=job.env,
        starts={
            # An empty dictionary fires every minute; no dictionary at all is no schedule.
            "StartCalendarInterval": calendar[0] if len(calendar) == 1 else list(calendar) or None,
            "StartInterval": job.every_s,
            "WatchPaths": list(job.watch) or None,
            "RunAtLoad": job.at_load or None,
            "KeepAlive": None if kept is None else True if kept.conditions is None else dict(kept.conditions),
        },
        umask=job.umask,
        kill_after_s=job.kill_after_s,
        raw=job.launchd,
    )


def catchup_at_login(manifest: Manifest) -> bool:
    """Whether the catch-up job starts at login, too: where jobs want what was missed while the Mac was off."""
    return any("missed" in job.catchup.reasons for job in manifest.jobs if job.catchup)


def catchup_plist(manifest: Manifest, every_s: int) -> bytes:
    """The plist of the catch-up job."""
    project = manifest.project
    return _write(
        project,
        catchup_label(project),
        program(project, CATCHUP),
        f"{project.logs}/{CATCHUP}.log",
        starts={"StartInterval": every_s, "RunAtLoad": catchup_at_login(manifest) or None},
    )


def _write(
    project: Project,
    label: str,
    argument: str,
    log: str,
    *,
    starts: Mapping[str, Any],
    own: tuple[tuple[str, str], ...] = (),
    umask: int | None = None,
    kill_after_s: int = 20,
    raw: Mapping[str, Any] | None = None,
) -> bytes:
    """The table itself: keys in this order, those that are None left out, the user's own behind them by name."""
    import plistlib

    raw = raw or {}
    taken = sorted(OWNED_KEYS & raw.keys())
    if taken:
        raise ManifestError(
            f"{label}: the launchd table must not set {', '.join(taken)}: jobs writes that itself"
        )
    keys: dict[str, Any] = {
        "Label": label,
        "UserName": project.user if project.domain == "system" else None,
        "LimitLoadToSessionType": "Background" if project.domain == "user" else None,
        "ProgramArguments": [argument],
        "EnvironmentVariables": environment(project, own),
        **starts,
        "Umask": umask,
        "ExitTimeOut": kill_after_s + STOP_MARGIN_S,
        "StandardOutPath": log,
        "StandardErrorPath": log,
    }
    keys |= {key: raw[key] for key in sorted(raw)}
    keys = {key: value for key, value in keys.items() if value is not None}
    # The calendar holds hundreds of fixed keys with numbers, and no text of anybody's.
    for text in _texts({key: value for key, value in keys.items() if key != "StartCalendarInterval"}):
        if _UNWRITABLE.search(text):
            raise ManifestError(f"{label}: a plist cannot hold the control characters in {text!r}")
    return plistlib.dumps(keys, sort_keys=False)


def _texts(value: object) -> Iterator[str]:
    """Every string in a value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield key
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
