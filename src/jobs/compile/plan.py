"""Manifest → `{relative path: bytes}`. Pure: nothing of the machine that builds enters the output."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.compile.files import Generated, lock_bytes
from jobs.compile.naming import CATCHUP, LOCK_FILE, catchup_label, plist_path, wrapper_path
from jobs.compile.plist import catchup_plist, job_plist
from jobs.compile.wrapper import catchup_wrapper_text, library_files, wrapper_text
from jobs.errors import ManifestError
from jobs.model.job import Job, Manifest
from jobs.schedule.launchd import calendar_dictionaries, is_exact


def compile_manifest(manifest: Manifest) -> dict[str, bytes]:
    """All generated files, by path in the output folder, sorted. Raises ManifestError for what cannot be written."""
    project = manifest.project
    files = sorted(_generated(manifest), key=lambda file: file.path)
    _refuse_clashes(files)
    return {file.path: file.data for file in files} | {
        LOCK_FILE: lock_bytes(project.name, project.prefix, files)
    }


def compile_job(manifest: Manifest, job: Job) -> tuple[Generated, Generated]:
    """The plist and the wrapper of one job; the same bytes as in compile_manifest."""
    calendar = calendar_dictionaries(job.schedule) if job.schedule else ()
    exact = job.schedule is None or is_exact(job.schedule)
    plist = job_plist(manifest, job, calendar)
    try:
        text = wrapper_text(manifest, job, exact=exact).encode()
    except ValueError as error:
        raise ManifestError(f"{job.label}: its wrapper cannot be written: {error}") from error
    return (
        Generated(plist_path(job.label), plist, "plist", job.name, job.label, job.enabled),
        Generated(wrapper_path(job.name), text, "wrapper", job.name, job.label),
    )


def _generated(manifest: Manifest) -> Iterator[Generated]:
    for job in manifest.jobs:
        yield from compile_job(manifest, job)
    if manifest.catchup is not None and manifest.catchup.every_s is not None:
        label = catchup_label(manifest.project)
        plist = catchup_plist(manifest, manifest.catchup.every_s)
        text = catchup_wrapper_text(manifest).encode()
        yield Generated(plist_path(label), plist, "plist", CATCHUP, label)
        yield Generated(wrapper_path(CATCHUP), text, "wrapper", CATCHUP, label)
    for path, data in library_files().items():
        yield Generated(path, data, "library")


def _refuse_clashes(files: list[Generated]) -> None:
    """Raise ManifestError when two files would be one: the same name, or the same on a Mac's disk, where case is no difference."""
    seen: dict[str, Generated] = {}
    for file in files:
        other = seen.setdefault(file.path.casefold(), file)
        if other is file:
            continue
        if CATCHUP in {file.job, other.job}:
            raise ManifestError(f"a job cannot be called {file.job!r}: that is the name of the catch-up job")
        raise ManifestError(f"the jobs {other.job!r} and {file.job!r} would share the file {file.path}")
