"""`jobs add`."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobs.cli.app import main
from jobs.decode import load
from jobs.model.job import Argv, Job, ShellLine

MANIFEST = """# The top  \tcomment
version = 1

[project]   # who
name   = "demo"
prefix = 'com.example'
root   = "/Users/kim/demo"
home   = "/Users/kim"


[jobs.a]
run = [ "bin/a",
        "--all", ]   # all of it
at  = "09:30"
# the end"""


def job_in(path: Path, name: str) -> Job:
    loaded = load(path)
    assert loaded.diagnostics == ()
    assert loaded.manifest is not None
    job = loaded.manifest.job(name)
    assert job is not None
    return job


ENDINGS = [
    ("LF", MANIFEST + "\n"),
    ("no line end at the end", MANIFEST),
    ("blank lines at the end", MANIFEST + "\n\n\n"),
    ("CRLF", (MANIFEST + "\n").replace("\n", "\r\n")),
    ("CRLF, no line end at the end", MANIFEST.replace("\n", "\r\n")),
    ("byte order mark", "\ufeff" + MANIFEST + "\n"),
]


@pytest.mark.parametrize("text", [row[1] for row in ENDINGS], ids=[row[0] for row in ENDINGS])
def test_what_was_there_stays_byte_for_byte(tmp_path: Path, text: str) -> None:
    path = tmp_path / "jobs.toml"
    path.write_bytes(text.encode())
    path.chmod(0o640)
    assert (
        main(["add", "b", "--run", 'echo "日本" | cat', "--at", "mon-fri 07:00", "--manifest", str(path)])
        == 0
    )
    data = path.read_bytes()
    assert data.startswith(text.encode())
    added = data[len(text.encode()) :]
    assert added.count(b"\r\n") == (added.count(b"\n") if "\r\n" in text else 0)
    assert path.stat().st_mode & 0o777 == 0o640
    assert job_in(path, "b").run == ShellLine('echo "日本" | cat')
    assert job_in(path, "a").run == Argv(("/Users/kim/demo/bin/a", "--all"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["jobs.toml"]


def test_every_option_becomes_a_key(tmp_path: Path) -> None:
    path = tmp_path / "jobs.toml"
    path.write_text(MANIFEST)
    words = [
        "--at",
        "07:00",
        "--at",
        "sat 08:00",
        "--guard",
        "claude",
        "--once",
        "day",
        "--timeout",
        "5m",
        "--about",
        "Why",
    ]
    assert main(["add", "b", *words, "--manifest", str(path), "--", "bin/b", "--flag"]) == 0
    job = job_in(path, "b")
    assert job.run == Argv(("/Users/kim/demo/bin/b", "--flag"))
    assert (job.schedule_text, job.guards, job.timeout_s, job.about) == (
        "07:00, sat 08:00",
        ("claude",),
        300,
        "Why",
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a", "--run", "x", "--at", "09:00"], "has a job a already"),
        (["b", "--run", "x"], "nothing ever starts [jobs.b]"),
        (["b", "--run", "x", "--at", "9:00"], "is not HH:MM"),
        (["b", "--run", "x", "--at", "09:00", "--every", "5m"], "cannot stand beside"),
        (["b", "--at", "09:00"], "say what to run"),
        (["b c", "--run", "x", "--at", "09:00"], "cannot be the name of a job"),
        (["catchup", "--run", "x", "--at", "09:00"], "the tool's own job"),
        (["b", "--run", "x", "--cron", "@daily", "--guard", "claud"], "there is no guard"),
    ],
)
def test_a_bad_job_is_not_written(
    tmp_path: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "jobs.toml"
    path.write_text(MANIFEST)
    assert main(["add", *words, "--manifest", str(path)]) == 2
    assert path.read_text() == MANIFEST
    assert said in capsys.readouterr().err


def test_a_broken_manifest_is_told_of_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "jobs.toml"
    path.write_text(MANIFEST.replace("at  =", "att ="))
    assert main(["add", "b", "--run", "x", "--at", "09:00", "--manifest", str(path)]) == 2
    assert "unknown key `att`" in capsys.readouterr().err


def test_a_link_to_the_manifest_stays_one(tmp_path: Path) -> None:
    real, link = tmp_path / "real.toml", tmp_path / "jobs.toml"
    real.write_text(MANIFEST)
    link.symlink_to(real)
    assert main(["add", "b", "--run", "x", "--every", "1h", "--manifest", str(link)]) == 0
    assert link.is_symlink()
    assert job_in(real, "b").every_s == 3600
