"""Each check: what it finds, what it leaves alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from jobs.doctor.check import Context, Finding
from jobs.doctor.checks import CHECKS
from jobs.doctor.installed_files import check_installed_files
from jobs.doctor.machine import check_clock, check_disk, check_logs, check_state
from jobs.doctor.privacy import check_privacy, guarded_folder
from jobs.doctor.probe import NAME, Probe, check_probe
from jobs.doctor.programs import check_programs
from jobs.doctor.session import check_launchctl, check_loaded, check_overrides, check_session
from jobs.doctor.twins import check_agents, check_crontab
from jobs.model.job import ShellLine
from tests.doctor.cases import NOW, context, job
from tests.install.world import DOMAIN, PREFIX, QUICK, World, plist, wanted


def messages(found: Iterable[Finding]) -> list[str]:
    return [finding.message for finding in found]


def one(found: Iterable[Finding]) -> Finding:
    (finding,) = found
    return finding


def script(path: Path, text: str = "#!/bin/sh\n", mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def test_names_are_unique() -> None:
    assert len({check.name for check in CHECKS}) == len(CHECKS)


def test_s22_program_not_on_the_path(world: World) -> None:
    npx = script(world.home / ".nvm/versions/node/v22.1.0/bin/npx-tool")
    found = context(world, job(world, "a", "npx-tool", "x"), search_path=str(npx.parent))
    finding = one(check_programs(found))
    assert "127" in finding.message
    assert str(npx) in finding.evidence
    assert str(npx.parent) in finding.fix


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda _path: None, "not there"),
        (lambda path: script(path, mode=0o644), "cannot be executed"),
        (lambda path: path.mkdir(parents=True), "is a folder"),
        (lambda path: script(path, "#!/bin/sh\r\n"), "carriage return"),
        (lambda path: script(path, "#!/opt/none/python\n"), "interpreter"),
        (script, None),
    ],
    ids=["missing", "no-x", "folder", "crlf", "no-interpreter", "good"],
)
def test_program_file(world: World, make: Callable[[Path], object], word: str | None) -> None:
    path = world.home / "work" / "bin" / "run.sh"
    make(path)
    found = messages(check_programs(context(world, job(world, "a", "bin/run.sh"))))
    assert (len(found) == 1 and word in found[0]) if word else not found


def test_versioned_folder_is_a_warning(world: World) -> None:
    path = script(world.home / ".nvm/versions/node/v22.1.0/bin/npx-tool")
    assert "version" in one(check_programs(context(world, job(world, "a", str(path))))).message


@pytest.mark.parametrize("text", ["cd /x && run", "A=1 run", "$HOME/bin/run", "if true; then x; fi", "'"])
def test_shell_lines_that_only_a_shell_understands_are_left(world: World, text: str) -> None:
    assert not messages(check_programs(context(world, job(world, run=ShellLine(text)))))


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("/Users/kim/Desktop/x", "/Users/kim/Desktop"),
        ("/Users/kim/Documents", "/Users/kim/Documents"),
        ("/Users/kim/Library/Mobile Documents/x", "/Users/kim/Library/Mobile Documents"),
        ("/Volumes/Ext/data", "/Volumes/Ext"),
        ("/Users/kim/DesktopStuff/x", None),
        ("/Users/kim/work", None),
        ("/Volumes/Macintosh HD/x", None),
    ],
)
def test_guarded(path: str, folder: str | None) -> None:
    assert guarded_folder(path, "/Users/kim") == folder


def test_s27_env_file_that_is_a_link_into_desktop(world: World) -> None:
    secret = script(world.home / "Desktop" / "secrets.env")
    link = world.home / "work" / ".env"
    link.parent.mkdir()
    link.symlink_to(secret)
    finding = one(check_privacy(context(world, job(world, env_file=str(link)))))
    assert "env_file" in finding.message
    assert str(secret) in finding.evidence
    assert "/bin/sh" in finding.fix


def test_installed_files(world: World) -> None:
    world.install(wanted("a"))
    script(world.home / "work/generated/bin/a")
    ready = context(world, job(world))
    assert not messages(check_installed_files(ready))
    world.path("a").chmod(0o664)
    assert "others may write" in one(check_installed_files(ready)).message
    world.path("a").unlink()
    assert "is gone" in one(check_installed_files(ready)).message
    world.path("a").symlink_to("/nowhere")
    assert "symlink" in one(check_installed_files(ready)).message


def test_missing_wrapper(world: World) -> None:
    world.install(wanted("a"))
    assert "78" in one(check_installed_files(context(world, job(world)))).message


def test_no_launchctl(world: World) -> None:
    empty = context(world, job(world), launchctl=None)
    assert "no launchctl" in one(check_launchctl(empty)).message
    for check in (check_session, check_overrides, check_loaded, check_probe):
        assert not messages(check(empty))


@pytest.mark.parametrize("code", [125, 112])
def test_session(world: World, code: int) -> None:
    assert not messages(check_session(context(world)))
    world.double.set(session=code)
    finding = one(check_session(context(world)))
    assert str(code) in finding.evidence


def test_override(world: World) -> None:
    world.install(wanted("a"))
    assert not messages(check_overrides(context(world)))
    world.double.call("disable", f"{DOMAIN}/{PREFIX}.a")
    assert "override" in one(check_overrides(context(world))).message


def test_not_loaded_and_78(world: World) -> None:
    world.install(wanted("a"), wanted("b", ProgramArguments=["/nowhere/x"]))
    world.double.call("kickstart", f"{DOMAIN}/{PREFIX}.b")
    world.double.settle()
    world.double.call("bootout", f"{DOMAIN}/{PREFIX}.a")
    found = messages(check_loaded(context(world)))
    assert "not have it loaded" in found[0]
    assert "78" in found[1]


def test_s55_other_agent_with_the_same_program(world: World, tmp_path: Path) -> None:
    mine = script(world.home / "work/bin/run")
    other = tmp_path / "LaunchDaemons"
    other.mkdir()
    (other / "old.plist").write_bytes(plist("org.old", f"exec {mine} --all"))
    (other / "else.plist").write_bytes(plist("org.else", f"exec {mine}-other"))
    (other / "broken.plist").write_bytes(b"no plist")
    finding = one(check_agents(context(world, job(world, "a", "bin/run"), agent_folders=(other,))))
    assert "org.old" in finding.message
    assert finding.job == "a"


def test_s19_old_label_that_no_receipt_knows(world: World) -> None:
    mine = script(world.home / "work/bin/run")
    world.folder.mkdir(parents=True)
    (world.folder / "com.example.backup.plist").write_bytes(plist("com.example.backup", str(mine)))
    assert "com.example.backup" in one(check_agents(context(world, job(world, "a", "bin/run")))).message


def test_own_plists_are_no_twins(world: World) -> None:
    mine = script(world.home / "work/bin/run")
    world.install(wanted("a", str(mine)))
    assert not messages(check_agents(context(world, job(world, "a", "bin/run"))))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("0 4 * * * {root}/bin/run >/dev/null", True),
        ("0 4 * * * cd {root} && bin/run", True),
        ("0 4 * * * ~/work/bin/run", True),
        ("# 0 4 * * * {root}/bin/run", False),
        ("0 4 * * * /usr/bin/other", False),
        ("0 4 * * * {root}/bin/run-all", False),
    ],
    ids=["S58-path", "cd-and-relative", "tilde", "comment", "other", "longer-name"],
)
def test_s58_crontab(world: World, tmp_path: Path, line: str, *, found: bool) -> None:
    root = world.home / "work"
    script(root / "bin/run")
    script(tmp_path / "cron/crontab", f"#!/bin/sh\ncat <<'EOF'\n{line.format(root=root)}\nEOF\n")
    seen = context(world, job(world, "a", "bin/run"), search_path=f"{tmp_path}/cron")
    assert bool(messages(check_crontab(seen))) is found


def test_crontab_that_may_not_be_read_is_quiet(world: World, tmp_path: Path) -> None:
    script(tmp_path / "cron/crontab", "#!/bin/sh\necho not allowed >&2; exit 1\n")
    assert not messages(check_crontab(context(world, job(world), search_path=f"{tmp_path}/cron")))


def test_clock(world: World) -> None:
    assert not messages(check_clock(context(world, job(world))))
    assert "years behind" in one(check_clock(context(world, job(world), now=1000))).message
    runs = world.state / "runs"
    runs.mkdir(parents=True)
    (runs / "a.jsonl").write_text(f'{{"epoch":{NOW + 9999},"event":"start"}}\n')
    assert "future" in one(check_clock(context(world, job(world)))).message


def test_disk(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.statvfs("/")
    full = type("Full", (), {"f_bavail": 1, "f_frsize": 4096, "f_favail": 10**6, "f_files": 10**6})
    monkeypatch.setattr(os, "statvfs", lambda _path: full)
    assert "full" in one(check_disk(context(world))).message
    monkeypatch.setattr(os, "statvfs", lambda _path: real)


def test_state(world: World) -> None:
    assert not messages(check_state(context(world)))
    world.install(wanted("a"))
    assert not messages(check_state(context(world)))
    world.state.chmod(0o755)
    assert "others may look" in one(check_state(context(world))).message


def test_state_behind_a_link(world: World, tmp_path: Path) -> None:
    world.state.parent.mkdir(parents=True)
    world.state.symlink_to(tmp_path)
    assert "no folder of its own" in messages(check_state(context(world)))[-1]


def test_s14_log_folder(world: World) -> None:
    assert "78" in one(check_logs(context(world, job(world)))).message
    (world.home / "Library/Logs/p").mkdir(parents=True)
    assert not messages(check_logs(context(world, job(world))))


def probed(found: Context) -> list[Finding]:
    return list(check_probe(found, Probe(QUICK, limit_s=5)))


def test_s29_probe_tells_absent_and_leaves_nothing(world: World) -> None:
    script(world.home / "work/bin/run")
    found = probed(
        context(
            world,
            job(world, "a", "bin/run"),
            job(world, "b", "tool-that-is-nowhere", env_file="/nowhere/.env"),
        )
    )
    assert [finding.message for finding in found] == [
        "env_file is not there: /nowhere/.env",
        "'tool-that-is-nowhere' is not found by a job of launchd: exit 127",
    ]
    assert f"{PREFIX}.{NAME}" not in world.double.services()
    assert not [path for path in (world.state / "install").iterdir() if "probe" in path.name]


def test_s29_probe_tells_denied(world: World, tmp_path: Path) -> None:
    script(tmp_path / "bin/ls", '#!/bin/sh\necho "ls: $2: Operation not permitted" >&2; exit 1\n')
    (world.home / "work").mkdir()
    script(tmp_path / "sh", f'#!/bin/sh\nPATH={tmp_path}/bin:$PATH; exec /bin/sh "$@"\n')
    found = context(world, job(world))
    from jobs.doctor import probe

    original = probe.SCRIPT
    probe.SCRIPT = f"PATH={tmp_path}/bin:$PATH\n{original}"
    try:
        finding = one(probed(found))
    finally:
        probe.SCRIPT = original
    assert "macOS denies it" in finding.message
    assert "Full Disk Access" in finding.fix


def test_probe_without_session(world: World) -> None:
    world.double.set(session=125)
    assert "could not run a probe job" in one(probed(context(world, job(world)))).message


def test_probe_left_by_a_killed_doctor_is_replaced(world: World, tmp_path: Path) -> None:
    label = f"{PREFIX}.{NAME}"
    path = tmp_path / f"{label}.plist"
    path.write_bytes(plist(label))
    world.double.call("bootstrap", DOMAIN, str(path))
    (world.home / "work").mkdir()
    assert not probed(context(world, job(world)))
    assert label not in world.double.services()
