"""What is read from files: locks, logs, history, and the facts of an installed project."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from jobs.model.job import CatchupSettings, Lock
from jobs.runtime.records import Record
from jobs.schedule.rule import Rule, Schedule
from jobs.status import snapshot
from jobs.status.gather import Reader, all_jobs
from jobs.status.history import history
from jobs.status.locks import holder
from jobs.status.logs import follow, tail
from jobs.status.rows import drift, make_row
from tests.doctor.cases import NOW, context, job
from tests.install.world import DOMAIN, PREFIX, World, plist, wanted


@pytest.mark.parametrize(
    ("links", "pid"),
    [
        ({}, None),
        ({"owner": "12.1796085002.99.a"}, 12),
        ({"owner": "12.1.2.a", "after.12.1.2.a": "13.1.2.b"}, 13),
        ({"owner": "nonsense"}, None),
    ],
    ids=["free", "held", "succeeded", "damaged"],
)
def test_lock_holder(tmp_path: Path, links: dict[str, str], pid: int | None) -> None:
    for name, target in links.items():
        (tmp_path / name).symlink_to(target)
    found = holder(tmp_path, lambda _pid, _since: True)
    assert (found.pid if found else None) == pid


def test_tail(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    assert tail(path, 5) == []
    path.write_text("".join(f"line {number}\n" for number in range(50000)))
    assert tail(path, 2) == ["line 49998", "line 49999"]
    path.write_text("no end")
    assert tail(path, 2) == ["no end"]


def test_follow_sees_what_comes_and_a_rotation(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_text("old\n")
    coming = follow(path, sleep=lambda _s: None)
    with path.open("a") as stream:
        stream.write("new\n")
    assert next(coming) == "new\n"
    path.rename(tmp_path / "a.log.1")
    path.write_text("fresh\n")
    assert next(coming) == "fresh\n"


def test_history_lists_runs_and_on_request_the_rest() -> None:
    records = [
        Record(30, "skip", reason="guard", slot="20261201T0930"),
        Record(20, "end", reason="failed", exit=3, seconds=5, pid=9),
        Record(10, "start", slot="20261130T0930", trigger="schedule", pid=9),
    ]
    assert len(list(history(records, skips=False))) == 1
    lines = [line for _, line, _ in history(records, skips=True)]
    assert "guard" in lines[0]
    assert "failed" in lines[1]
    assert "exit 3" in lines[1]


def reader(world: World) -> Reader:
    return Reader(context(world).site, world.launchctl, NOW)


def test_facts_of_an_installed_job(world: World) -> None:
    one = wanted("a")
    world.install(one)
    manifest = context(world, job(world)).manifest
    (facts,) = reader(world).facts(manifest, {one.label: one.digest})
    assert drift(facts) == []
    assert make_row(facts, NOW, "UTC").state == "loaded"


@pytest.mark.parametrize(
    ("act", "word"),
    [
        (lambda world: world.path("a").unlink(), "deleted"),
        (lambda world: world.path("a").write_bytes(b"x"), "somebody else"),
        (lambda world: world.double.call("bootout", f"{DOMAIN}/{PREFIX}.a"), "does not have it loaded"),
        (lambda world: world.double.call("disable", f"{DOMAIN}/{PREFIX}.a"), "override"),
        (lambda world: other_content(world), "something else loaded"),  # noqa: PLW0108
    ],
    ids=["deleted", "edited", "booted-out", "disabled", "other-content"],
)
def test_drift_is_seen(world: World, act: object, word: str) -> None:
    one = wanted("a")
    world.install(one)
    act(world)  # type: ignore[operator]
    (facts,) = reader(world).facts(context(world, job(world)).manifest, {one.label: one.digest})
    assert [word in text for text in drift(facts)] == [True]


def other_content(world: World) -> None:
    path = world.home / "x.plist"
    path.write_bytes(plist(f"{PREFIX}.a", "exit 9"))
    world.double.call("bootout", f"{DOMAIN}/{PREFIX}.a")
    world.double.call("bootstrap", DOMAIN, str(path))


def test_many_jobs_cost_two_calls(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobs.status.gather.ASKED_SINGLY", 3)
    names = ["a", "b", "c", "d"]
    jobs = [wanted(name) for name in names]
    world.install(*jobs)
    world.double.forget_calls()
    manifest = context(world, *(job(world, name) for name in names)).manifest
    facts = reader(world).facts(manifest, {one.label: one.digest for one in jobs})
    assert [drift(one) for one in facts] == [[]] * 4
    assert sorted(words for _, words in world.double.calls()) == [["list"], ["print-disabled", DOMAIN]]


def test_no_session_is_told_once(world: World) -> None:
    world.install(wanted("a"))
    world.double.set(session=125)
    found = reader(world)
    (facts,) = found.facts(context(world, job(world)).manifest, {})
    assert "no desktop session" in found.domain_error
    assert drift(facts) == []


def test_job_that_left_the_manifest(world: World) -> None:
    world.install(wanted("a"), wanted("gone"))
    assert reader(world).strangers(context(world, job(world)).manifest) == ["gone"]


def test_records_are_read_from_the_state_folder(world: World) -> None:
    world.install(wanted("a"))
    runs = world.state / "runs"
    runs.mkdir()
    now = int(time.time())
    (runs / "a.jsonl").write_text(f'{{"epoch":{now},"event":"start","pid":{os.getpid()}}}\n')
    (facts,) = islice(reader(world).facts(context(world, job(world)).manifest, {}), 1)
    assert facts.past.last is not None
    assert facts.past.last.word == "running"


def test_catchup_job_has_a_row(world: World) -> None:
    world.install(wanted("a"), wanted("catchup"))
    manifest = replace(context(world, job(world)).manifest, catchup=CatchupSettings(every_s=900))
    found = reader(world)
    assert [one.job.name for one in found.facts(manifest, {})] == ["a", "catchup"]
    assert found.strangers(manifest) == []
    assert found.strangers(replace(manifest, catchup=None)) == ["catchup"]


def test_snapshot_gives_back_what_status_needs(world: World, tmp_path: Path) -> None:
    schedule = Schedule((Rule((0, 30), (9,), either=True),), "Asia/Tokyo")
    jobs = (
        job(world, "a", schedule=schedule, guards=("claude",), lock=Lock("x"), enabled=False),
        job(world, "b", every_s=60, launchd={"LaunchOnlyOnce": True}),
    )
    manifest = replace(context(world, *jobs).manifest, catchup=CatchupSettings(every_s=900))
    path = tmp_path / "cache" / "x.json"
    snapshot.save(path, b"text", manifest, {"com.example.a": "d1"})
    known = snapshot.load(path, b"text")
    assert known is not None
    assert known.wanted == {"com.example.a": "d1"}
    assert known.manifest.project == manifest.project
    assert [one.name for one in all_jobs(known.manifest)] == ["a", "b", "catchup"]
    first, second = known.manifest.jobs
    assert (first.schedule, first.guards, first.enabled) == (schedule, ("claude",), False)
    assert first.lock == Lock("x")
    assert (second.every_s, second.launchd) == (60, {"LaunchOnlyOnce": True})
    assert snapshot.load(path, b"other text") is None
    path.write_text("{")
    assert snapshot.load(path, b"text") is None


def test_snapshot_that_cannot_be_written_is_no_error(world: World, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    snapshot.save(tmp_path / "file" / "x.json", b"text", context(world).manifest, {})
