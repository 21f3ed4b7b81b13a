"""A manifest with something of everything, on a machine of a known zone and time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from jobs.cli.app import main

NOON = 1796094000  # 2026-12-01 12:00 in Tokyo

MANIFEST = """\
version = 1
[project]
name = "one-ceo"
prefix = "com.example"
root = "/Users/kim/work"
home = "/Users/kim"
path = ["/usr/bin", "/bin"]
state = "STATE"
[guards.claude]
tool = "claude"
[jobs.note]
about = "Post \\"one\\" article <a day>"
run = ["a"]
at = "09:30"
guard = "claude"
[jobs.ideas]
run = ["a"]
at = "wed 09:35"
guard = "claude"
[jobs.night]
run = ["a"]
at = "sun 02:30"
[jobs.prices]
run = ["a"]
timezone = "America/New_York"
at = "mon-fri 16:10"
[jobs.letter]
run = ["a"]
at = "thu 06:30"
lock = "site"
[jobs.site]
run = ["a"]
at = ["06:30", "18:30"]
lock = "site"
[jobs.sales]
run = ["a"]
cron = "*/15 9-17 * * 1-5"
[jobs.month-end]
run = ["a"]
at = { time = "20:00", day = "last" }
[jobs.off]
run = ["a"]
at = "10:00"
enabled = false
[jobs.inbox]
run = ["a"]
every = "30m"
[jobs.sync]
run = ["a"]
watch = ["/Users/kim/in"]
at_load = true
"""

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The manifest's path. `note` has records of runs of about 12 minutes, `site` of a failed one only."""
    state = tmp_path / "state"
    (state / "runs").mkdir(parents=True)
    lines = []
    for pid, seconds in enumerate([700, 720, 9000], start=100):
        begin = NOON - 86400 * (200 - pid)
        common = {"job": "note", "slot": "20261101T0930", "pid": pid}
        lines.append({"time": "x", "epoch": begin, "event": "start", **common})
        end = {"event": "end", "reason": "ok", "exit": 0, "seconds": seconds}
        lines.append({"time": "x", "epoch": begin + seconds, **end, **common})
    (state / "runs" / "note.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    failed = {
        "time": "x",
        "epoch": NOON - 500,
        "job": "site",
        "event": "end",
        "reason": "failed",
        "seconds": 5,
        "pid": 9,
    }
    (state / "runs" / "site.jsonl").write_text(json.dumps(failed) + "\n")
    path = tmp_path / "jobs.toml"
    path.write_text(MANIFEST.replace("STATE", str(state)))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("JOBS_NOW", str(NOON))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    return path


@pytest.fixture
def call(manifest: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    """Calls the program with the manifest at hand; gives status, output, errors."""
    assert manifest.is_file()

    def run(*words: str) -> tuple[int, str, str]:
        status = main(words)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run
