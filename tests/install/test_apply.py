"""Installing against the double: real files, real processes, launchd's races."""

from __future__ import annotations

import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from jobs.install.describe import failure_lines, verdict
from jobs.system.launchctl import NoSessionError
from tests.install.world import DOMAIN, PREFIX, QUICK, World, plist, wanted

DEAF = "trap '' TERM; while :; do sleep 0.05; done"
OBEDIENT = "exec sleep 60"


def run(world: World, name: str) -> None:
    """Let launchd start a job and wait until it runs."""
    world.double.call("kickstart", f"{DOMAIN}/{PREFIX}.{name}")
    end = time.monotonic() + 5
    while time.monotonic() < end and world.double.services()[f"{PREFIX}.{name}"]["state"] != "running":
        time.sleep(0.01)


def test_first_install_makes_folders_and_loads(world: World) -> None:
    jobs = wanted("a"), wanted("b")
    plan, result = world.install(*jobs)
    assert world.kinds(plan) == {"a": "add", "b": "add"}
    assert not result.failed
    assert verdict(plan, result) == "2 jobs loaded"
    world.agrees(*jobs)
    assert world.site.logs.is_dir()
    assert (world.state.stat().st_mode & 0o777) == 0o700
    assert (world.state / "since" / "a").read_text().strip().isdigit()


def test_second_install_writes_nothing(world: World) -> None:
    jobs = [wanted(name) for name in "abc"]
    world.install(*jobs)
    world.double.forget_calls()
    plan, _ = world.install(*jobs)
    assert not plan.changes
    assert world.double.writes() == []


@pytest.mark.parametrize("mask", [0o000, 0o002, 0o077], ids=["S15-umask-000", "S15-umask-002", "umask-077"])
def test_mode_is_0644_whatever_the_umask(world: World, mask: int) -> None:
    old = os.umask(mask)
    try:
        _, result = world.install(wanted("a"))
    finally:
        os.umask(old)
    assert not result.failed
    assert world.path("a").stat().st_mode & 0o777 == 0o644


def test_change_reloads_only_that_job(world: World) -> None:
    world.install(wanted("a"), wanted("b"))
    world.double.forget_calls()
    changed = wanted("a", "exit 3")
    plan, _ = world.install(changed, wanted("b"))
    assert world.kinds(plan) == {"a": "change", "b": "keep"}
    assert [words[0] for words in world.double.writes()] == ["bootout", "bootstrap"]
    assert [str(one) for one in plan.actions[-1].differences] or plan.actions[0].differences
    world.agrees(changed, wanted("b"))


def test_dry_run_lines_are_the_calls_that_follow(world: World) -> None:
    world.install(wanted("a"), wanted("gone"))
    world.double.call("disable", f"{DOMAIN}/{PREFIX}.a")
    world.double.forget_calls()
    plan, _ = world.install(wanted("a", "exit 3"), wanted("new"))
    promised = [line for action in plan.actions for line in action.commands()]
    assert promised == ["launchctl " + " ".join(words) for words in world.double.writes()]


def test_s19_renamed_job_leaves_nothing_behind(world: World) -> None:
    world.install(wanted("backup"))
    plan, result = world.install(wanted("nightly-backup"))
    assert world.kinds(plan) == {"backup": "remove", "nightly-backup": "add"}
    assert set(world.loaded()) == {"nightly-backup"}
    assert list(world.files()) == [f"{PREFIX}.nightly-backup.plist"]
    assert verdict(plan, result) == "1 job loaded; 1 removed"


@pytest.mark.parametrize("status", [0, 36], ids=["S30-today", "S30-before-macos-12"])
def test_s30_waits_until_the_label_is_gone(world: World, status: int) -> None:
    world.install(wanted("a"))
    world.double.set(linger_s=15.0, bootout_draining=status)  # 0.3 real seconds
    changed = wanted("a", "exit 3")
    _, result = world.install(changed)
    assert not result.failed
    world.agrees(changed)
    verbs = [words[0] for _, words in world.double.calls()]
    assert verbs.count("bootstrap") == 2  # one each: nothing was tried while the label lingered


def test_s30_draining_job_is_waited_for(world: World) -> None:
    world.install(wanted("a", "trap 'sleep 0.3; exit 0' TERM; while :; do sleep 0.02; done"))
    run(world, "a")
    changed = wanted("a", "exit 3")
    _, result = world.install(changed, now=True)
    assert not result.failed
    world.agrees(changed)


def test_s31_label_that_never_drains_is_told(world: World) -> None:
    first = wanted("a", DEAF)
    world.install(first, wanted("b"))
    run(world, "a")
    world.double.set(deaf=True)
    slow = wanted("a", "exit 3", ExitTimeOut=1)
    # The loaded job's ExitTimeOut is 30 s; the clock of the patience makes them short.
    ticks = iter(range(0, 100000, 10))
    world.patience = type(QUICK)(
        poll_s=0.0, poll_max_s=0.0, margin_s=1.0, sleep=lambda _s: None, clock=lambda: next(ticks)
    )
    plan, result = world.install(slow, wanted("b", "exit 4"), now=True)
    assert [done.action.name for done in result.failed] == ["a"]
    (line,) = failure_lines(result)
    assert "still holds the label" in line
    assert "NOT loaded" in line
    assert "put back" not in line
    assert "NOT as the manifest says: a" in verdict(plan, result)
    os.kill(world.double.services()[f"{PREFIX}.a"]["pid"], signal.SIGKILL)
    world.double.settle()
    world.patience = QUICK
    world.double.set(deaf=False)
    world.install(slow, wanted("b", "exit 4"))
    world.agrees(slow, wanted("b", "exit 4"))


@pytest.mark.parametrize("spelling", ["words", "booleans"])
@pytest.mark.parametrize("loads", [False, True], ids=["119", "loads-and-never-runs"])
def test_s33_disabled_label_is_enabled_first(world: World, spelling: str, *, loads: bool) -> None:
    world.double.set(disabled_spelling=spelling, disabled_loads=loads, login_items=True)
    world.double.call("disable", f"{DOMAIN}/{PREFIX}.a")
    plan, result = world.install(wanted("a"))
    assert not result.failed
    assert "override" in plan.actions[0].reason
    assert world.double.overrides() == {f"{PREFIX}.a": False}
    world.agrees(wanted("a"))


def test_s33_job_switched_off_in_the_manifest_is_not_enabled(world: World) -> None:
    world.double.call("disable", f"{DOMAIN}/{PREFIX}.a")
    world.double.forget_calls()
    plan, result = world.install(wanted("a", enabled=False))
    assert world.double.writes() == []
    assert world.files() == {}
    assert verdict(plan, result) == "0 jobs loaded; switched off: a"


def test_switching_off_in_the_manifest_removes(world: World) -> None:
    world.install(wanted("a"))
    world.install(wanted("a", enabled=False))
    assert world.loaded() == {}
    assert world.files() == {}
    world.agrees()


@pytest.mark.parametrize("code", [125, 112], ids=["S34-125", "S34-112"])
def test_s34_no_desktop_session(world: World, code: int) -> None:
    world.double.set(session=code)
    with pytest.raises(NoSessionError, match="no desktop session: log in once"):
        world.install(wanted("a"))
    assert world.files() == {}
    assert len(world.double.calls()) == 1


def test_session_that_ends_in_the_middle_stops_the_install(world: World) -> None:
    with pytest.raises(NoSessionError):
        world.install(wanted("a"), wanted("b"), before=lambda: world.double.set(session=125))
    world.double.set(session=0)
    world.install(wanted("a"), wanted("b"))
    world.agrees(wanted("a"), wanted("b"))


REFUSALS = {
    "hidden-for-ever": [{"verb": "bootstrap", "label": ".b", "status": 5, "times": 50}],
    "134": [{"verb": "bootstrap", "label": ".b", "status": 134, "times": 50}],
    "122-hidden": [{"verb": "bootstrap", "label": ".b", "status": 122, "times": 50}],
    "no-answer": [{"verb": "bootstrap", "label": ".b", "hang": True, "times": 1}],
}


@pytest.mark.parametrize("script", REFUSALS.values(), ids=REFUSALS.keys())
def test_one_failure_is_put_back_and_the_rest_goes_on(world: World, script: list[dict[str, object]]) -> None:
    old = [wanted(name) for name in "abc"]
    world.install(*old)
    world.launchctl.limits_s = {"bootstrap": 2.0}
    new = [wanted(name, "exit 3") for name in "abc"]
    refused = script if "hang" in script[0] else [{**script[0], "times": 3}]
    refused = [
        {**entry, "times": 3 if entry["status"] == 5 else 1} if "status" in entry else entry
        for entry in refused
    ]
    plan, result = world.install(*new, before=lambda: world.double.set(script=refused))
    assert [done.action.name for done in result.failed] == ["b"]
    assert "put back: the old one is loaded" in failure_lines(result)[0]
    assert verdict(plan, result).startswith("3 jobs loaded")
    world.agrees(new[0], old[1], new[2])
    world.double.set(script=[])
    world.install(*new)
    world.agrees(*new)


def test_all_or_nothing_puts_everything_back(world: World) -> None:
    old = [wanted(name) for name in "abc"]
    world.install(*old)
    new = [wanted(name, "exit 3") for name in "abc"]
    refuse = [{"verb": "bootstrap", "label": ".c", "status": 134, "times": 1}]
    _, result = world.install(*new, all_or_nothing=True, before=lambda: world.double.set(script=refuse))
    assert result.undone
    world.agrees(*old)


@pytest.mark.parametrize("code", [5, 37], ids=["S30-hidden", "S30-plain"])
def test_retry_after_bootout_where_it_helps(world: World, code: int) -> None:
    world.install(wanted("a"))
    refuse = [{"verb": "bootstrap", "label": ".a", "status": code, "times": 2}]
    changed = wanted("a", "exit 3")
    _, result = world.install(changed, before=lambda: world.double.set(script=refuse))
    assert not result.failed
    world.agrees(changed)


@pytest.mark.parametrize("code", [5, 22, 109, 122, 134, 140, 155])
def test_no_retry_where_it_cannot_help(world: World, code: int) -> None:
    world.double.set(script=[{"verb": "bootstrap", "label": ".a", "status": code, "times": 9}])
    _, result = world.install(wanted("a"))
    assert str(code) in result.failed[0].error
    assert [words[0] for words in world.double.writes()] == ["bootstrap"]
    assert world.files() == {}
    assert world.operation().receipt.jobs == {}


def test_running_job_is_not_killed(world: World, tmp_path: Path) -> None:
    mark, go = tmp_path / "mark", tmp_path / "go"
    world.install(wanted("a", f"until [ -e {go} ]; do sleep 0.02; done; echo done > {mark}"))
    run(world, "a")
    changed = wanted("a", "exit 3")
    plan, result = world.install(changed, before=go.touch)
    assert plan.actions[0].waits
    assert not result.failed
    assert mark.read_text() == "done\n"
    world.agrees(changed)


def test_now_stops_a_running_job(world: World) -> None:
    world.install(wanted("a", OBEDIENT))
    run(world, "a")
    changed = wanted("a", "exit 3")
    plan, result = world.install(changed, now=True)
    assert not plan.actions[0].waits
    assert not result.failed
    world.agrees(changed)


def test_job_that_runs_on_is_left_as_it_was(world: World) -> None:
    first = wanted("a", OBEDIENT)
    world.install(first)
    run(world, "a")
    world.patience = type(QUICK)(poll_s=0.02, run_s=0.1)
    _, result = world.install(wanted("a", "exit 3"))
    assert "still runs" in result.failed[0].error
    assert world.double.services()[f"{PREFIX}.a"]["pid"]
    assert world.path("a").read_bytes() == first.data


def test_daemon_is_reloaded_without_waiting(world: World) -> None:
    first = wanted("d", OBEDIENT, daemon=True, KeepAlive=True)
    world.install(first)
    run(world, "d")
    changed = wanted("d", "exec sleep 61", daemon=True, KeepAlive=True)
    _, result = world.install(changed)
    assert not result.failed
    world.agrees(changed)


FOREIGN = {
    "other-content": lambda path: path.write_bytes(plist("com.example.a", "echo foreign")),
    "no-plist-at-all": lambda path: path.write_bytes(b"hello"),
    "symlink": lambda path: path.symlink_to("/nowhere/x.plist"),
    "folder": lambda path: path.mkdir(),
}


def identity(path: Path) -> tuple[int, ...]:
    """What changes when a file is written or replaced."""
    found = path.lstat()
    return found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns


@pytest.mark.parametrize("make", FOREIGN.values(), ids=FOREIGN.keys())
def test_foreign_file_is_left_and_named(world: World, make: object) -> None:
    world.folder.mkdir(parents=True)
    make(world.path("a"))  # type: ignore[operator]
    before = identity(world.path("a"))
    plan, result = world.install(wanted("a"), wanted("b"))
    assert world.kinds(plan) == {"a": "leave", "b": "add"}
    assert identity(world.path("a")) == before
    assert set(world.loaded()) == {"b"}
    assert "NOT as the manifest says: a" in verdict(plan, result)


@pytest.mark.parametrize("kind", ["other-content", "symlink"])
def test_force_takes_over_and_keeps_a_copy(world: World, kind: str) -> None:
    world.folder.mkdir(parents=True)
    FOREIGN[kind](world.path("a"))
    _, result = world.install(wanted("a"), force=["a"])
    assert not result.failed
    (copy,) = result.kept_copies
    assert copy.is_symlink() if kind == "symlink" else b"foreign" in copy.read_bytes()
    world.agrees(wanted("a"))


def test_hand_edited_plist_is_left(world: World) -> None:
    world.install(wanted("a"))
    world.path("a").write_bytes(plist("com.example.a", "echo mine"))
    plan, _ = world.install(wanted("a", "exit 3"))
    assert world.kinds(plan) == {"a": "leave"}
    assert "edited by hand" in plan.actions[0].reason
    assert b"mine" in world.path("a").read_bytes()
    world.install(wanted("a", "exit 3"), force=["a"])
    world.agrees(wanted("a", "exit 3"))


def test_label_loaded_from_elsewhere_is_left(world: World, tmp_path: Path) -> None:
    path = tmp_path / "elsewhere.plist"
    path.write_bytes(plist(f"{PREFIX}.a", "exit 9"))
    world.double.call("bootstrap", DOMAIN, str(path))
    plan, _ = world.install(wanted("a"))
    assert world.kinds(plan) == {"a": "leave"}
    assert str(path) in plan.actions[0].reason


BEHIND_THE_BACK = {
    "booted-out": (lambda w: w.double.call("bootout", f"{DOMAIN}/{PREFIX}.a"), "load"),
    "file-deleted": (lambda w: w.path("a").unlink(), "change"),
    "disabled": (lambda w: w.double.call("disable", f"{DOMAIN}/{PREFIX}.a"), "enable"),
    "group-writable": (lambda w: w.path("a").chmod(0o664), "rewrite"),
    "state-folder-lost": (lambda w: shutil.rmtree(w.state), "reload"),
}


@pytest.mark.parametrize(("act", "kind"), BEHIND_THE_BACK.values(), ids=BEHIND_THE_BACK.keys())
def test_what_was_done_behind_the_back_is_mended(world: World, act: object, kind: str) -> None:
    world.install(wanted("a"))
    act(world)  # type: ignore[operator]
    plan, result = world.install(wanted("a"))
    assert world.kinds(plan) == {"a": kind}
    assert not result.failed
    world.agrees(wanted("a"))
    assert world.double.overrides().get(f"{PREFIX}.a", False) is False
    world.double.forget_calls()
    world.install(wanted("a"))
    assert world.double.writes() == []


def test_other_plist_loaded_under_the_label_is_replaced(world: World, tmp_path: Path) -> None:
    world.install(wanted("a"))
    other = tmp_path / f"{PREFIX}.a.plist"
    other.write_bytes(plist(f"{PREFIX}.a", "exit 9"))
    world.double.call("bootout", f"{DOMAIN}/{PREFIX}.a")
    world.double.call("bootstrap", DOMAIN, str(other))
    plan, _ = world.install(wanted("a"))
    assert world.kinds(plan) == {"a": "reload"}
    world.agrees(wanted("a"))


def test_disk_full_disturbs_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    old = wanted("a")
    world.install(old)
    world.double.forget_calls()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", str(world.path("a")))

    monkeypatch.setattr("jobs.install.apply.write_atomic", full)
    _, result = world.install(wanted("a", "exit 3"))
    assert "No space left" in result.failed[0].error
    assert world.double.writes() == []
    monkeypatch.undo()
    world.agrees(old)


def test_launch_agents_behind_a_symlink(world: World, tmp_path: Path) -> None:
    (world.home / "Library").mkdir()
    (tmp_path / "dotfiles").mkdir()
    world.folder.symlink_to(tmp_path / "dotfiles")
    world.install(wanted("a"))
    world.agrees(wanted("a"))


def test_launch_agents_that_is_no_folder(world: World) -> None:
    from jobs.errors import MachineError

    (world.home / "Library").mkdir()
    world.folder.symlink_to("/nowhere")
    with pytest.raises(MachineError, match="LaunchAgents"):
        world.install(wanted("a"))


def test_two_installs_at_once(world: World) -> None:
    from jobs.errors import MachineError

    with world.operation().locked(), pytest.raises(MachineError, match="another install"):
        world.install(wanted("a"))


def test_since_is_written_for_new_jobs_and_changed_schedules_only(world: World) -> None:
    since = world.state / "since" / "a"
    world.install(wanted("a"))
    since.write_text("1\n")
    world.install(wanted("a", "exit 3"))
    assert since.read_text() == "1\n"
    world.install(wanted("a", "exit 3", StartInterval=60))
    assert since.read_text() != "1\n"


def test_job_that_launchd_forgets_is_not_loaded_again(world: World) -> None:
    once = wanted("a", LaunchOnlyOnce=True, RunAtLoad=True)
    world.install(once)
    world.double.settle()
    assert world.loaded() == {}
    plan, result = world.install(once)
    assert not plan.changes
    assert verdict(plan, result) == "1 job loaded"


def test_uninstall_by_name_then_all(world: World) -> None:
    world.install(*[wanted(name) for name in "abc"])
    world.uninstall("b")
    world.agrees(wanted("a"), wanted("c"))
    world.uninstall()
    world.agrees()
    assert world.files() == {}
    assert world.loaded() == {}


def test_domain_change_moves_the_job(world: World) -> None:
    from dataclasses import replace

    job = wanted("a", LimitLoadToSessionType=["Aqua", "Background"])
    world.install(job)
    world.site = replace(world.site, domain=f"user/{os.getuid()}")
    _, result = world.install(job)
    assert not result.failed
    world.agrees(job)
    assert [service["domain"] for service in world.double.services().values()] == [world.site.domain]


VARIANTS = {
    "bootout-answers-36": {"bootout_draining": 36},
    "label-lingers": {"linger_s": 10.0},
    "nothing-is-hidden": {"hide": False},
    "old-spelling": {"disabled_spelling": "booleans", "disabled_indent": False},
    "login-items": {"login_items": True},
    "bootout-disables": {"bootout_disables": True},
    "label-alone": {"target_line": "label"},
    "own-overrides": {"shared_overrides": False},
    "exit-timeout-20": {"default_exit_timeout_s": 20},
}


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS.keys())
def test_every_launchd(world: World, options: dict[str, object]) -> None:
    world.double.set(**options)
    world.install(wanted("a"), wanted("b"))
    world.double.call("disable", f"{DOMAIN}/{PREFIX}.b")
    _, result = world.install(wanted("a", "exit 3"), wanted("b", "exit 3"))
    assert not result.failed
    world.agrees(wanted("a", "exit 3"), wanted("b", "exit 3"))
    assert not any(world.double.overrides().values())
    world.double.forget_calls()
    world.install(wanted("a", "exit 3"), wanted("b", "exit 3"))
    assert world.double.writes() == []


@pytest.mark.parametrize("target", ["gui/501", "gui/501/", "system", "system/", "user/501", ""])
def test_whole_domain_is_never_booted_out(world: World, target: str) -> None:
    with pytest.raises(ValueError, match="is no job"):
        world.operation().steps().unload(target, 5)
    assert world.double.calls() == []
