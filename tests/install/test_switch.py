"""enable, disable, restart."""

from __future__ import annotations

import time

import pytest

from jobs.errors import UsageError
from jobs.install.launchd_steps import StepError
from jobs.install.operation import Operation
from jobs.install.switch import disable, enable, labels_of, restart
from tests.install.world import DOMAIN, PREFIX, World, wanted

LABEL = f"{PREFIX}.a"


def act(world: World, what: object, **options: object) -> str:
    operation = world.operation(**options)
    with operation.locked():
        return str(what(operation, LABEL))  # type: ignore[operator]


def test_disable_outlives_an_install_and_enable_brings_it_back(world: World) -> None:
    job = wanted("a")
    world.install(job)
    assert act(world, disable) == "a is switched off and no longer loaded"
    assert world.loaded() == {}
    assert world.double.overrides() == {LABEL: True}
    world.double.forget_calls()
    changed = wanted("a", "exit 3")
    plan, _ = world.install(changed)
    assert world.double.writes() == []
    assert world.kinds(plan) == {"a": "rewrite"}
    assert world.loaded() == {}
    assert act(world, enable) == "a is switched on and loaded; its slots count from now"
    world.agrees(changed)


def test_enable_behind_the_back_ends_the_hold(world: World) -> None:
    world.install(wanted("a"))
    act(world, disable)
    world.double.call("enable", f"{DOMAIN}/{LABEL}")
    world.install(wanted("a"))
    world.agrees(wanted("a"))


def test_uninstall_lifts_the_hold(world: World) -> None:
    world.install(wanted("a"))
    act(world, disable)
    world.uninstall()
    assert world.double.overrides() == {LABEL: False}


def test_enable_of_a_deleted_plist_says_what_to_do(world: World) -> None:
    world.install(wanted("a"))
    act(world, disable)
    world.path("a").unlink()
    with pytest.raises(Exception, match="run `jobsctl install`"):
        act(world, enable)


def test_unknown_name(world: World) -> None:
    world.install(wanted("backup"))
    with pytest.raises(UsageError, match="did you mean 'backup'"):
        labels_of(world.operation(), ["backpu"])


def running(world: World, runs: int) -> bool:
    end = time.monotonic() + 5
    while time.monotonic() < end:
        service = world.double.services()[LABEL]
        if service["runs"] >= runs and service["pid"]:
            return True
        time.sleep(0.01)
    return False


def test_restart_starts_a_daemon_again(world: World) -> None:
    world.install(wanted("a", "exec sleep 60", daemon=True, KeepAlive=True))
    assert running(world, 1)
    assert act(world, restart) == "a was started again"
    assert running(world, 2)


def test_s32_restart_of_what_is_not_loaded_loads_it(world: World) -> None:
    world.install(wanted("a"))
    world.double.call("bootout", f"{DOMAIN}/{LABEL}")
    assert act(world, restart) == "a was not loaded; it is now"
    world.agrees(wanted("a"))


def test_s35_kickstart_that_hangs_is_given_up(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobs.install.switch.KICKSTART_S", 0.3)
    world.install(wanted("a", "exit 78"))
    world.double.call("kickstart", f"{DOMAIN}/{LABEL}")
    world.double.settle()
    world.double.set(kickstart_hangs=[LABEL])
    world.double.forget_calls()
    with pytest.raises(StepError, match="last exit: exit 78"):
        act(world, restart)
    assert [words[0] for words in world.double.writes()] == ["kickstart", "bootout", "bootstrap", "kickstart"]


def test_s35_one_reload_helps(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobs.install.switch.KICKSTART_S", 2.0)
    world.install(wanted("a"))
    world.double.set(script=[{"verb": "kickstart", "label": LABEL, "hang": True}])
    assert "loaded again and started" in act(world, restart)


def test_restart_of_a_held_job_is_refused(world: World) -> None:
    world.install(wanted("a"))
    act(world, disable)
    with pytest.raises(UsageError, match="switched off"):
        act(world, restart)


def test_disable_killed_in_the_middle_is_finished_by_install(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.install(wanted("a"))

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("jobs.install.launchd_steps.LaunchdSteps.unload", killed)
        with pytest.raises(KeyboardInterrupt):
            act(world, disable)
    plan, _ = world.install(wanted("a"))
    assert world.kinds(plan) == {"a": "unload"}
    assert world.loaded() == {}
    assert isinstance(world.operation(), Operation)
