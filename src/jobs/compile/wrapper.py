"""The wrapper of a job: its settings as quoted shell variables, before the shared library is read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING

from jobs.compile.quote import quote
from jobs.compile.templates import templates_folder
from jobs.model.job import Argv, Guard, Job, Manifest
from jobs.schedule.rule import ALL_DAYS, ALL_HOURS, ALL_MINUTES, ALL_MONTHS, ALL_WEEKDAYS, Rule

if TYPE_CHECKING:
    from jinja2 import Template

DEFAULT_DEADLINE_S = 6 * 86400
"""How late launchd's own fire may still run a slot: long enough for a Mac that slept over a long weekend, and less than
a week, so that a plist that fires weekly for a monthly slot never makes up last week's."""


def wrapper_text(manifest: Manifest, job: Job, *, exact: bool = True) -> str:
    """The text of `bin/NAME`.

    `exact` says whether the plist fires at the job's slots only; if not, the wrapper passes over the other fires
    without a word in the log.
    """
    project = manifest.project
    base = _base_environment(manifest) | {key: value for key, value in job.env if key in BASE_KEYS}
    guards = [_guard(manifest, name) for name in job.guards]
    return _template("wrapper.sh.j2").render(
        name=job.name,
        about=_one_line(job.about),
        settings=_quoted(_settings(manifest, job, exact)),
        base_environment=[(key, quote(value)) for key, value in base.items()],
        environment=[(key, quote(value)) for key, value in job.env if key not in base],
        command=_command(job),
        hooks=[(event, _hook(value)) for event, value in _hooks(job)],
        guards=[
            {"name": guard.name, "arguments": _judge_arguments(guard), "cooldown_s": guard.cooldown_s}
            for guard in guards
        ],
        own_path=quote(f"{project.output_dir}/bin/{job.name}"),
        lib=quote(f"{project.output_dir}/lib"),
    )


def catchup_wrapper_text(manifest: Manifest) -> str:
    """The text of `bin/catchup`: a look at the cursors in shell, and the tool only when there is something to make up."""
    project = manifest.project
    settings = [
        ("jobs_name", "catchup"),
        ("jobs_state", project.state),
        ("jobs_log", f"{project.logs}/catchup.log"),
        ("jobs_zone", ""),
        ("jobs_manifest", f"{project.root.rstrip('/')}/{PurePath(manifest.path).name}"),
        (
            "jobs_catchup",
            "\n".join(_catchup_line(job) for job in manifest.jobs if job.catchup and job.schedule),
        ),
    ]
    return _template("catchup.sh.j2").render(
        settings=_quoted(settings),
        base_environment=[(key, quote(value)) for key, value in _base_environment(manifest).items()],
        own_path=quote(f"{project.output_dir}/bin/catchup"),
        lib=quote(f"{project.output_dir}/lib"),
    )


CURSOR_WORDS = {"guard": "guard,canary", "busy": "lock", "failed": "failed"}


def _catchup_line(job: Job) -> str:
    reasons = job.catchup.reasons if job.catchup else ()
    words = "always" if "missed" in reasons else ",".join(CURSOR_WORDS[reason] for reason in reasons)
    return f"{job.name};{words};{' '.join(job.guards)}"


BASE_KEYS = ("PATH", "HOME", "USER", "LOGNAME")


def _base_environment(manifest: Manifest) -> dict[str, str]:
    """What the wrapper itself needs, too; the rest of the environment is for the job alone."""
    project = manifest.project
    return dict(
        zip(BASE_KEYS, (":".join(project.path), project.home, project.user, project.user), strict=True)
    )


def _quoted(settings: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(key, value if value.isdigit() and value.isascii() else quote(value)) for key, value in settings]


def library_files() -> dict[str, bytes]:
    """The shared part of the wrappers, by path in the output folder: the same bytes as in `templates/lib`."""
    return {
        f"lib/{path.name}": path.read_bytes() for path in sorted((templates_folder() / "lib").glob("*.sh"))
    }


def _settings(manifest: Manifest, job: Job, exact: bool) -> list[tuple[str, str]]:
    """The variables `jobs_...` with their values, not yet quoted."""
    project, lock, once = manifest.project, job.lock, job.once
    window = job.catchup.window if job.catchup else manifest.catchup.window if manifest.catchup else "today"
    own_patterns = any(_guard(manifest, name).patterns for name in job.guards)
    return [
        ("jobs_name", job.name),
        ("jobs_state", project.state),
        ("jobs_log", job.log),
        ("jobs_log_max", str(job.log_max)),
        ("jobs_log_keep", str(job.log_keep)),
        ("jobs_cwd", job.cwd),
        ("jobs_env_file", job.env_file or ""),
        ("jobs_umask", f"{0o022 if job.umask is None else job.umask:03o}"),
        ("jobs_trigger", _trigger(job)),
        ("jobs_zone", job.schedule.zone or "" if job.schedule else ""),
        ("jobs_slots", " ".join(map(_rule, job.schedule.rules)) if job.schedule else ""),
        ("jobs_coarse", "" if exact else "yes"),
        ("jobs_event", "watch" if job.schedule and job.watch else ""),
        ("jobs_deadline", str(DEFAULT_DEADLINE_S if job.deadline_s is None else job.deadline_s)),
        ("jobs_window", str(window)),
        ("jobs_guards", " ".join(job.guards)),
        ("jobs_own_patterns", "yes" if own_patterns else ""),
        ("jobs_lock", lock.name if lock else ""),
        ("jobs_lock_wait", str(lock.wait_s if lock else 0)),
        ("jobs_lock_method", lock.method if lock else "mkdir"),
        ("jobs_once", once.per if once else ""),
        ("jobs_mark", once.mark if once else "start"),
        ("jobs_timeout", str(job.timeout_s or 0)),
        ("jobs_kill_after", str(job.kill_after_s)),
        ("jobs_hooks", " ".join(event for event, _ in _hooks(job))),
        ("jobs_abandon", "yes" if job.launchd.get("AbandonProcessGroup") is True else ""),
    ]


def _trigger(job: Job) -> str:
    """What starts the job when nobody says otherwise."""
    if job.schedule:
        return "schedule"
    if job.every_s:
        return "interval"
    if job.watch:
        return "watch"
    return "keep-alive" if job.keep_alive else "load"


def _rule(rule: Rule) -> str:
    """A rule in the form that `k_newest` of slots.sh reads."""
    return ";".join(
        (
            _list(rule.minutes, ALL_MINUTES),
            _list(rule.hours, ALL_HOURS),
            _list(rule.days, ALL_DAYS),
            _list(rule.months, ALL_MONTHS),
            _list(rule.weekdays, ALL_WEEKDAYS),
            "either" if rule.either else "both",
        )
    )


def _list(values: Sequence[int], full: Sequence[int]) -> str:
    return (
        "any" if set(values) >= set(full) else ",".join(str(value) for value in sorted(values, reverse=True))
    )


def _command(job: Job) -> str:
    """The words behind `exec`."""
    if isinstance(job.run, Argv):
        return " ".join(quote(word) for word in job.run.words)
    # A blank in front keeps a line that begins with a dash from being read as an option.
    text = f" {job.run.text}" if job.run.text[:1] in "-+" else job.run.text
    return f"/bin/sh -c {quote(text)} {quote(job.name)}"


def _hooks(job: Job) -> list[tuple[str, tuple[str, ...] | str]]:
    """The job's hooks by event."""
    notify = job.notify
    named = (
        ("start", notify.start),
        ("success", notify.success),
        ("failure", notify.failure),
        ("recovery", notify.recovery),
    )
    return [(event, value) for event, value in named if value is not None]


def _hook(value: tuple[str, ...] | str) -> str:
    """The shell words of a hook: a command, or a request of a URL."""
    if isinstance(value, str):
        return f'exec "$t_curl" -fsS -m 10 --retry 2 -o /dev/null {quote(value)}'
    return "exec " + " ".join(quote(word) for word in value)


def _guard(manifest: Manifest, name: str) -> Guard:
    """The guard of that name; a built-in tool needs no table in the manifest."""
    return manifest.guard(name) or Guard(name=name, tool=name)


def _judge_arguments(guard: Guard) -> str:
    words = ["--tool", guard.tool] if guard.tool else []
    for pattern in guard.patterns:
        words += ["--pattern", pattern]
    return " ".join(quote(word) for word in words)


def _one_line(text: str) -> str:
    """The text fit for a comment: control characters and line ends become blanks."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


@cache
def _template(name: str) -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(templates_folder()),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - shell, and every value goes through quote()
    )
    return environment.get_template(name)
