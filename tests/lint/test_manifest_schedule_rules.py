"""The rules on the jobs of a manifest: times, mixes of triggers, folders and logs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from tests.lint.plist_findings import FakeDisk

from jobs.lint.rule import Context, JobFacts, Reached
from jobs.lint.rules import rule
from jobs.model.job import Argv, Job, JobCatchup, KeepAlive, Manifest, Project, ShellLine
from jobs.schedule.rule import ALL_DAYS, ALL_HOURS, ALL_MINUTES, ALL_MONTHS, ALL_WEEKDAYS, Rule, Schedule
from jobs.text import Place, SourceFile

TABLE = Place("jobs.toml", 3, 1, 3, 12)
KEY = Place("jobs.toml", 5, 6, 5, 13)
PROJECT = Project(
    name="tidy",
    prefix="com.example",
    root="/Users/kim/tidy",
    home="/Users/kim",
    user="kim",
    path=("/usr/bin",),
    logs="/Users/kim/Library/Logs/tidy",
    state="/Users/kim/state",
    output="generated",
)
JOB = Job(
    name="tidy",
    label="com.example.tidy",
    run=Argv(("/Users/kim/tidy/bin/tidy",)),
    log="/Users/kim/Library/Logs/tidy/tidy.log",
    cwd="/Users/kim/tidy",
    place=TABLE,
    places={"at": KEY},
)


@dataclass(frozen=True)
class FakeScript:
    """A reached script, with the one thing that these rules ask of it."""

    source: SourceFile


def at(*times: str, **fields: Any) -> Schedule:
    """A schedule at the given times of day."""
    pairs = [time.split(":") for time in times]
    return Schedule(
        tuple(Rule(minutes=(int(minute),), hours=(int(hour),), **fields) for hour, minute in pairs)
    )


def zone(schedule: Schedule, name: str) -> Schedule:
    return replace(schedule, zone=name)


def found(code: str, job: Job, *, project: Project = PROJECT, script: str = "") -> list[str]:
    """The messages of one rule about one job."""
    manifest = Manifest("jobs.toml", project, (job,))
    reached = (Reached(FakeScript(SourceFile("a.sh", script)), "run"),) if script else ()
    facts = JobFacts(job, manifest, reached)
    return [hit.message for hit in rule(code).check(facts, Context(FakeDisk(), manifest))]


HOURLY = Schedule((Rule(minutes=(30,), hours=ALL_HOURS),))
EVERY = Schedule((Rule(minutes=ALL_MINUTES, hours=ALL_HOURS),))
MISSED = JobCatchup(("missed",), "today")

BAD: dict[str, list[dict[str, Any]]] = {
    "S201": [{"schedule": at(time)} for time in ("01:00", "01:30", "01:59", "02:00", "02:30", "02:59")]
    + [{"schedule": at("09:00", "02:30")}, {"schedule": zone(at("02:30"), "Europe/Berlin")}, {"schedule": zone(at("01:30"), "America/New_York")}],
    "S202": [{"schedule": at(time)} for time in ("00:00", "03:00", "04:30", "05:59")]
    + [
        {"schedule": at("03:00", "04:00")},
        {"schedule": at("03:00", weekdays=(0,))},
        {"schedule": at("03:00"), "catchup": JobCatchup(("guard",), "today")},
        {"schedule": at("03:00", days=(1,))},
    ],
    "S203": [{"every_s": value} for value in (86_400, 90_000, 172_800, 604_800, 86_401, 100_000, 259_200, 1_000_000)],
    "S204": [{"schedule": at("04:00", days=(day,), weekdays=(weekday,), either=True)} for day, weekday in ((13, 5), (1, 1), (15, 0), (28, 6), (2, 2), (31, 3), (7, 4), (10, 5))],
    "S205": [{"schedule": at("09:00", days=(day,))} for day in (29, 30, 31)]
    + [
        {"schedule": at("09:00", days=(30, 31))},
        {"schedule": at("09:00", days=(31,), months=(1, 4))},
        {"schedule": at("09:00", days=(29,), months=(2,))},
        {"schedule": at("09:00", days=(31,), weekdays=(1,))},
        {"schedule": Schedule((*at("09:00").rules, *at("10:00", days=(31,)).rules))},
    ],
    "S206": [{"schedule": at("09:00"), "watch": (path,)} for path in ("/a", "/b", "/Users/kim/in", "/c", "/d", "/e")]
    + [{"schedule": at("09:00"), "keep_alive": KeepAlive()}, {"schedule": HOURLY, "keep_alive": KeepAlive({"Crashed": True})}],
    "E205": [{"cwd": f"/Users/kim/{name}"} for name in ("Documents", "Desktop/a", "Downloads", "Library/Mobile Documents/x", "Library/CloudStorage/x")]
    + [{"run": ShellLine("cd ~/Documents && ./x")}, {"watch": ("/Users/kim/Desktop",)}, {"env_file": "/Users/kim/Documents/.env"}],
    "E206": [
        {"cwd": "/Volumes/Ext/data"},
        {"log": "/Volumes/Ext/a.log"},
        {"env_file": "/Volumes/a/.env"},
        {"run": Argv(("/Volumes/a/b",))},
        *({"run": ShellLine(f"cd /Volumes/{name}")} for name in ("a", "b c", "NAS", "x-1")),
    ],
    "E207": [
        {"launchd": {"LimitLoadToSessionType": "Background"}, "run": ShellLine(f"security {verb} -s a")}
        for verb in ("find-generic-password", "find-internet-password", "unlock-keychain", "add-generic-password", "export", "show-keychain-info", "dump-keychain")
    ]
    + [{"launchd": {"LimitLoadToSessionType": ["Background"]}, "run": ShellLine("security find-generic-password -w")}],
    "E208": [{"log": path} for path in ("/Library/Logs/a.log", "/var/log/a.log", "/a.log", "/etc/a", "/private/var/log/a", "/usr/bin/a", "/System/a", "/var/run/a")],
}  # fmt: skip

GOOD: dict[str, list[dict[str, Any]]] = {
    "S201": [{"schedule": at(time)} for time in ("00:59", "03:00", "09:30", "23:59")]
    + [{"schedule": HOURLY}, {"schedule": zone(at("02:30"), "Asia/Tokyo")}, {"schedule": zone(at("01:30"), "UTC")}, {"every_s": 60}],
    "S202": [{"schedule": at("06:00")}, {"schedule": at("03:00", "09:00")}, {"schedule": HOURLY}, {"schedule": EVERY}, {"schedule": at("03:00"), "catchup": MISSED}, {"schedule": at("03:00"), "at_load": True}, {"every_s": 60}, {"schedule": at("03:00"), "watch": ("/a",)}],
    "S203": [{"every_s": value} for value in (60, 900, 3600, 21_600, 43_200, 86_399)] + [{"schedule": at("09:00")}, {}],
    "S204": [{"schedule": at("04:00")}, {"schedule": at("04:00", days=(13,))}, {"schedule": at("04:00", weekdays=(5,))}, {"schedule": at("04:00", days=(13,), weekdays=(5,))}, {"schedule": HOURLY}, {"schedule": EVERY}, {"every_s": 60}, {"schedule": at("04:00", months=(6,))}],
    "S205": [{"schedule": at("09:00", days=(day,))} for day in (0, 1, 28)]
    + [
        {"schedule": at("09:00", days=(1, 31))},
        {"schedule": at("09:00", days=(31,), months=(1, 12))},
        {"schedule": at("09:00")},
        {"schedule": at("09:00", days=ALL_DAYS)},
        {"schedule": at("09:00", days=(31,), weekdays=(1,), either=True)},
        {"schedule": at("09:00", days=(28, 31), months=ALL_MONTHS, weekdays=ALL_WEEKDAYS)},
    ],
    "S206": [{"schedule": at("09:00")}, {"watch": ("/a",)}, {"keep_alive": KeepAlive()}, {"every_s": 60}, {"at_load": True}, {}, {"schedule": HOURLY}, {"schedule": at("09:00"), "at_load": True}],
    "E205": [{"cwd": path} for path in ("/Users/kim/work", "/Users/kim/Documents2", "/Documents", "/Users/kim/Dropbox", "/usr/local/Desktop", "/Users/kim/a/Documents", "/srv", "/")],
    "E206": [{"cwd": path} for path in ("/Users/kim", "/Volumes", "/Volumes/Macintosh HD/a", "/a/Volumes/b", "/")] + [{"watch": ("/Volumes/a",)}, {"run": ShellLine("ls")}, {}],
    "E207": [
        {"run": ShellLine("security find-generic-password -w")},
        {"launchd": {"LimitLoadToSessionType": "Aqua"}, "run": ShellLine("security find-generic-password -w")},
        {"launchd": {"LimitLoadToSessionType": ["Aqua", "Background"]}, "run": ShellLine("security find-generic-password -w")},
        {"launchd": {"LimitLoadToSessionType": "Background"}},
        {"launchd": {"LimitLoadToSessionType": "Background"}, "run": ShellLine("security cms -D")},
        {"launchd": {"LimitLoadToSessionType": "Background"}, "run": ShellLine("echo security")},
        {"launchd": {"Nice": 1}, "run": ShellLine("security find-generic-password -w")},
        {},
    ],
    "E208": [{"log": path} for path in ("/Users/kim/a.log", "/dev/null", "/usr/local/var/log/a", "/opt/homebrew/var/a", "/Users/Shared/a.log", "/opt/a/b", "/Volumes/a/b", "/Users/kim/var/log/a")],
}  # fmt: skip


def cases(table: dict[str, list[dict[str, Any]]]) -> list[Any]:
    return [
        pytest.param(code, change, id=f"{code}-{number}")
        for code, changes in table.items()
        for number, change in enumerate(changes)
    ]


@pytest.mark.parametrize(("code", "change"), cases(BAD))
def test_bad(code: str, change: dict[str, Any]) -> None:
    assert len(found(code, replace(JOB, **change))) == 1


@pytest.mark.parametrize(("code", "change"), cases(GOOD))
def test_good(code: str, change: dict[str, Any]) -> None:
    assert found(code, replace(JOB, **change)) == []


def test_place_is_the_key_as_written() -> None:
    job = replace(JOB, schedule=at("02:30"))
    manifest = Manifest("jobs.toml", PROJECT, (job,))
    hits = list(rule("S201").check(JobFacts(job, manifest), Context(FakeDisk(), manifest)))
    assert [hit.place for hit in hits] == [KEY]


def test_keychain_in_a_script_that_the_job_reaches() -> None:
    script = "#!/bin/sh\nexport P=$(security find-generic-password -s a -w)\n"
    background = replace(JOB, launchd={"LimitLoadToSessionType": "Background"})
    assert len(found("E207", background, script=script)) == 1
    assert found("E207", background, script="#!/bin/sh\n# security find-generic-password\n") == []
    assert found("E207", JOB, script=script) == []
    assert len(found("E207", JOB, script=script, project=replace(PROJECT, domain="user"))) == 1


def test_log_of_a_system_job_may_lie_in_var_log() -> None:
    assert found("E208", replace(JOB, log="/var/log/a.log"), project=replace(PROJECT, domain="system")) == []


@pytest.mark.parametrize(
    ("schedules", "expected"),
    [
        ([at("09:00")] * 4, []),
        ([at("09:00")] * 5, ["5 jobs start at 09:00: j0, j1, j2, j3, j4"]),
        ([at("09:00", "18:00")] * 5, ["5 jobs start at 09:00: j0, j1, j2, j3, j4"]),
        ([at(f"09:0{number}") for number in range(6)], []),
        ([EVERY] * 6, []),
        ([at("09:00", weekdays=(day,)) for day in range(6)], []),
        ([at("09:00")] * 4 + [at("09:00", weekdays=(1,))], ["5 jobs start at 09:00: j0, j1, j2, j3, j4"]),
        ([None] * 6, []),
        ([at("09:00")] * 4 + [Schedule((Rule(minutes=(0,), hours=ALL_HOURS),))], ["5 jobs start at 09:00: j0, j1, j2, j3, j4"]),
    ],
)  # fmt: skip
def test_jobs_in_one_minute(schedules: list[Schedule | None], expected: list[str]) -> None:
    jobs = tuple(replace(JOB, name=f"j{number}", schedule=each) for number, each in enumerate(schedules))
    manifest = Manifest("jobs.toml", PROJECT, jobs)
    assert [hit.message for hit in rule("S207").check(manifest, Context(FakeDisk(), manifest))] == expected
