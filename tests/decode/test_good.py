"""Good manifests, and the records that they become."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobs.decode import Loaded, load, load_bytes
from jobs.model.fields import FIELDS
from jobs.model.job import (
    Argv,
    CatchupSettings,
    Guard,
    Job,
    JobCatchup,
    KeepAlive,
    LintSettings,
    Lock,
    Manifest,
    Notify,
    Once,
    Project,
    ShellLine,
)
from jobs.read.nodes import Array, Node, Table
from jobs.read.toml import read_toml
from jobs.schedule.rule import ALL_DAYS, ALL_MONTHS, ALL_WEEKDAYS, Rule, Schedule

FOLDER = Path(__file__).with_name("good")
HEAD = """version = 1
[project]
name = "demo"
prefix = "com.example"
root = "/Users/kim/demo"
home = "/Users/kim"
"""


def manifest_of(loaded: Loaded) -> Manifest:
    assert [diagnostic.message for diagnostic in loaded.diagnostics] == []
    assert loaded.manifest is not None
    return loaded.manifest


def job_of(text: str, name: str = "a") -> Job:
    job = manifest_of(load_bytes((HEAD + text).encode(), "jobs.toml")).job(name)
    assert job is not None
    return job


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_good_manifests_have_no_diagnostics(path: Path) -> None:
    assert manifest_of(load(path)).jobs


def names_in(node: Node) -> set[str]:
    if isinstance(node, Table):
        inner = [names_in(entry.node) for entry in node.entries.values()]
        return set(node.entries).union(*inner)
    return set().union(*[names_in(item) for item in node.items]) if isinstance(node, Array) else set()


def test_every_key_stands_in_the_manifest_of_every_key() -> None:
    root = read_toml((FOLDER / "every-key.toml").read_bytes(), "x").root
    assert root is not None
    assert {field.name for field in FIELDS} <= names_in(root)


@pytest.fixture(scope="module")
def full() -> Manifest:
    return manifest_of(load(FOLDER / "every-key.toml"))


def test_the_project_is_as_written(full: Manifest) -> None:
    assert full.project == Project(
        name="demo",
        prefix="com.example",
        root="/Users/kim/demo",
        home="/Users/kim",
        user="kimberly",
        path=("/Users/kim/bin", "/Users/kim/demo/tools", "/usr/bin"),
        logs="/Users/kim/demo/logs",
        state="/Users/kim/state",
        output="out/launchd",
        domain="user",
    )


def test_the_tables_beside_the_jobs_are_as_written(full: Manifest) -> None:
    assert full.guards == (
        Guard("claude", "claude", (), 5400, ("/Users/kim/bin/probe", "-p", "ok")),
        Guard("own", None, ("quota (exceeded|used)", "limit")),
    )
    assert full.catchup == CatchupSettings(300, 21_600, 600, 0)
    assert full.lint == LintSettings(("S", "P"), ("S104",), "error")


def test_the_job_with_every_key_is_as_written(full: Manifest) -> None:
    job = full.job("full")
    assert job is not None
    assert job.place is not None
    assert job.places["timeout"].line == job.places["at"].line + 9
    assert {"lock.wait", "run[0]", "env.C"} <= set(job.places)
    table = Rule((0,), (7, 19), days=(0, 1, 2, 3, 4, 5, 6, 7), months=(1,), weekdays=(0, 1))
    eight = Rule((0,), (8,), ALL_DAYS, ALL_MONTHS, ALL_WEEKDAYS)
    assert job == Job(
        name="full",
        label="com.example.full",
        run=Argv(("/Users/kim/demo/bin/full", "--flag", "~/as it is")),
        log="/Users/kim/demo/full.log",
        cwd="/Users/kim/demo/work",
        env=(("LANG", "ja_JP.UTF-8"), ("A", "all"), ("B", "default"), ("C", "own"), ("HOME", "/elsewhere")),
        about="Everything",
        env_file="/Users/kim/.env",
        umask=0o027,
        schedule=Schedule((eight, table), "Asia/Tokyo"),
        watch=("/Users/kim/Dropbox/in",),
        at_load=True,
        deadline_s=7200,
        guards=("own",),
        lock=Lock("shared", 600, "flock"),
        once=Once("day", "success"),
        timeout_s=172_800,
        kill_after_s=0,
        catchup=JobCatchup(("guard", "failed"), "today"),
        log_max=512_000,
        log_keep=0,
        notify=Notify(
            start="https://example.com/id/start",
            success="https://example.com/id",
            failure=("/Users/kim/demo/bin/tell", "failed"),
            recovery="https://example.com/r",
        ),
        enabled=False,
        launchd={
            "Nice": 10,
            "LimitLoadToSessionType": ["Background"],
            "SoftResourceLimits": {"NumberOfFiles": 1024},
        },
        schedule_text=job.schedule_text,
        place=job.place,
        places=job.places,
    )
    assert job.schedule_text.startswith('08:00, { time = ["07:00", "19:00"], weekday')


def test_a_job_takes_from_the_defaults_what_it_does_not_set(full: Manifest) -> None:
    cron, rest, server = full.job("cron"), full.job("rest"), full.job("server")
    assert cron is not None
    assert (cron.every_s, cron.timeout_s, cron.guards, cron.unguarded_reason) == (
        None,
        2700,
        (),
        "asks nobody",
    )
    assert (cron.run, cron.lock, cron.once, cron.log_max) == (ShellLine("exit 0"), None, Once("hour"), 5000)
    assert cron.catchup is None
    assert rest is not None
    assert (rest.every_s, rest.guards, rest.run) == (3600, ("claude", "own"), Argv(("git", "fetch")))
    assert rest.lock == Lock("shared")
    assert server is not None
    assert (server.every_s, server.keep_alive) == (None, KeepAlive({"SuccessfulExit": False}))
    assert server.notify == Notify(start=("say", "up"), success="http://example.com/")


DEFAULTS = {
    "kill_after_s": 20,
    "log_max": 10_000_000,
    "log_keep": 5,
    "env": (("LANG", "en_US.UTF-8"),),
    "log": "/Users/kim/Library/Logs/demo/a.log",
    "cwd": "/Users/kim/demo",
    "lock": Lock("a"),
    "enabled": True,
    "timeout_s": None,
    "once": None,
    "catchup": None,
    "umask": None,
    "unguarded_reason": None,
    "notify": Notify(),
}


def test_a_job_of_two_keys_has_the_defaults() -> None:
    job = job_of('[jobs.a]\nrun = ["/bin/x"]\nat = "09:30"\n')
    assert {name: getattr(job, name) for name in DEFAULTS} == DEFAULTS


CATCHUP = [
    ("guarded, with times", 'at = "09:30"\nguard = "claude"', JobCatchup(("guard",), "today")),
    ("guarded, cron", 'cron = "@daily"\nguard = "claude"', JobCatchup(("guard",), "today")),
    ("guarded, every", 'every = "30m"\nguard = "claude"', None),
    ("no guard", 'at = "09:30"', None),
    ("switched off", 'at = "09:30"\nguard = "claude"\ncatchup = false', None),
    ("of missed ones", 'at = "09:30"\ncatchup = { for = "missed" }', JobCatchup(("missed",), "today")),
    (
        "window only",
        'at = "09:30"\nguard = "claude"\ncatchup = { window = "6h" }',
        JobCatchup(("guard",), 21_600),
    ),
]


@pytest.mark.parametrize(("keys", "expected"), [row[1:] for row in CATCHUP], ids=[row[0] for row in CATCHUP])
def test_catchup_of_a_job(keys: str, expected: JobCatchup | None) -> None:
    text = f"{HEAD}[jobs.a]\nrun = ['/bin/x']\n{keys}\n"
    manifest = manifest_of(load_bytes(text.encode(), "jobs.toml"))
    assert manifest.jobs[0].catchup == expected
    assert manifest.catchup == (CatchupSettings() if expected else None)


def test_a_built_in_tool_is_a_guard_without_a_table() -> None:
    text = f"{HEAD}[jobs.a]\nrun = ['/bin/x']\nevery = '1h'\nguard = ['gemini', 'claude']\n"
    manifest = manifest_of(load_bytes(text.encode(), "jobs.toml"))
    assert manifest.guards == (Guard("claude", tool="claude"), Guard("gemini", tool="gemini"))


@pytest.mark.parametrize("off", ["false", '"off"'])
def test_the_catchup_job_can_be_switched_off(off: str) -> None:
    text = f"{HEAD}[catchup]\nevery = {off}\n[jobs.a]\nrun = ['/bin/x']\nevery = '1h'\n"
    assert manifest_of(load_bytes(text.encode(), "jobs.toml")).catchup == CatchupSettings(every_s=None)


QUIET_DEFAULTS = [
    ("deadline", 'deadline = "2h"'),
    ("timezone", 'timezone = "UTC"'),
    ("once per slot", 'once = "slot"'),
    ("catchup", "catchup = true"),
]


@pytest.mark.parametrize("key", [row[1] for row in QUIET_DEFAULTS], ids=[row[0] for row in QUIET_DEFAULTS])
def test_a_default_that_a_job_has_no_use_for_is_passed_over(key: str) -> None:
    job = job_of(f'[defaults]\n{key}\n[jobs.a]\nrun = ["/bin/x"]\nevery = "1h"\n')
    assert (job.deadline_s, job.schedule, job.once, job.catchup) == (None, None, None, None)


WEEKDAYS = [
    ("integer", "1", (1,)),
    ("Sunday as 0", "0", (0,)),
    ("Sunday as 7", "7", (0,)),
    ("range of numbers", '"6-7"', (0, 6)),
    ("range of names", '"mon-fri"', (1, 2, 3, 4, 5)),
    ("list of names", '"sat,sun"', (0, 6)),
    ("array", '[1, "wed"]', (1, 3)),
]


@pytest.mark.parametrize(
    ("value", "expected"), [row[1:] for row in WEEKDAYS], ids=[row[0] for row in WEEKDAYS]
)
def test_weekdays(value: str, expected: tuple[int, ...]) -> None:
    job = job_of(f'[jobs.a]\nrun = ["/bin/x"]\nat = {{ time = "06:00", weekday = {value} }}\n')
    assert job.schedule is not None
    assert job.schedule.rules[0].weekdays == expected
