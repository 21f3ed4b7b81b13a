"""Manifest records for tests of what comes after the loader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from jobs.model.job import Argv, CatchupSettings, Guard, Job, Lock, Manifest, Once, Project
from jobs.schedule.rule import Rule, Schedule

PROJECT = Project(
    name="one-ceo",
    prefix="com.example",
    root="/Users/kim/work/one-ceo",
    home="/Users/kim",
    user="kim",
    path=("/opt/homebrew/bin", "/usr/bin", "/bin"),
    logs="/Users/kim/Library/Logs/one-ceo",
    state="/Users/kim/Library/Application Support/one-ceo",
    output="generated",
)
DAILY = Schedule((Rule((30,), (9,)),))


def job(name: str = "note-post", **keys: Any) -> Job:
    """A job that runs every day at 09:30 unless `keys` say otherwise."""
    keys.setdefault("run", Argv(("/Users/kim/work/one-ceo/scripts/a.sh",)))
    keys.setdefault("lock", Lock(name))
    if not {"schedule", "every_s", "watch", "at_load", "keep_alive"} & keys.keys():
        keys["schedule"] = DAILY
    keys["env"] = (("LANG", "en_US.UTF-8"), *keys.get("env", ()))
    return Job(
        name=name, label=f"com.example.{name}", log=f"{PROJECT.logs}/{name}.log", cwd=PROJECT.root, **keys
    )


def manifest(*jobs: Job, catchup: CatchupSettings | None = None, **project: Any) -> Manifest:
    """A manifest of these jobs; `project` replaces fields of PROJECT."""
    return Manifest(
        path="jobs.toml",
        project=replace(PROJECT, **project),
        jobs=jobs or (job(),),
        guards=(Guard("claude", tool="claude"),),
        catchup=catchup,
    )


def many(count: int) -> Manifest:
    """A manifest of so many jobs, of five kinds in turn."""
    kinds: tuple[Mapping[str, Any], ...] = (
        {"schedule": DAILY, "guards": ("claude",), "once": Once("day"), "timeout_s": 2700},
        {"schedule": Schedule((Rule((0, 15, 30, 45), tuple(range(9, 18)), weekdays=(1, 2, 3, 4, 5)),))},
        {"every_s": 1800, "guards": ("claude",)},
        {"schedule": Schedule((Rule((0,), (20,), days=(0,)),)), "about": "Close the books"},
        {"watch": ("/Users/kim/Dropbox/in",), "launchd": {"Nice": 10}},
    )
    return manifest(
        *(job(f"job-{i}", **kinds[i % len(kinds)]) for i in range(count)),
        catchup=CatchupSettings(every_s=900),
    )
