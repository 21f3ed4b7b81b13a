"""`jobs import` as people call it."""

from __future__ import annotations

import io
import json
import os
import plistlib
from pathlib import Path

import pytest

from jobs.cli.app import main
from jobs.decode import load
from tests.importing.sources import write_list

DAILY = {"StartCalendarInterval": {"Hour": 9, "Minute": 30}}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a folder of agents; the current folder is a project without a manifest."""
    folder = tmp_path / "home" / "Library" / "LaunchAgents"
    folder.mkdir(parents=True)
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("JOBS_MANIFEST", raising=False)
    for number, binary in ((1, False), (2, True)):
        keys = {"Label": f"com.kim.tools.job{number}", "ProgramArguments": [f"/bin/x{number}"], **DAILY}
        write_list(folder, keys, binary=binary)
    write_list(
        folder, {"Label": "homebrew.mxcl.postgresql@14", "ProgramArguments": ["/opt/pg"], "KeepAlive": True}
    )
    return tmp_path / "home"


def crontab(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Make data the standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_a_folder_becomes_a_manifest(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agents = home / "Library/LaunchAgents"
    before = {path: path.read_bytes() for path in agents.iterdir()}
    assert main(["import", str(agents)]) == 0
    assert {path: path.read_bytes() for path in agents.iterdir()} == before
    manifest = load(Path("jobs.toml")).manifest
    assert manifest is not None
    assert (manifest.project.prefix, manifest.project.home) == ("com.kim.tools", str(home))
    assert [job.label for job in manifest.jobs] == [
        "com.kim.tools.job1",
        "com.kim.tools.job2",
        "com.kim.tools.postgresql-14",
    ]
    text = Path("jobs.toml").read_text()
    assert "# from ~/Library/LaunchAgents/com.kim.tools.job1.plist\n[jobs.job1]\n" in text
    out = capsys.readouterr().out
    assert "launchctl bootout gui/$(id -u)/com.kim.tools.job1; mv " in out
    assert "brew services stop postgresql@14" in out
    assert "3 jobs came into jobs.toml" in out


def test_import_again_brings_nothing_twice(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agents = str(home / "Library/LaunchAgents")
    assert main(["import", agents]) == 0
    text = Path("jobs.toml").read_text()
    assert main(["import", agents]) == 0
    assert Path("jobs.toml").read_text() == text
    assert "is in jobs.toml already" in capsys.readouterr().out


def test_an_existing_manifest_keeps_every_byte(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["init", "--prefix", "org.mine"]) == 0
    before = Path("jobs.toml").read_bytes()
    crontab(monkeypatch, b"# mine\n0 1 * * * /bin/hello\n")
    assert main(["import", "--crontab", "-", "--only", "*job1", str(home / "Library/LaunchAgents")]) == 0
    after = Path("jobs.toml").read_bytes()
    assert after.startswith(before)
    manifest = load(Path("jobs.toml")).manifest
    assert manifest is not None
    assert [job.name for job in manifest.jobs] == ["hello", "job1", "hello-2"]
    assert b"# mine\n# from crontab line 2\n[jobs.hello-2]\n" in after


def test_brew(home: Path) -> None:
    assert main(["import", "--brew"]) == 0
    manifest = load(Path("jobs.toml")).manifest
    assert manifest is not None
    assert [job.name for job in manifest.jobs] == ["postgresql-14"]
    assert manifest.project.home == str(home)


def test_dry_run_prints_and_writes_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "--dry-run", "--skip", "homebrew.*", str(home / "Library/LaunchAgents")]) == 0
    assert not Path("jobs.toml").exists()
    out = capsys.readouterr().out
    Path("shown.toml").write_text(out)
    assert load(Path("shown.toml")).manifest is not None


def test_json(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = home / "x.plist"
    keys = {"Label": "com.kim.x", "ProgramArguments": ["/x"], "StandardInPath": "/tmp/in", **DAILY}
    path.write_bytes(plistlib.dumps(keys))
    assert main(["import", "--json", str(path)]) == 1
    report = json.loads(capsys.readouterr().out)
    (job,) = report["jobs"]
    assert (report["written"], report["complete"], job["label"], job["old_label"]) == (
        True,
        False,
        "com.kim.x",
        "com.kim.x",
    )
    lost = [note for note in job["notes"] if note["fate"] == "not carried"]
    assert [note["path"] for note in lost] == [str(path)]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "say what to import"),
        (["no-such.plist"], "there is no no-such.plist"),
        (["."], "there is no property list in"),
        (["--crontab", "no-such"], "cannot read no-such"),
        (["--home", "relative", "--crontab", os.devnull], "must be an absolute path"),
        (["--prefix", "com/x", "--crontab", "-"], "no manifest can be made"),
        (["--bogus"], "No such option"),
    ],
)
def test_usage(
    home: Path,
    words: list[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crontab(monkeypatch, b"0 1 * * * /bin/hello\n")
    assert home.is_dir()
    assert main(["import", *words]) == 2
    assert told in capsys.readouterr().err
    assert not Path("jobs.toml").exists()


def test_a_broken_manifest_is_left_alone(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("jobs.toml").write_text("version = 2\n")
    assert main(["import", str(home / "Library/LaunchAgents")]) == 2
    assert Path("jobs.toml").read_text() == "version = 2\n"
    assert "mend them first" in capsys.readouterr().err


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\n\n", b"\xff\xfe\n", b"* * *\n", b"%%%%%\n", b"=\n", b"* * * * * %\n", b"@\n", b"0 0 * * * \xe9t\xe9\n",
        b"0 0 * * * '''\n", b'0 0 * * * """\n', b"A=\x00\n0 0 * * * a\n", b"0 0 * * * a # \xe2\x80\xae\n", b"9" * 5000 + b" * * * * a\n",
        b"*/99999999999999999999 * * * * a\n", b"0 0 * * * [jobs.x]\n# ]\n", b'PATH=\n"=x"=y\n0 0 * * * \\\n', b"HOME=rel\n0 0 * * * a\n",
        b"SHELL=\n0 0 * * * a\n", b"JOBS_X=1\nUID=2\nA-B=3\n0 0 * * * a\n", b"CRON_TZ=../../etc/passwd\n0 0 * * * a\n",
    ],
)  # fmt: skip
def test_hostile_crontabs_never_crash(
    home: Path, data: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    crontab(monkeypatch, data)
    assert main(["import", "--crontab", "-"]) in {0, 1}
    assert "fault of its own" not in capsys.readouterr().err
    assert home.is_dir()
    if Path("jobs.toml").exists():
        assert load(Path("jobs.toml")).manifest is not None


@pytest.mark.parametrize(
    "keys",
    [
        {"Label": "../../etc/x"}, {"Label": "a\nb"}, {"Label": "日本"}, {"Label": "catchup"}, {"Label": "x" * 500}, {"Label": "..."},
        {"Label": "com.kim.]\n[jobs.evil"}, {"Label": 5}, {"EnvironmentVariables": {"a=b": "c", "": "d", "A\"'": "\x1b]0;x"}},
        {"EnvironmentVariables": {"PATH": ""}}, {"WatchPaths": [["x"], 5]}, {"KeepAlive": {"a": {"b": [1.5, True]}}},
        {"Umask": 99999}, {"ProgramArguments": ["a=b", "c"], "EnvironmentVariables": {"PATH": "/x"}}, {"WorkingDirectory": "~bob/x"},
        {"ProgramArguments": []}, {"ProgramArguments": ["-x"]}, {"StandardOutPath": "", "StandardErrorPath": "\x7f"},
        {"Sockets": {"x'y": {'a"b': ["\u2028"]}}}, {"StartCalendarInterval": [[], 5, {"Hour": True}]}, {"Nice": 2**64 - 1},
    ],
)  # fmt: skip
def test_hostile_lists_never_crash(
    home: Path, keys: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    path = home / "x.plist"
    base = {"Label": "com.kim.x", "ProgramArguments": ["/bin/x"], "StartInterval": 60}
    path.write_bytes(plistlib.dumps(base | keys, fmt=plistlib.FMT_BINARY))
    assert main(["import", str(path)]) in {0, 1}
    err = capsys.readouterr().err
    assert "fault of its own" not in err
    if Path("jobs.toml").exists():
        loaded = load(Path("jobs.toml"))
        assert loaded.manifest is not None
        assert len(loaded.manifest.jobs) == 1
