"""The manifest as frozen records. Everything is decided here: paths are absolute, defaults are filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from jobs.schedule.rule import Schedule
from jobs.text import Place

Domain = Literal["gui", "user", "system"]
Period = Literal["slot", "hour", "day", "week", "month"]
LockMethod = Literal["mkdir", "flock"]
CatchupReason = Literal["guard", "missed", "busy", "failed"]
Window = Literal["today"] | int  # an int counts seconds


@dataclass(frozen=True, slots=True)
class Project:
    """The `[project]` table. All paths are absolute, on the Mac that runs the jobs."""

    name: str
    prefix: str  # label of a job = prefix.NAME
    root: str
    home: str
    user: str
    path: tuple[str, ...]
    logs: str  # folder
    state: str  # folder
    output: str  # folder of the generated files, relative to root
    domain: Domain = "gui"

    @property
    def output_dir(self) -> str:
        """The folder of the generated files on the Mac that runs the jobs."""
        return f"{self.root.rstrip('/')}/{self.output}"


@dataclass(frozen=True, slots=True)
class Guard:
    """A breaker: one account of one provider, shared by all jobs that name it."""

    name: str
    tool: str | None = None  # a built-in detector
    patterns: tuple[str, ...] = ()  # regular expressions of the user's own
    cooldown_s: int = 900  # first step of the back-off when the tool names no reset time
    probe: tuple[str, ...] | None = None  # None: the first waiting job is the canary


@dataclass(frozen=True, slots=True)
class CatchupSettings:
    """The `[catchup]` table."""

    every_s: int | None = 900  # None: no launchd job of its own
    window: Window = "today"
    timeout_s: int = 2700
    pause_s: int = 10  # between two runs


@dataclass(frozen=True, slots=True)
class Lock:
    """One holder per name."""

    name: str
    wait_s: int = 0
    method: LockMethod = "mkdir"


@dataclass(frozen=True, slots=True)
class Once:
    """At most one run per period."""

    per: Period
    mark: Literal["start", "success"] = "start"


@dataclass(frozen=True, slots=True)
class JobCatchup:
    """What of a job is made up, and how late."""

    reasons: tuple[CatchupReason, ...]
    window: Window


@dataclass(frozen=True, slots=True)
class Notify:
    """Who is told. Each event holds an argv or a URL to be requested, or nothing."""

    start: tuple[str, ...] | str | None = None
    success: tuple[str, ...] | str | None = None
    failure: tuple[str, ...] | str | None = None
    recovery: tuple[str, ...] | str | None = None


@dataclass(frozen=True, slots=True)
class Argv:
    """A command as words; no shell in between. A relative path in word 0 is already under root."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShellLine:
    """A line for `/bin/sh -c`."""

    text: str


@dataclass(frozen=True, slots=True)
class KeepAlive:
    """launchd's KeepAlive: plain, or with its conditions."""

    conditions: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """One `[jobs.NAME]` table, with `[defaults]` and `[env]` merged in."""

    name: str
    label: str
    run: Argv | ShellLine
    log: str  # file
    cwd: str
    env: tuple[
        tuple[str, str], ...
    ] = ()  # without PATH, HOME, USER, LOGNAME unless the manifest sets them; LANG is always in
    about: str = ""
    env_file: str | None = None
    umask: int | None = None
    schedule: Schedule | None = None  # from `at` or `cron`
    every_s: int | None = None
    watch: tuple[str, ...] = ()
    at_load: bool = False
    keep_alive: KeepAlive | None = None
    deadline_s: int | None = None
    guards: tuple[str, ...] = ()
    unguarded_reason: str | None = None  # `guard = false` written in the manifest: "" without a reason
    lock: Lock | None = None
    once: Once | None = None
    timeout_s: int | None = None
    kill_after_s: int = 20
    catchup: JobCatchup | None = None
    log_max: int = 10_000_000  # bytes
    log_keep: int = 5
    notify: Notify = field(default_factory=Notify)
    enabled: bool = True
    launchd: Mapping[str, Any] = field(default_factory=dict)  # raw keys, checked against the key table
    schedule_text: str = ""  # `at`/`cron`/`every` as written, for people
    place: Place | None = None  # of the table's header
    places: Mapping[str, Place] = field(default_factory=dict)  # of each key's value, for lint


@dataclass(frozen=True, slots=True)
class LintSettings:
    """The `[lint]` table."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: Literal["info", "warning", "error"] = "warning"


@dataclass(frozen=True, slots=True)
class Manifest:
    """A whole manifest. `jobs` keeps the order of the file."""

    path: str
    project: Project
    jobs: tuple[Job, ...]
    guards: tuple[Guard, ...] = ()
    catchup: CatchupSettings | None = None
    lint: LintSettings = field(default_factory=LintSettings)

    def job(self, name: str) -> Job | None:
        """The job of that name, or None."""
        return next((job for job in self.jobs if job.name == name), None)

    def guard(self, name: str) -> Guard | None:
        """The guard of that name, or None."""
        return next((guard for guard in self.guards if guard.name == name), None)
