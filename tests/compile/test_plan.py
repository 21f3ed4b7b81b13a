"""What compiling gives as a whole: which files, and that nothing of the building machine is in them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jobs.compile.files import digest
from jobs.compile.naming import LOCK_FILE
from jobs.compile.plan import compile_job, compile_manifest
from jobs.compile.wrapper import library_files
from jobs.errors import ManifestError
from jobs.model.job import Argv, CatchupSettings
from tests.compile.manifests import job, manifest, many
from tests.tools import require_tool

TOP = Path(__file__).resolve().parents[2]

BUILD = """
import sys, time
time.time = lambda: float(sys.argv[2])
from jobs.cli.app import main
sys.exit(main(["build", "--manifest", sys.argv[1], "--output", sys.argv[3]]))
"""


def built(
    output: Path, *, clock: str = "1796097600", umask: int = 0o022, cwd: str = "/", **env: str
) -> dict[str, object]:
    """Build the project's own manifest in a process of its own: path → mode and content."""
    surroundings = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(TOP / "src"), "HOME": "/nonexistent", **env}
    subprocess.run(
        [sys.executable, "-c", BUILD, str(TOP / "jobs.toml"), clock, str(output)],
        env=surroundings, cwd=cwd, umask=umask, check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    return {
        str(path.relative_to(output)): (path.stat().st_mode, path.read_bytes())
        for path in output.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    return built(tmp_path_factory.mktemp("reference"), PYTHONHASHSEED="0")


@pytest.mark.parametrize(
    "surroundings",
    [
        pytest.param({"HOME": "/Users/someone-else"}, id="HOME"),
        pytest.param({"USER": "ann", "LOGNAME": "ann"}, id="USER"),
        pytest.param({"TZ": "America/New_York"}, id="TZ"),
        pytest.param({"LANG": "tr_TR.UTF-8", "LC_ALL": "C"}, id="LANG"),
        pytest.param({"PYTHONHASHSEED": "4711"}, id="hash seed"),
        pytest.param({"PYTHONUTF8": "0", "PYTHONIOENCODING": "latin-1"}, id="encoding"),
        pytest.param({"clock": "1234567890"}, id="clock"),
    ],
)
def test_the_same_bytes_whoever_builds(
    tmp_path: Path, surroundings: dict[str, str], reference: dict[str, object]
) -> None:
    assert built(tmp_path / "out", **surroundings) == reference  # type: ignore[arg-type]


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o077], ids=oct)
def test_s15_the_same_modes_under_any_umask(tmp_path: Path, umask: int, reference: dict[str, object]) -> None:
    assert built(tmp_path / "out", umask=umask) == reference


def test_the_same_bytes_from_any_folder(tmp_path: Path, reference: dict[str, object]) -> None:
    assert built(tmp_path / "out", cwd=str(tmp_path)) == reference


def test_which_files_there_are() -> None:
    files = compile_manifest(
        manifest(job("a"), job("b", enabled=False), catchup=CatchupSettings(every_s=900))
    )
    own = [path for path in files if not path.startswith("lib/")]
    assert own == [
        "bin/a", "bin/b", "bin/catchup",
        "launchd/com.example.a.plist", "launchd/com.example.b.plist", "launchd/com.example.catchup.plist",
        "jobs.lock.json",
    ]  # fmt: skip
    assert {path: files[path] for path in files if path.startswith("lib/")} == library_files()


def test_a_catchup_without_a_time_of_its_own_has_no_job() -> None:
    assert not [
        path
        for path in compile_manifest(manifest(catchup=CatchupSettings(every_s=None)))
        if "catchup" in path and "lib/" not in path
    ]


def test_the_lock_file_tells_every_file() -> None:
    files = compile_manifest(many(7))
    lock = json.loads(files[LOCK_FILE])
    assert {path: entry["sha256"] for path, entry in lock["files"].items()} == {
        path: digest(data) for path, data in files.items() if path != LOCK_FILE
    }
    assert lock["files"]["bin/job-3"] | {"sha256": ""} == {
        "kind": "wrapper", "job": "job-3", "label": "com.example.job-3", "mode": "0755", "sha256": "",
    }  # fmt: skip


def test_a_job_that_is_switched_off_is_compiled_and_marked() -> None:
    files = compile_manifest(manifest(job("a", enabled=False)))
    lock = json.loads(files[LOCK_FILE])["files"]
    assert lock["launchd/com.example.a.plist"]["enabled"] is False
    # Not the key Disabled: that is only a default, which `launchctl enable` overrides for ever.
    assert b"Disabled" not in files["launchd/com.example.a.plist"]


def test_one_job_alone_gives_the_bytes_of_the_whole() -> None:
    of = many(3)
    files = compile_manifest(of)
    assert all(files[file.path] == file.data for one in of.jobs for file in compile_job(of, one))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        pytest.param(("Report", "report"), "would share the file", id="a Mac's disk tells no case"),
        pytest.param(("catchup",), "name of the catch-up job", id="the catch-up job's name"),
    ],
)
def test_two_jobs_never_share_a_file(names: tuple[str, ...], message: str) -> None:
    with pytest.raises(ManifestError, match=message):
        compile_manifest(manifest(*map(job, names), catchup=CatchupSettings(every_s=60)))


def test_a_word_that_no_shell_can_carry_is_a_message() -> None:
    with pytest.raises(ManifestError, match="its wrapper cannot be written"):
        compile_manifest(manifest(job(run=Argv(("/bin/echo", "a\0b")))))


def test_shellcheck_has_nothing_to_say_about_the_wrappers(tmp_path: Path) -> None:
    shellcheck = require_tool("shellcheck")
    for path, data in compile_manifest(many(5)).items():
        place = tmp_path / path
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(data)
    # The settings are for the library, whose place only the running wrapper knows.
    scripts = sorted((tmp_path / "bin").iterdir())
    done = subprocess.run(
        [shellcheck, "--exclude=SC1091,SC2034", *map(str, scripts)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.stdout == ""
    assert os.path.basename(scripts[0]) == "catchup"  # noqa: PTH119
