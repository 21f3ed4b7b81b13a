"""`jobs build`: what it writes, what it leaves, what it says."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.project import Project, daily

LOCK = "jobs.lock.json"
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2  # linux/prctl.h, linux/capability.h


def test_the_first_build_tells_every_file(project: Project) -> None:
    done = project.call("build")
    assert (done.status, done.err) == (0, "")
    *lines, last = done.out.splitlines()
    assert sorted(line.split()[1] for line in lines) == sorted(project.tree())
    assert last == f"{len(lines)} added, 0 files up to date"


def test_a_second_build_writes_nothing(project: Project) -> None:
    project.call("build")
    before = project.tree()
    times = {path: (project.folder / "generated" / path).stat().st_mtime_ns for path in before}
    done = project.call("build")
    assert (done.status, done.out) == (0, f"{len(before)} files up to date\n")
    assert project.tree() == before
    assert {path: (project.folder / "generated" / path).stat().st_mtime_ns for path in before} == times


def test_only_what_differs_is_written(project: Project) -> None:
    project.call("build")
    before = project.tree()
    project.write(daily("a", "echo changed") + daily("b"))
    done = project.call("build")
    assert [line for line in done.out.splitlines() if "up to date" not in line] == [
        "changed  bin/a",
        f"changed  {LOCK}",
    ]
    after = project.tree()
    assert {path for path in after if after[path][1] != before[path][1]} == {"bin/a", LOCK}


def test_a_job_that_is_gone_is_pruned(project: Project) -> None:
    project.call("build")
    project.write(daily("a"))
    done = project.call("build")
    assert "removed  bin/b\n" in done.out
    assert "removed  launchd/com.example.b.plist\n" in done.out
    assert not [path for path in project.tree() if "/b" in path or ".b." in path]


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o077], ids=oct)
def test_s15_modes_whatever_the_umask(project: Project, umask: int) -> None:
    project.start("build", umask=umask)
    modes = {path: mode for path, (mode, _, _) in project.tree().items()}
    assert all(mode == (0o755 if path.startswith("bin/") else 0o644) for path, mode in modes.items())
    assert (project.folder / "generated" / "bin").stat().st_mode & 0o7777 == 0o755


def test_a_wrong_mode_is_mended_without_writing(project: Project) -> None:
    project.call("build")
    inode = project.tree()["bin/a"][1]
    (project.folder / "generated/bin/a").chmod(0o644)
    done = project.call("build")
    assert done.out.splitlines()[0] == "mode     bin/a  (0644 instead of 0755)"
    assert project.tree()["bin/a"][:2] == (0o755, inode)


def test_the_output_lies_beside_the_manifest_wherever_it_is_called_from(
    project: Project, tmp_path: Path
) -> None:
    project.call("build", "--manifest", str(project.folder / "jobs.toml"), cwd=tmp_path)
    assert project.tree()
    assert not (tmp_path / "generated").exists()


def test_another_output_gets_the_same_bytes(project: Project) -> None:
    project.call("build")
    done = project.call("build", "--output", "elsewhere")
    assert done.status == 0
    assert {path: data for path, (_, _, data) in project.tree("elsewhere").items()} == {
        path: data for path, (_, _, data) in project.tree().items()
    }


# Files that are not as the tool left them.


def edit(project: Project, path: str = "bin/a", text: str = "# mine\n") -> Path:
    place = project.folder / "generated" / path
    place.write_text(text)
    return place


def test_an_edited_file_is_not_replaced(project: Project) -> None:
    project.call("build")
    place = edit(project)
    before = project.tree()
    project.write(daily("a") + daily("b", "echo changed"))
    done = project.call("build")
    assert done.status == 1
    assert f"{place}: it was edited by hand" in done.err
    assert "nothing was written" in done.err
    assert "--force" in done.err
    assert done.out == ""
    assert project.tree() == before


def test_force_replaces_an_edited_file(project: Project) -> None:
    project.call("build")
    before = project.tree()["bin/a"][2]
    edit(project)
    assert project.call("build", "--force").status == 0
    assert project.tree()["bin/a"][2] == before


def test_a_foreign_file_in_the_way_is_not_replaced(project: Project) -> None:
    (project.folder / "generated/bin").mkdir(parents=True)
    place = edit(project)
    done = project.call("build")
    assert done.status == 1
    assert f"{place}: jobs did not write it" in done.err
    assert list(project.tree()) == ["bin/a"]


def test_foreign_files_in_nobodys_way_stay(project: Project) -> None:
    project.call("build")
    edit(project, "launchd/com.other.plist", "theirs")
    edit(project, "README", "theirs")
    project.write(daily("a"))
    assert project.call("build", "--force").status == 0
    assert {"launchd/com.other.plist", "README"} <= project.tree().keys()


def test_an_edited_file_of_a_job_that_is_gone_stays_and_is_told(project: Project) -> None:
    project.call("build")
    edit(project, "bin/b")
    project.write(daily("a"))
    done = project.call("build")
    assert done.status == 0
    assert "kept     bin/b" in done.out
    assert project.tree()["bin/b"][2] == b"# mine\n"


def test_a_damaged_lock_file_is_told_and_can_be_forced(project: Project) -> None:
    project.call("build")
    before = {path: data for path, (_, _, data) in project.tree().items()}
    edit(project, LOCK, "<<<<<<< HEAD\n")
    done = project.call("build")
    assert done.status == 1
    assert f"{LOCK} is damaged" in done.err
    assert project.call("build", "--force").status == 0
    assert {path: data for path, (_, _, data) in project.tree().items()} == before


def test_a_lock_file_cannot_make_prune_leave_the_folder(project: Project) -> None:
    project.call("build")
    victim = project.folder / "jobs.toml"
    lock = json.loads((project.folder / "generated" / LOCK).read_text())
    lock["files"]["../jobs.toml"] = {"sha256": "x"}
    edit(project, LOCK, json.dumps(lock))
    assert project.call("build", "--force").status == 0
    assert victim.exists()


def test_without_its_lock_file_a_build_that_is_right_is_taken_over(project: Project) -> None:
    project.call("build")
    (project.folder / "generated" / LOCK).unlink()
    done = project.call("build")
    assert (done.status, done.out.splitlines()[0]) == (0, f"added    {LOCK}")


@pytest.mark.parametrize("name", ["bin", "lib", "launchd"])
def test_a_folder_that_is_a_symlink_is_never_written_through(
    project: Project, name: str, tmp_path: Path
) -> None:
    (tmp_path / "target").mkdir()
    (project.folder / "generated").mkdir()
    (project.folder / "generated" / name).symlink_to(tmp_path / "target")
    for words in (["build"], ["build", "--force"], ["build", "--check"]):
        done = project.call(*words)
        assert done.status == 1
        assert f"{name} is not a folder of its own" in done.err
    assert not list((tmp_path / "target").iterdir())


def test_a_file_that_is_a_symlink_is_not_followed(project: Project, tmp_path: Path) -> None:
    project.call("build")
    target = tmp_path / "target"
    target.write_text("precious")
    place = project.folder / "generated/bin/a"
    place.unlink()
    place.symlink_to(target)
    done = project.call("build")
    assert done.status == 1
    assert "it is a symlink" in done.err
    assert project.call("build", "--force").status == 0
    assert not place.is_symlink()
    assert target.read_text() == "precious"


def test_the_output_folder_itself_may_be_a_symlink(project: Project, tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    (project.folder / "generated").symlink_to(tmp_path / "target")
    assert project.call("build").status == 0
    assert (tmp_path / "target" / LOCK).is_file()


@pytest.mark.parametrize(
    ("place", "words"),
    [
        pytest.param("generated/bin/a/x", "a folder stands in its place", id="a folder instead of a file"),
        pytest.param("generated/bin", "is not a folder of its own", id="a file instead of a folder"),
        pytest.param("generated", "generated", id="a file instead of the output folder"),
    ],
)
def test_something_else_stands_in_the_way(project: Project, place: str, words: str) -> None:
    path = project.folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    for command in (["build"], ["build", "--force"]):
        done = project.call(*command)
        assert done.status == 1
        assert words in done.err
        assert path.read_text() == "x"


# A machine that says no.


def obey_permissions() -> None:
    """Before exec: take from root what lets it pass over permissions."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
            assert libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0


def make_read_only(project: Project) -> None:
    for folder in (project.folder / "generated", *(project.folder / "generated").iterdir()):
        if folder.is_dir():
            folder.chmod(0o555)


def test_a_read_only_folder(project: Project) -> None:
    project.call("build")
    project.write(daily("a", "echo changed") + daily("b"))
    before = project.tree()
    make_read_only(project)
    done = project.start("build", preexec_fn=obey_permissions)
    assert done.status == 1
    assert "Permission denied" in done.err
    assert len(done.err.splitlines()) == 1
    assert project.tree() == before
    assert project.start("build", "--check", preexec_fn=obey_permissions).status == 1


def test_a_read_only_folder_that_is_up_to_date_is_no_error(project: Project) -> None:
    project.call("build")
    make_read_only(project)
    assert project.start("build", preexec_fn=obey_permissions).status == 0


def test_a_full_disk_changes_nothing(project: Project) -> None:
    # The limit on the size of a file gives a short write and then an error, as a full disk does.
    project.call("build")
    before = project.tree()
    smallest_that_fails = len(before["lib/run.sh"][2]) - 100
    project.write(daily("a", "echo changed") + daily("b", "x" * (smallest_that_fails + 200)))

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (smallest_that_fails, smallest_that_fails))

    done = project.start("build", preexec_fn=limit)
    assert done.status == 1
    assert "cannot write" in done.err
    assert "generated/bin/b" in done.err
    assert project.tree() == before


KILLED_BETWEEN_RENAMES = """
import os, signal, sys
from jobs.cli.app import main
real, count = os.replace, 0
def replace(*words):
    global count
    count += 1
    if count > 1:
        os.kill(os.getpid(), signal.SIGKILL)
    real(*words)
os.replace = replace
main(["build"])
"""


def test_a_build_that_was_killed_half_way_is_finished_by_the_next(project: Project) -> None:
    project.call("build")
    project.write(daily("a", "echo one") + daily("b", "echo one"))
    done = subprocess.run(
        [sys.executable, "-c", KILLED_BETWEEN_RENAMES],
        cwd=project.folder, env=project.environment(), stdout=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL
    # The manifest changes once more: the half that was renamed is known all the same.
    project.write(daily("a", "echo two"))
    last = project.call("build")
    assert (last.status, last.err) == (0, "")
    assert b"echo two" in project.tree()["bin/a"][2]
    assert "bin/b" not in project.tree()
    assert not [path for path in project.tree() if "jobs-new" in path]


def test_many_builds_at_once_leave_one_whole_build(project: Project) -> None:
    running = [
        subprocess.Popen(
            project.command("build"), cwd=project.folder, env=project.environment(), stdout=subprocess.DEVNULL
        )
        for _ in range(6)
    ]
    assert [process.wait(timeout=60) for process in running] == [0] * 6
    assert project.call("build", "--check").status == 0


# --check


def test_check_of_a_good_build(project: Project) -> None:
    project.call("build")
    done = project.call("build", "--check")
    assert (done.status, done.err) == (0, "")
    assert done.out == f"{len(project.tree())} files up to date\n"


def test_check_shows_the_difference_and_writes_nothing(project: Project) -> None:
    project.call("build")
    before = project.tree()
    project.write(daily("a", "echo changed"))
    done = project.call("build", "--check")
    assert done.status == 1
    assert "--- a/bin/a\n+++ b/bin/a\n" in done.out
    assert "+    exec /bin/sh -c 'echo changed' 'a'\n" in done.out
    assert "--- a/bin/b\n+++ /dev/null\n" in done.out
    assert "is stale: run `jobsctl build`" in done.err
    assert project.tree() == before


def test_check_before_the_first_build_makes_no_folder(project: Project) -> None:
    done = project.call("build", "--check")
    assert done.status == 1
    assert "--- /dev/null\n+++ b/bin/a\n" in done.out
    assert not (project.folder / "generated").exists()


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda path: path.chmod(0o644), id="mode"),
        pytest.param(lambda path: path.write_text("# mine\n"), id="edited by hand"),
        pytest.param(lambda path: path.unlink(), id="gone"),
        pytest.param(lambda path: (path.unlink(), path.symlink_to("b")), id="a symlink"),
        pytest.param(lambda path: (path.unlink(), path.mkdir()), id="a folder"),
    ],
)
def test_check_finds(project: Project, damage: Any) -> None:
    project.call("build")
    damage(project.folder / "generated/bin/a")
    done = project.call("build", "--check")
    assert done.status == 1
    assert "bin/a" in done.out


def test_check_does_not_mind_the_umask_of_a_clone(project: Project) -> None:
    project.call("build")
    for path, (mode, _, _) in project.tree().items():
        (project.folder / "generated" / path).chmod(mode & 0o700)
    assert project.call("build", "--check").status == 0


# --json


def test_json_of_a_build(project: Project) -> None:
    report = json.loads(project.call("build", "--json").out)
    assert report["written"] is True
    assert report["output"] == str(project.folder / "generated")
    assert {"path": "bin/a", "change": "added"} in report["changes"]
    again = json.loads(project.call("build", "--json").out)
    assert (again["written"], again["changes"], again["up_to_date"]) == (False, [], len(project.tree()))


def test_json_of_a_stale_check(project: Project) -> None:
    project.call("build")
    (project.folder / "generated/bin/a").chmod(0o644)
    done = project.call("build", "--check", "--json")
    assert done.status == 1
    assert json.loads(done.out)["changes"] == [
        {"path": "bin/a", "change": "mode", "reason": "0644 instead of 0755"}
    ]


def test_json_of_a_refusal(project: Project) -> None:
    project.call("build")
    edit(project)
    done = project.call("build", "--json")
    assert done.status == 1
    assert json.loads(done.out)["changes"] == [
        {"path": "bin/a", "change": "refused", "reason": "it was edited by hand"}
    ]
