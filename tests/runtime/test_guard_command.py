from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jobs.cli.app import main
from jobs.cli.guard import moment
from jobs.errors import UsageError
from jobs.runtime import breaker
from tests.runtime.quota_cases import LIMIT, NOW, ONE_PM, at

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("JOBS_NOW", str(NOW))
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def log(tmp_path: Path, text: str) -> str:
    path = tmp_path / "job.log"
    path.write_text(text, "utf-8")
    return str(path)


JUDGED = [
    pytest.param(LIMIT + "\n", ["--exit", "1"], f"quota {ONE_PM} {LIMIT}\n", id="quota"),
    pytest.param(
        "You've hit your limit\n", ["--exit", "1"], "quota 0 You've hit your limit\n", id="no reset"
    ),
    pytest.param("done\n", ["--exit", "0"], "ok 0\n", id="ok"),
    pytest.param("fatal: x\n", ["--exit", "1"], "failed 0\n", id="failed"),
    pytest.param(
        "API Error: Rate limit reached\n",
        ["--exit", "0"],
        "throttle 0 API Error: Rate limit reached\n",
        id="throttle",
    ),
    pytest.param(
        "your plan limit resets 1pm\n",
        ["--exit", "1"],
        "failed 0 maybe quota: your plan limit resets 1pm\n",
        id="maybe",
    ),
    pytest.param(
        LIMIT + "\nafter\n",
        ["--exit", "1", "--offset", str(len(LIMIT.encode()) + 1)],
        "failed 0\n",
        id="older output",
    ),
    pytest.param(
        LIMIT + "\n", ["--exit", "1", "--offset", "9999"], f"quota {ONE_PM} {LIMIT}\n", id="log begun anew"
    ),
    pytest.param(
        "budget gone\n", ["--exit", "1", "--pattern", "budget"], "quota 0 budget gone\n", id="own pattern"
    ),
    pytest.param(
        LIMIT + "\n", ["--exit", "1", "--tool", "codex"], f"quota {ONE_PM} {LIMIT}\n", id="shared wording"
    ),
    pytest.param(
        "Credit balance is too low\n", ["--exit", "1", "--tool", "codex"], "failed 0\n", id="other tool"
    ),
]


@pytest.mark.parametrize(("text", "options", "line"), JUDGED)
def test_judge(tmp_path: Path, capsys: Capture, text: str, options: list[str], line: str) -> None:
    assert main(["guard", "judge", *options, "--now", str(NOW), log(tmp_path, text)]) == 0
    assert capsys.readouterr().out == line


def test_judge_reads_the_end_of_a_big_log(tmp_path: Path, capsys: Capture) -> None:
    assert (
        main(
            ["guard", "judge", "--exit", "1", log(tmp_path, "x" * 70 + "\n" + "working\n" * 300_000 + LIMIT)]
        )
        == 0
    )
    assert capsys.readouterr().out.startswith("quota ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["judge", "--exit", "1", "/nowhere/log"],
        ["classify", "/nowhere/log"],
        ["classify", "--tool", "clod"],
        ["classify", "--pattern", "("],
    ],
    ids=["judge without log", "classify without file", "unknown tool", "bad pattern"],
)
def test_bad_usage(arguments: list[str], capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x")))
    assert main(["guard", *arguments]) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_classify_in_words(tmp_path: Path, capsys: Capture) -> None:
    assert main(["guard", "classify", "--exit", "1", log(tmp_path, LIMIT)]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == "quota until 2026-12-01 13:00"
    assert rest[0] == f"  {LIMIT}"


def test_classify_standard_input_as_json(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LIMIT.encode())))
    assert main(["guard", "classify", "--tool", "claude", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["until"], found["maybe_quota"]) == ("quota", ONE_PM, False)


def test_trip_status_reset(tmp_path: Path, capsys: Capture) -> None:
    where = ["--state", str(tmp_path)]
    assert main(["guard", "trip", "claude", "--until", "2h", "--reason", "demo", *where]) == 0
    assert breaker.load(tmp_path / "guard" / "claude", NOW).until == NOW + 7200
    capsys.readouterr()
    assert main(["guard", "status", *where]) == 0
    assert capsys.readouterr().out == (
        "claude: open (manual) until 2026-12-01 12:00, 2h00m left (since 2026-12-01 10:00)\n  demo\n"
    )
    assert main(["guard", "status", "--json", *where]) == 0
    [told] = json.loads(capsys.readouterr().out)
    assert (told["guard"], told["state"], told["until"], told["kind"]) == (
        "claude",
        "open",
        NOW + 7200,
        "manual",
    )
    assert main(["guard", "reset", "claude", *where]) == 0
    assert main(["guard", "reset", "claude", *where]) == 0
    assert capsys.readouterr().out == "claude: closed\nclaude: was closed already\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"1 open {NOW - 1} quota 0 {NOW - 99} digest\nx\n", "half-open (quota): the next job tries"),
        (f"1 open 0 billing 0 {NOW - 99} digest\nx\n", "open (billing) until told"),
        ("rubbish\n", "closed"),
    ],
    ids=["half-open", "billing", "unreadable"],
)
def test_status_of_what_the_wrapper_wrote(tmp_path: Path, capsys: Capture, text: str, words: str) -> None:
    (tmp_path / "guard").mkdir()
    (tmp_path / "guard" / "claude").write_text(text)
    assert main(["guard", "status", "--state", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"claude: {words}")
    assert ("warning" in out) == (text == "rubbish\n")


@pytest.mark.parametrize("name", ["../x", "", ".hidden", "a/b"])
def test_a_guard_s_name_is_no_path(tmp_path: Path, name: str) -> None:
    assert main(["guard", "trip", name, "--state", str(tmp_path)]) == 2
    assert not list(tmp_path.iterdir())


MOMENTS = [
    ("2h", NOW + 7200),
    ("1d2h30m5s", NOW + 95_405),
    ("13:00", ONE_PM),
    ("9:00", at("2026-12-02 09:00")),
    ("2026-12-04T10:00", at("2026-12-04 10:00")),
    ("2026-12-04 10:00", at("2026-12-04 10:00")),
    ("2026-12-04T10:00:00+00:00", at("2026-12-04 10:00", "UTC")),
    (str(NOW + 5), NOW + 5),
]


@pytest.mark.parametrize(("text", "epoch"), MOMENTS, ids=[text for text, _ in MOMENTS])
def test_moment(text: str, epoch: int) -> None:
    assert moment(text, NOW) == epoch


@pytest.mark.parametrize(
    "text", ["", "soon", "25:00", "2026-13-01", "2026-11-30T10:00", "0m", "1796086800", "9" * 11 + "9"]
)
def test_no_moment(text: str) -> None:
    with pytest.raises(UsageError):
        moment(text, NOW)


def test_the_judge_loads_nothing_heavy() -> None:
    import subprocess
    import sys

    program = (
        "import sys, jobs.runtime.detect as d, jobs.runtime.detect.output;"
        f"d.judge({LIMIT!r}, 1, 'claude', (), {NOW});"
        "print([m for m in ('jinja2', 'jsonschema', 'tomlkit', 'subprocess', 'plistlib', 'tempfile') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


MANIFEST = """\
version = 1
[project]
name = "demo"
prefix = "com.example"
root = "{folder}"
home = "{folder}"
state = "{folder}/state"
path = ["/usr/bin", "/bin"]
[guards.claude]
tool = "claude"
[guards.codex]
tool = "codex"
[jobs.digest]
run = ["/bin/date"]
at = "09:00"
guard = "claude"
"""


def test_guards_of_a_manifest(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "jobs.toml").write_text(MANIFEST.format(folder=tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JOBS_MANIFEST", raising=False)
    assert main(["guard"]) == 0
    assert capsys.readouterr().out == "claude: closed\ncodex: closed\n"
    assert main(["guard", "trip", "claude"]) == 0
    assert (
        tmp_path / "state" / "guard" / "claude"
    ).read_text() == f"1 open 0 manual 0 {NOW} -\nopened by hand\n"
    assert main(["guard", "trip", "cloud"]) == 2
    assert "claude, codex" in capsys.readouterr().err
    assert main(["guard", "reset", "claude"]) == 0
    assert not list((tmp_path / "state" / "guard").iterdir())


def test_the_manifest_offers_only_detectors_that_there_are() -> None:
    from jobs.model import fields
    from jobs.runtime.detect import TOOLS

    assert set(fields.TOOLS) <= set(TOOLS)
