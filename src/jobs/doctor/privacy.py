"""Paths that macOS guards (TCC) or that may not be mounted: Desktop, Documents, Downloads, iCloud, other volumes."""

from __future__ import annotations

import os
from collections.abc import Iterator

from jobs.diagnostics import Severity
from jobs.doctor.check import Context, Finding, script_of
from jobs.model.job import Argv, Job

GUARDED = ("Desktop", "Documents", "Downloads", "Library/Mobile Documents", "Library/CloudStorage")


def guarded_folder(path: str, home: str) -> str | None:
    """The guarded folder or the volume that a path lies in, links resolved, or None."""
    real = os.path.realpath(path)
    for candidate in {real, path}:
        for name in GUARDED:
            folder = f"{home}/{name}"
            if candidate == folder or candidate.startswith(f"{folder}/"):
                return folder
        parts = candidate.split("/")
        if len(parts) > 2 and parts[1] == "Volumes" and parts[2] not in {"", "Macintosh HD"}:
            return f"/Volumes/{parts[2]}"
    return None


def used_paths(context: Context, job: Job) -> Iterator[tuple[str, str]]:
    """What a job names: the manifest key, and an absolute path."""
    script = script_of(context, job)
    if script is not None:
        yield "run", script
    if isinstance(job.run, Argv):
        for word in job.run.words[1:]:
            if word.startswith("/"):
                yield "run", word
    yield "cwd", job.cwd
    yield "log", job.log
    if job.env_file is not None:
        yield "env_file", job.env_file
    for path in job.watch:
        yield "watch", path


def check_privacy(context: Context) -> Iterator[Finding]:
    """Findings on paths that a job may not be allowed to read, or that may be absent."""
    home = context.manifest.project.home.rstrip("/")
    for job in context.manifest.jobs:
        for key, path in used_paths(context, job):
            folder = guarded_folder(path, home)
            if folder is None:
                continue
            real = os.path.realpath(path)
            shown = path if real == path else f"{path} (really {real})"
            if folder.startswith("/Volumes/"):
                yield Finding(
                    f"{key} lies on the volume {folder}: it may not be mounted, and needs a privacy right",
                    shown,
                    "keep it on the disk of the home, or start only when the volume is there",
                    Severity.WARNING,
                    job.name,
                )
            else:
                yield Finding(
                    f"{key} lies in {folder}, which macOS guards: no prompt appears for a launchd job, reading just fails",
                    shown,
                    "move it out of there, or give Full Disk Access to /bin/sh, which launchd starts for this job",
                    Severity.WARNING,
                    job.name,
                )
