"""Going back to earlier sets: generated files and jobs."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobs.compile.files import Generated, lock_bytes
from jobs.errors import UsageError
from jobs.install.receipt import StoredSet
from jobs.install.rollback import earlier_sets, pick, restore_files
from jobs.install.wanted import Wanted
from tests.install.world import World, wanted


def generated(*jobs: Wanted) -> dict[str, bytes]:
    """Files as the compiler gives them."""
    files = {f"launchd/{job.label}.plist": job.data for job in jobs}
    files |= {f"bin/{job.name}": b"#!/bin/sh\n# " + job.digest.encode() for job in jobs}
    rows = [Generated(path, data, "wrapper") for path, data in files.items()]
    return files | {"jobs.lock.json": lock_bytes("p", "com.example", rows)}


def build(world: World, *jobs: Wanted) -> dict[str, bytes]:
    """What `jobs build` leaves."""
    files = generated(*jobs)
    for path, data in files.items():
        place = world.output / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return files


def install(world: World, *jobs: Wanted) -> None:
    operation = world.operation()
    files = build(world, *jobs)
    with operation.locked():
        assert not operation.install(operation.plan(jobs), jobs, files, []).failed


def roll_back(world: World, steps: int = 1) -> list[str]:
    """What was left alone."""
    operation = world.operation()
    chosen = pick(operation.archive.sets(), operation.receipt.number, steps)
    files, jobs = operation.archive.load_set(chosen)
    with operation.locked():
        left = restore_files(world.output, files, operation.archive)
        plan = operation.plan(jobs)
        operation.receipt.number = chosen.number
        assert not operation.apply(plan).failed
    return [change.path for change in left]


def output(world: World) -> dict[str, bytes]:
    return {
        str(path.relative_to(world.output)): path.read_bytes()
        for path in world.output.rglob("*")
        if path.is_file()
    }


def test_one_step_and_another(world: World) -> None:
    first, second, third = [wanted("a", "exit 1")], [wanted("a", "exit 2"), wanted("b")], [wanted("c")]
    for jobs in (first, second, third):
        install(world, *jobs)
    assert roll_back(world) == []
    world.agrees(*second)
    assert output(world) == generated(*second)
    assert (world.output / "bin/a").stat().st_mode & 0o777 == 0o755
    roll_back(world)
    world.agrees(*first)
    assert output(world) == generated(*first)
    install(world, *third)
    world.agrees(*third)


def test_several_steps_at_once(world: World) -> None:
    for number in range(4):
        install(world, wanted("a", f"exit {number}"))
    roll_back(world, 3)
    world.agrees(wanted("a", "exit 0"))


def test_back_from_a_build_that_was_never_installed(world: World) -> None:
    install(world, wanted("a", "exit 1"))
    install(world, wanted("a", "exit 2"))
    build(world, wanted("a", "exit 3"))
    assert roll_back(world) == []
    assert output(world) == generated(wanted("a", "exit 1"))


def test_file_edited_by_hand_is_left(world: World) -> None:
    install(world, wanted("a", "exit 1"))
    install(world, wanted("a", "exit 2"))
    (world.output / "bin/a").write_text("mine")
    assert roll_back(world) == ["bin/a"]
    assert (world.output / "bin/a").read_text() == "mine"
    world.agrees(wanted("a", "exit 1"))


def test_same_manifest_twice_is_one_set(world: World) -> None:
    install(world, wanted("a"))
    install(world, wanted("a"))
    assert [one.number for one in world.operation().archive.sets()] == [1]


def sets(*numbers: int) -> list[StoredSet]:
    return [StoredSet(number, 0, {}, ()) for number in numbers]


@pytest.mark.parametrize(
    ("stored", "installed", "steps", "expected"),
    [((1, 2, 3), 3, 1, 2), ((1, 2, 3), 3, 2, 1), ((1, 2, 3), 2, 1, 1), ((4, 7), 7, 1, 4)],
)
def test_pick(stored: tuple[int, ...], installed: int, steps: int, expected: int) -> None:
    assert pick(sets(*stored), installed, steps).number == expected


@pytest.mark.parametrize(("stored", "installed", "steps"), [((), 0, 1), ((1,), 1, 1), ((1, 2), 2, 2)])
def test_nothing_to_go_back_to(stored: tuple[int, ...], installed: int, steps: int) -> None:
    with pytest.raises(UsageError):
        pick(sets(*stored), installed, steps)


def test_newest_first() -> None:
    assert [one.number for one in earlier_sets(sets(1, 2, 3), 3)] == [2, 1]


def test_old_sets_are_pruned(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobs.install.receipt.SETS_KEPT", 2)
    for number in range(4):
        world.install(wanted("a", f"exit {number}"))
    assert [one.number for one in world.operation().archive.sets()] == [3, 4]


def test_damaged_set_is_left_out(world: World) -> None:
    world.install(wanted("a"))
    path: Path = world.state / "install/sets/0001.json"
    path.write_text("{")
    assert world.operation().archive.sets() == ()
