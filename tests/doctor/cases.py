"""A manifest, a machine and a context for the checks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from jobs.doctor.check import Context
from jobs.install.site import Site
from jobs.model.job import Argv, Job, Manifest, Project
from tests.install.world import DOMAIN, PREFIX, World

NOW = 1_796_085_002


def project(world: World, **changes: Any) -> Project:
    """The project of a test's home."""
    made = Project(
        name="p",
        prefix=PREFIX,
        root=str(world.home / "work"),
        home=str(world.home),
        user="kim",
        path=("/usr/bin", "/bin"),
        logs=str(world.home / "Library/Logs/p"),
        state=str(world.state),
        output="generated",
    )
    return replace(made, **changes)


def job(world: World, name: str = "a", *words: str, **changes: Any) -> Job:
    """A job that runs words."""
    made = Job(
        name=name,
        label=f"{PREFIX}.{name}",
        run=Argv(words or ("/bin/echo",)),
        log=str(world.home / "Library/Logs/p" / f"{name}.log"),
        cwd=str(world.home / "work"),
    )
    return replace(made, **changes)


def context(world: World, *jobs: Job, **changes: Any) -> Context:
    """The context of the checks: the double's launchd, no environment of the machine."""
    found = project(world)
    site = Site(
        "p", PREFIX, DOMAIN, world.folder, world.state, Path(found.logs), Path(found.root) / "generated"
    )
    made = Context(
        manifest=Manifest("jobs.toml", found, tuple(jobs)),
        site=site,
        receipt=world.operation().receipt,
        launchctl=world.launchctl,
        now=NOW,
        search_path="/usr/bin:/bin",
        environment={},
        agent_folders=(),
    )
    return replace(made, **changes)
