"""A `[jobs.NAME]` table, with `[defaults]` and `[env]` merged in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jobs.decode.combinations import check_combinations
from jobs.decode.environment import decode_env
from jobs.decode.job_parts import (
    decode_job_catchup,
    decode_lock,
    decode_notify,
    decode_once,
    decode_size,
)
from jobs.decode.launchd import decode_conditions, decode_raw
from jobs.decode.reader import Reader
from jobs.decode.times import decode_at, decode_cron, decode_timezone, schedule_text
from jobs.decode.units import parse_umask
from jobs.model.job import (
    Argv,
    Job,
    JobCatchup,
    KeepAlive,
    Project,
    ShellLine,
    Window,
)
from jobs.read.nodes import Array, Entry, Node, Table
from jobs.read.toml_tree import dotted, quoted
from jobs.schedule.rule import Schedule
from jobs.text import Place, Span

# One of these in a job takes the place of all of them in [defaults].
TRIGGERS = frozenset({"at", "cron", "every", "keep_alive"})


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a job takes over from the rest of the manifest."""

    project: Project
    env: Mapping[str, str]  # LANG and [env]
    guards: frozenset[str]
    window: Window
    defaults: Table | None = None


@dataclass(frozen=True, slots=True)
class Keys:
    """The entries of one job: its own, and those of [defaults] that it does not set."""

    name: str
    header: Span
    own: Mapping[str, Entry]
    all: Mapping[str, Entry]
    partial: bool = False  # [defaults] by itself: nothing is missing, nothing excludes anything

    @property
    def title(self) -> str:
        """The job's table in a sentence."""
        return f"[{dotted(['jobs', self.name])}]"

    def node(self, name: str) -> Node | None:
        """The value of a key, or None."""
        entry = self.all.get(name)
        return None if entry is None else entry.node

    def is_own(self, name: str) -> bool:
        """Whether the job sets the key itself."""
        return name in self.own


def merged_keys(name: str, table: Table, header: Span, defaults: Table | None) -> Keys:
    """The entries that hold for a job."""
    own = table.entries
    inherited = dict(defaults.entries) if defaults is not None else {}
    if TRIGGERS & own.keys():
        inherited = {key: entry for key, entry in inherited.items() if key not in TRIGGERS}
    return Keys(name, header, own, {**inherited, **own})


def decode_job(keys: Keys, around: Surroundings, read: Reader) -> Job | None:
    """The job, or None when something that it cannot do without is missing or wrong."""
    project = around.project
    run = _run(keys.node("run"), read)
    at, cron = keys.node("at"), keys.node("cron")
    rules = (decode_at(at, read) if at is not None else ()) + (
        decode_cron(cron, read) if cron is not None else ()
    )
    calendar = at is not None or cron is not None
    zone = decode_timezone(keys.node("timezone"), read)
    lock = decode_lock(keys.node("lock"), keys.name, read)
    once = decode_once(keys.node("once"), read)
    guards, unguarded = _guards(keys, around, read)
    umask = read.quantity(keys.node("umask"), "umask", parse_umask)
    deadline = read.duration(keys.node("deadline"), "deadline")
    kill_after = read.duration(keys.node("kill_after"), "kill_after", zero=True)
    log_max = decode_size(keys.node("log_max"), read)
    log_keep = read.integer(keys.node("log_keep"))
    catchup = _catchup(keys, around, calendar=calendar, guarded=bool(guards), read=read)
    launchd = decode_raw(keys.node("launchd"), project.domain, read)
    watch = tuple(
        path for item in _items(keys.node("watch")) if (path := read.path(item, "watch")) is not None
    )
    if not keys.partial:
        check_combinations(keys, read, calendar=calendar, once=once, lock=lock, guarded=bool(guards))
    if run is None:
        return None
    return Job(
        name=keys.name,
        label=f"{project.prefix}.{keys.name}",
        run=run,
        log=_path(keys, "log", f"{project.logs}/{keys.name}.log", read),
        cwd=_path(keys, "cwd", project.root, read),
        env=_env(keys, around, read),
        about=" ".join((read.string(keys.node("about")) or "").split()),
        env_file=_path(keys, "env_file", "", read) or None,
        umask=umask,
        schedule=Schedule(rules, zone) if calendar else None,
        every_s=read.duration(keys.node("every"), "every"),
        watch=watch,
        at_load=read.boolean(keys.node("at_load")) or False,
        keep_alive=_keep_alive(keys.node("keep_alive"), around, read),
        deadline_s=deadline if calendar else None,
        guards=guards,
        unguarded_reason=unguarded,
        lock=lock,
        once=None if once is not None and once.per == "slot" and not calendar else once,
        timeout_s=read.duration(keys.node("timeout"), "timeout"),
        kill_after_s=20 if kill_after is None else kill_after,
        catchup=catchup,
        log_max=10_000_000 if log_max is None else log_max,
        log_keep=5 if log_keep is None else log_keep,
        notify=decode_notify(keys.node("notify"), read),
        enabled=read.boolean(keys.node("enabled")) is not False,
        launchd=launchd,
        schedule_text=_schedule_text(keys, read),
        place=read.findings.source.place(keys.header),
        places=_places(keys, read),
    )


def _run(node: Node | None, read: Reader) -> Argv | ShellLine | None:
    text = read.string(node)
    if text is not None:
        return ShellLine(text) if text.strip() else None
    words = read.argv(node, "run")
    return None if words is None else Argv(words)


def _items(node: Node | None) -> list[Node]:
    if isinstance(node, Array):
        return node.items
    return [] if node is None else [node]


def _path(keys: Keys, name: str, default: str, read: Reader) -> str:
    return read.path(keys.node(name), name) or default


def _env(keys: Keys, around: Surroundings, read: Reader) -> tuple[tuple[str, str], ...]:
    """The variables: those of all jobs, of [defaults], of the job; a later one wins."""
    inherited = around.defaults.node("env") if around.defaults is not None else None
    own = keys.node("env") if keys.is_own("env") else None
    return tuple({**around.env, **decode_env(inherited, read), **decode_env(own, read)}.items())


def _guards(keys: Keys, around: Surroundings, read: Reader) -> tuple[tuple[str, ...], str | None]:
    """The guards of a job, and why it has none if it says so: the comment behind `guard = false`."""
    entry = keys.all.get("guard")
    if entry is None:
        return (), None
    if read.boolean(entry.node) is False:
        return (), entry.comment
    names: list[str] = []
    for item, name in read.strings(entry.node):
        if name in around.guards:
            names.append(name)
            continue
        from jobs.decode.suggest import listed, nearest

        near = nearest(name, sorted(around.guards))
        known = listed([quoted(guard) for guard in sorted(around.guards)])
        fix = f'write "{near}"' if near else f"add [{dotted(['guards', name])}], or write {known}"
        read.findings.add("M007", item.span, f"there is no guard {quoted(name)}", fix)
    return tuple(dict.fromkeys(names)), None


def _catchup(
    keys: Keys, around: Surroundings, *, calendar: bool, guarded: bool, read: Reader
) -> JobCatchup | None:
    """What of the job is made up: by default what a guard skipped, of jobs that have times."""
    node = keys.node("catchup")
    reasons, window = decode_job_catchup(node, read)
    if read.boolean(node) is False or not calendar:
        return None
    if not reasons:
        if not guarded:
            return None
        reasons = ("guard",)
    if not guarded:
        reasons = tuple(reason for reason in reasons if reason != "guard")
    return JobCatchup(reasons, window or around.window) if reasons else None


def _keep_alive(node: Node | None, around: Surroundings, read: Reader) -> KeepAlive | None:
    if isinstance(node, Table):
        return KeepAlive(decode_conditions(node, around.project.domain, read))
    return KeepAlive() if read.boolean(node) else None


def _schedule_text(keys: Keys, read: Reader) -> str:
    for name in ("at", "cron", "every"):
        node = keys.node(name)
        if node is not None:
            return schedule_text(node, read)
    return ""


def _places(keys: Keys, read: Reader) -> dict[str, Place]:
    """The place of each key's value; of those in a table as `lock.wait`, of an array's entries as `run[0]`."""
    source = read.findings.source
    places: dict[str, Place] = {}
    for name, entry in keys.all.items():
        places[name] = source.place(entry.node.span)
        if isinstance(entry.node, Table):
            for inner, one in entry.node.entries.items():
                places[f"{name}.{inner}"] = source.place(one.node.span)
        elif isinstance(entry.node, Array):
            for number, item in enumerate(entry.node.items):
                places[f"{name}[{number}]"] = source.place(item.span)
    return places
