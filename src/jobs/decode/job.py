"""The `[jobs.NAME]` tables, with `[defaults]` and `[env]` merged in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jobs.decode.launchd import decode_launchd
from jobs.decode.node import Node, nearest
from jobs.decode.schedule import decode_schedule
from jobs.decode.values import Paths, duration, no_nul, printable, size, window
from jobs.model.fields import NAME, RESERVED_JOB, TOOLS
from jobs.model.job import (
    Argv,
    Guard,
    Job,
    JobCatchup,
    KeepAlive,
    Lock,
    Notify,
    Once,
    Project,
    ShellLine,
    Window,
)
from jobs.schedule.rule import Schedule
from jobs.text import Place

CALENDARS = ("at", "cron")
SCHEDULES = (*CALENDARS, "every")
TRIGGERS = (*SCHEDULES, "watch", "at_load", "keep_alive")
LONGEST_LABEL = 200
SHELL_OWNED = frozenset({"UID", "EUID", "PPID", "SHELLOPTS", "BASHOPTS", "BASH_VERSINFO", "GROUPS", "_"})
"""Variables that some shell keeps read-only: the wrapper could not set them."""


@dataclass(frozen=True, slots=True)
class Context:
    """What all jobs are decoded with."""

    top: Node
    project: Project
    paths: Paths
    guards: tuple[Guard, ...]
    window: Window
    defaults: Node | None


@dataclass(frozen=True, slots=True)
class JobTable:
    """A job's table over the defaults: for every key the table that decides."""

    own: Node
    defaults: Node | None

    def of(self, key: str) -> Node:
        """The table that decides on a key. A schedule of the job's own hides every schedule of the defaults."""
        if key in self.own.data or self.defaults is None or key not in self.defaults.data:
            return self.own
        if key in TRIGGERS and any(other in self.own.data for other in TRIGGERS):
            return self.own
        return self.defaults

    def get(self, key: str) -> Any:
        """The value, or None when it is absent or spoilt."""
        return self.of(key).get(key)

    def has(self, key: str) -> bool:
        """Whether the key is written, rightly or not."""
        return key in self.of(key).data


def decode_jobs(
    top: Node, project: Project, paths: Paths, guards: tuple[Guard, ...], catchup_window: Window
) -> tuple[Job, ...]:
    """The jobs in the order of the file."""
    tables = top.child("jobs")
    context = Context(top, project, paths, guards, catchup_window, top.child("defaults"))
    jobs: list[Job] = []
    seen: dict[str, str] = {}
    for name in tables or ():
        node = tables.child(name) if tables else None
        if node is None:
            continue
        if not _name_is_good(node, name, seen, project):
            continue
        jobs.append(_decode_job(name, JobTable(node, context.defaults), context))
    if tables is None and "jobs" not in top.data:
        top.problems.report(
            ("jobs",),
            "M005",
            "the manifest has no jobs",
            "add one: `jobsctl add NAME --run PROGRAM --at 09:30`",
        )
    _check_shared_logs(jobs, top)
    return tuple(jobs)


def _name_is_good(node: Node, name: str, seen: dict[str, str], project: Project) -> bool:
    report, path = node.problems.report, node.path
    if not printable(name) or "\0" in name:
        report(
            path,
            "M008",
            "the job's name holds a control character, which a label cannot carry",
            "use letters, digits, ., - and _",
        )
    elif not re.fullmatch(NAME, name):
        report(
            path,
            "M004",
            f'"{name}" cannot be the name of a job',
            "use letters, digits, ., - and _, and begin with a letter or digit",
        )
    elif name.lower() == RESERVED_JOB:
        report(
            path,
            "M004",
            f'"{name}" is the name of the tool\'s own job, which makes up skipped slots',
            "choose another name",
        )
    elif name.lower() in seen:
        report(
            path,
            "M006",
            f'"{name}" and "{seen[name.lower()]}" differ only in case, but become files of one folder',
            "rename one of them",
        )
    elif len(f"{project.prefix}.{name}") > LONGEST_LABEL:
        report(
            path,
            "M004",
            f"the label {project.prefix}.{name[:20]}… is over {LONGEST_LABEL} characters long",
            "choose a shorter name",
        )
    else:
        seen[name.lower()] = name
        return True
    return False


def _decode_job(name: str, table: JobTable, context: Context) -> Job:
    project, paths = context.project, context.paths
    schedule = decode_schedule(table)
    every = duration(table.of("every"), "every")
    _check_triggers(table)
    guards, reason = _guards(table, context)
    lock = _lock(table, name)
    once = _once(table, lock, schedule)
    deadline = duration(table.of("deadline"), "deadline")
    if deadline is not None and schedule is None and not any(table.has(key) for key in CALENDARS):
        table.of("deadline").report(
            "deadline",
            "M006",
            "`deadline` needs calendar slots, and this job has none",
            "remove it, or give the job `at` or `cron`",
        )
    umask = table.get("umask")
    log_keep = table.get("log_keep")
    kill_after = duration(table.of("kill_after"), "kill_after")
    return Job(
        name=name,
        label=f"{project.prefix}.{name}",
        run=_run(table, paths),
        log=_path(table, "log", paths) or f"{project.logs}/{name}.log",
        cwd=_path(table, "cwd", paths) or project.root,
        env=_environment(table, context),
        about=table.get("about") or "",
        env_file=_path(table, "env_file", paths),
        umask=int(umask, 8) if isinstance(umask, str) else None,
        schedule=schedule,
        every_s=every,
        watch=paths.read_all(table.of("watch"), "watch"),
        at_load=table.get("at_load") is True,
        keep_alive=_keep_alive(table),
        deadline_s=deadline,
        guards=guards,
        unguarded_reason=reason,
        lock=lock,
        once=once,
        timeout_s=duration(table.of("timeout"), "timeout"),
        kill_after_s=20 if kill_after is None else kill_after,
        catchup=_catchup(table, guards, schedule, context.window),
        log_max=size(table.of("log_max"), "log_max") or 10_000_000,
        log_keep=5 if log_keep is None else log_keep,
        notify=_notify(table, paths),
        enabled=table.get("enabled") is not False,
        launchd=decode_launchd(table.own, table.defaults),
        schedule_text=_schedule_text(table),
        place=table.own.place(),
        places=_places(table),
    )


def _run(table: JobTable, paths: Paths) -> Argv | ShellLine:
    node, value = table.of("run"), table.get("run")
    if isinstance(value, str):
        no_nul(node, "run", value)
        if not value.strip():
            node.report("run", "M004", "`run` is blank", 'write what to run: run = ["bin/report"]')
        return ShellLine(value)
    if not isinstance(value, list):
        return Argv(("true",))  # reported already; the job is not used
    program = value[0]
    for word in value:
        if not no_nul(node, "run", word):
            return Argv(("true",))
    if not program:
        node.report("run", "M004", "the program in `run` is empty", 'write what to run: run = ["bin/report"]')
    elif "/" not in program and program.startswith("-"):
        node.report(
            "run",
            "M004",
            f'the program "{program}" begins with a dash, which no shell looks up',
            f'write its path: run = ["./{program}"]',
        )
    elif "/" not in program and " " in program.strip() and len(value) == 1:
        words = ", ".join(f'"{word}"' for word in program.split())
        node.report(
            "run",
            "M004",
            f'"{program}" is a whole command line in one word',
            f"write one word an entry: run = [{words}], or without the brackets for a shell",
        )
    elif "/" in program or program.startswith("~"):
        fault = paths.fault(program)
        if fault:
            node.report("run", "M004", f'the program "{program}": {fault[0]}', fault[1])
            return Argv(tuple(value))
        program = paths.expand(program)
    return Argv((program, *value[1:]))


def _path(table: JobTable, key: str, paths: Paths) -> str | None:
    node = table.of(key)
    text = paths.read(node, key)
    if text is not None and not no_nul(node, key, node.data[key]):
        return None
    return text


def _environment(table: JobTable, context: Context) -> tuple[tuple[str, str], ...]:
    """Variables by name: those of [env], then of [defaults], then the job's own. LANG is always among them.

    launchd sets no LANG, so programs would run in the C locale and stumble over every letter that is not ASCII.
    """
    merged = {"LANG": "en_US.UTF-8"}
    nodes = (
        context.top.child("env"),
        context.defaults.child("env") if context.defaults else None,
        table.own.child("env"),
    )
    for node in nodes:
        for key in node or ():
            value = node.get(key) if node else None
            if node is not None and isinstance(value, str) and _variable_is_good(node, key, value):
                merged[key] = value
    return tuple(sorted(merged.items()))


def _variable_is_good(node: Node, key: str, value: str) -> bool:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", key):
        node.report(key, "M004", f'"{key}" cannot be the name of a variable', "use letters, digits and _")
    elif key == "PATH":
        node.report(key, "M004", "PATH is set by `path` in [project]", "add the folders there")
    elif key in SHELL_OWNED:
        node.report(
            key, "M004", f"{key} is a variable that the shell keeps for itself", "choose another name"
        )
    elif key.startswith("JOBS_"):
        node.report(
            key,
            "M004",
            f"{key} is set by the wrapper, like all names that begin with JOBS_",
            "choose another name",
        )
    elif no_nul(node, key, value):
        return True
    return False


def _check_triggers(table: JobTable) -> None:
    """Which ways to start a job go together. Each mistake is told once, at the key that should go."""
    written = [key for key in TRIGGERS if table.has(key)]
    if not written:
        table.own.problems.report(
            table.own.path, "M005", "nothing ever starts this job", 'add a schedule, such as at = "09:30" or every = "30m"'
        )  # fmt: skip
        return
    if table.get("at_load") is False and written == ["at_load"]:
        table.of("at_load").report(
            "at_load",
            "M005",
            "nothing ever starts this job",
            'write at_load = true, or add a schedule, such as at = "09:30"',
        )
    schedules = [key for key in SCHEDULES if key in written]
    for key in schedules[1:]:
        table.of(key).report(
            key, "M006", f"`{key}` beside `{schedules[0]}`: launchd would run both, independently of each other",
            "keep one of them, or make two jobs that share a lock",
        )  # fmt: skip
    if schedules and table.get("keep_alive"):
        table.of("keep_alive").report(
            "keep_alive", "M006", f"`keep_alive` beside `{schedules[0]}`: a job on a schedule must not be kept alive, launchd would start it again every ten seconds",
            "remove keep_alive",
        )  # fmt: skip
    if table.has("timezone") and not any(key in written for key in CALENDARS):
        table.of("timezone").report(
            "timezone",
            "M006",
            "`timezone` needs calendar times, and this job has none",
            "remove it, or give the job `at` or `cron`",
        )


def _guards(table: JobTable, context: Context) -> tuple[tuple[str, ...], str | None]:
    """The guards, and for `guard = false` the reason in the comment behind it ("" without one)."""
    node, value = table.of("guard"), table.get("guard")
    if value is False:
        source = node.problems.file.source
        comment = re.search(r"#\s*(.*?)\s*$", source.line(node.place("guard").line))
        return (), comment[1] if comment else ""
    names = [value] if isinstance(value, str) else list(value or ())
    known = [guard.name for guard in context.guards]
    for name in names:
        if name in known or name in TOOLS:
            continue
        near = nearest(name, [*known, *TOOLS])
        listed = ", ".join(known) or "none"
        todo = f'write "{near}"' if near else f"add a table [guards.{name}]"
        node.report("guard", "M007", f'there is no guard "{name}" (the manifest has: {listed})', todo)
        return (), None
    return tuple(dict.fromkeys(names)), None


def _lock(table: JobTable, name: str) -> Lock | None:
    node, value = table.of("lock"), table.get("lock")
    own = re.sub(r"[^A-Za-z0-9_-]", "_", name)
    if value is False:
        return None
    if isinstance(value, str):
        return Lock(value)
    inner = node.child("lock") if isinstance(value, Mapping) else None
    if inner is None:
        return Lock(own)
    wait = duration(inner, "wait", zero=True)
    return Lock(inner.get("name") or own, wait or 0, inner.get("method") or "mkdir")


def _once(table: JobTable, lock: Lock | None, schedule: Schedule | None) -> Once | None:
    node, value = table.of("once"), table.get("once")
    if isinstance(value, str):
        once = Once(value)  # type: ignore[arg-type]
    else:
        inner = node.child("once") if isinstance(value, Mapping) else None
        if inner is None or inner.get("per") is None:
            return None
        once = Once(inner.get("per"), inner.get("mark") or "start")
    if once.mark == "success" and lock is None:
        node.report(
            "once",
            "M006",
            '`once` with mark = "success" needs the lock that `lock = false` takes away: two starts could run at once',
            "remove lock = false",
        )
    if once.per == "slot" and schedule is None and not any(table.has(key) for key in CALENDARS):
        node.report(
            "once",
            "M006",
            '`once = "slot"` needs calendar slots, and this job has none',
            'write once = "day" or another period',
        )
    return once


def _catchup(
    table: JobTable, guards: tuple[str, ...], schedule: Schedule | None, project_window: Window
) -> JobCatchup | None:
    node, value = table.of("catchup"), table.get("catchup")
    if schedule is None:
        asked = value is True or isinstance(value, Mapping)
        if asked and not any(table.has(key) for key in CALENDARS):
            node.report(
                "catchup",
                "M006",
                "only calendar slots can be made up, and this job has none",
                "remove catchup: the job comes back by itself",
            )
        return None
    if value is False or (value is None and not guards):
        return None
    inner = node.child("catchup") if isinstance(value, Mapping) else None
    reasons = tuple(dict.fromkeys(inner.get("for") or ("guard",))) if inner else ("guard",)
    if "guard" in reasons and not guards and not table.of("guard").spoilt("guard"):
        if inner is None or inner.get("for") is not None:
            node.report(
                "catchup",
                "M006",
                "the guard can skip nothing here: the job has none",
                'give it a guard, or write catchup = { for = ["missed"] }',
            )
        return None
    return JobCatchup(reasons, (window(inner, "window") if inner else None) or project_window)


def _keep_alive(table: JobTable) -> KeepAlive | None:
    value = table.get("keep_alive")
    if value is True:
        return KeepAlive()
    return KeepAlive(dict(value)) if isinstance(value, Mapping) and value else None


def _notify(table: JobTable, paths: Paths) -> Notify:
    node = table.of("notify").child("notify") if table.has("notify") else None
    if node is None:
        return Notify()
    ping = node.get("ping")
    hooks: dict[str, Any] = {}
    if isinstance(ping, str):
        if not re.fullmatch(r"https?://[^\s'\"]+", ping):
            node.report(
                "ping",
                "M004",
                f'`ping` is "{ping}", which is no URL',
                'write for example ping = "https://hc.example/uuid"',
            )
        else:
            base = ping.rstrip("/")
            hooks = {"start": f"{base}/start", "success": base, "failure": f"{base}/fail"}
    for key in ("start", "success", "failure", "recovery"):
        value = node.get(key)
        if isinstance(value, list):
            hooks[key] = (paths.expand(value[0]) if "/" in value[0] else value[0], *value[1:])
        elif isinstance(value, str):
            if not re.fullmatch(r"https?://[^\s'\"]+", value):
                node.report(
                    key,
                    "M004",
                    f'`{key}` is "{value}", which is no URL',
                    f'write a URL, or a command as an array: {key} = ["bin/tell-me"]',
                )
            else:
                hooks[key] = value
    return Notify(**hooks)


def _schedule_text(table: JobTable) -> str:
    for key in SCHEDULES:
        value = table.get(key)
        if value is not None:
            items = value if isinstance(value, list) else [value]
            words = [
                item if isinstance(item, str) else " ".join(f"{k}={v}" for k, v in item.items())
                for item in items
            ]
            return f"{key} {', '.join(words)}"
    return next((key.replace("_", " ") for key in ("watch", "at_load", "keep_alive") if table.has(key)), "")


def _places(table: JobTable) -> dict[str, Place]:
    keys = [*table.own.data, *(table.defaults.data if table.defaults else ())]
    return {key: table.of(key).place(key) for key in dict.fromkeys(keys) if table.has(key)}


def _check_shared_logs(jobs: list[Job], top: Node) -> None:
    """Two jobs on one log would rotate it under each other's feet."""
    owners: dict[str, str] = {}
    for job in jobs:
        other = owners.setdefault(job.log, job.name)
        if other != job.name:
            top.problems.report(
                ("jobs", job.name, "log"),
                "M006",
                f"`log` is the log of job {other}, too",
                "give each job a log of its own",
            )
