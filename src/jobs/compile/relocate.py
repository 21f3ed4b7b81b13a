"""The same manifest for another machine: `jobs run --here`. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePosixPath

from jobs.model.job import Argv, Job, Manifest


def relocate(manifest: Manifest, *, root: str, home: str, user: str, private: str) -> Manifest:
    """The manifest with every path below its root and its home moved to `root` and `home`.

    Logs, state and generated files go to the folder `private` instead. Text inside a shell line stays as it is: what
    it means is the shell's business.
    """
    project = manifest.project
    moved_from = ((project.root, root), (project.home, home))

    def move(path: str) -> str:
        for old, new in moved_from:
            if path == old or path.startswith(old.rstrip("/") + "/"):
                return new + path.removeprefix(old.rstrip("/"))
        return path

    return replace(
        manifest,
        project=replace(
            project,
            root=root,
            home=home,
            user=user,
            path=tuple(move(folder) for folder in project.path),
            logs=f"{private}/logs",
            state=f"{private}/state",
            output=_relative(f"{private}/generated", root),
        ),
        jobs=tuple(_moved_job(job, move, f"{private}/logs") for job in manifest.jobs),
    )


def _moved_job(job: Job, move: Callable[[str], str], logs: str) -> Job:
    return replace(
        job,
        run=Argv((move(job.run.words[0]), *job.run.words[1:])) if isinstance(job.run, Argv) else job.run,
        cwd=move(job.cwd),
        env=tuple((key, ":".join(move(part) for part in value.split(":"))) for key, value in job.env),
        env_file=move(job.env_file) if job.env_file else None,
        log=f"{logs}/{PurePosixPath(job.log).name}",
        watch=tuple(move(path) for path in job.watch),
    )


def _relative(path: str, base: str) -> str:
    """`path` as seen from `base`; both absolute."""
    here, there = PurePosixPath(base).parts, PurePosixPath(path).parts
    same = next(
        (i for i, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there))
    )
    return "/".join([".."] * (len(here) - same) + list(there[same:]))
