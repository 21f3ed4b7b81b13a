"""`jobs catchup` with real wrappers, real processes and a clock that is passed in."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.wrapper.sandbox import DAY, NOON, wait_until

HOUR = 3600
REPOSITORY = Path(__file__).parents[2]
MANIFEST = """\
version = 1
[project]
name   = "demo"
prefix = "com.example"
root   = "{root}"
home   = "{root}"
path   = ["/usr/local/bin", "/usr/bin", "/bin"]
state  = "state"
logs   = "logs"
[guards.claude]
tool = "claude"
[defaults]
timezone = "UTC"
guard = "claude"
kill_after = "1s"
[catchup]
pause = "0s"
[jobs.first]
run = "{line}"
at = "09:00"
[jobs.second]
run = "{line}"
at = "10:00"
once = "day"
[jobs.third]
run = "{line}"
at = ["11:00", "18:00"]
[jobs.late]
run = "{line}"
at = "18:00"
[jobs.free]
run = "{line}"
at = "09:00"
guard = false
"""


class Project:
    """A built project in a folder; the AI tool is refused while the file `out` exists."""

    def __init__(
        self, root: Path, line: str = 'echo \\"$JOBS_NAME $JOBS_SLOT $JOBS_TRIGGER $JOBS_MISSED\\" >>ran'
    ) -> None:
        self.root = root
        guarded = f"if [ -e out ]; then echo Credit balance is too low; exit 75; fi; {line}"
        (root / "jobs.toml").write_text(MANIFEST.format(root=root, line=guarded))
        assert self.jobs("build").returncode == 0

    def environment(self, now: int) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"], "HOME": str(self.root), "PYTHONPATH": str(REPOSITORY / "src"),
            "JOBS_NOW": str(now), "TZ": "UTC", "JOBS_LAUNCHCTL": "",
        }  # fmt: skip

    def jobs(self, *words: str, now: int = NOON) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "jobs", *words],
            cwd=self.root,
            env=self.environment(now),
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )

    def fire(self, name: str, now: int) -> None:
        """Start a wrapper as launchd would."""
        subprocess.run(
            [str(self.root / "generated" / "bin" / name)],
            env={"PATH": "/usr/bin:/bin", "JOBS_NOW": str(now)}, cwd="/", start_new_session=True, timeout=60, check=False,
        )  # fmt: skip

    def open_guard(self, until: int) -> None:
        folder = self.root / "state" / "guard"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "claude").write_text(f"1 open {until} quota 0 {NOON - 6 * HOUR} x\nlimit\n")

    def morning(self) -> None:
        """The quota is out from before nine until noon: first, second and third are skipped."""
        self.open_guard(NOON - 60)
        for hour, name in ((9, "first"), (9, "free"), (10, "second"), (11, "third")):
            self.fire(name, NOON - (12 - hour) * HOUR + 2)

    @property
    def ran(self) -> list[str]:
        path = self.root / "ran"
        return path.read_text().splitlines() if path.exists() else []

    def story(self, name: str) -> list[str]:
        path = self.root / "state" / "runs" / f"{name}.jsonl"
        lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        return [f"{line['event']} {line['reason']}" for line in lines if line["event"] != "start"]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_what_was_skipped_runs_again_once_and_in_order(project: Project) -> None:
    project.morning()
    assert project.ran == ["free 20261201T0900 schedule 0"]
    done = project.jobs("catchup")
    assert done.returncode == 0, done.stderr + done.stdout
    assert done.stdout.splitlines()[-1] == "3 made up"
    assert project.ran[1:] == [
        "first 20261201T0900 catchup 0",
        "second 20261201T1000 catchup 0",
        "third 20261201T1100 catchup 0",
    ]
    assert project.jobs("catchup").stdout == "nothing to make up\n"
    project.fire("third", NOON + 6 * HOUR)
    assert project.story("third") == ["skip guard", "end ok", "end ok"]
    assert not (project.root / "state" / "guard" / "claude").exists()


def test_an_open_guard_is_left_alone(project: Project) -> None:
    project.morning()
    project.open_guard(NOON + HOUR)
    done = project.jobs("catchup")
    assert done.returncode == 1
    assert len(project.ran) == 1
    assert done.stdout.splitlines()[-1] == "0 made up; 3 still due (first, second, third)"


def test_a_new_refusal_stops_the_rest(project: Project) -> None:
    project.morning()
    (project.root / "out").touch()
    done = project.jobs("catchup")
    assert done.returncode == 1
    assert len(project.ran) == 1
    assert "still due (first, second, third)" in done.stdout
    assert project.story("first") == ["skip guard", "end quota"] or project.story("first") == [
        "skip guard",
        "end billing",
    ]
    assert project.story("second") == ["skip guard"]
    (project.root / "out").unlink()
    assert project.jobs("guard", "reset", "claude").returncode == 0
    assert project.jobs("catchup", now=NOON + 60).returncode == 0
    assert len(project.ran) == 4


def test_explain_and_dry_run_change_nothing(project: Project) -> None:
    project.morning()
    before = sorted((path, path.stat().st_mtime_ns) for path in project.root.rglob("*"))
    for words in (("--explain",), ("--dry-run",), ("--explain", "--json")):
        done = project.jobs("catchup", *words)
        assert done.returncode == 0
        assert done.stderr == ""
    assert sorted((path, path.stat().st_mtime_ns) for path in project.root.rglob("*")) == before
    rows: dict[str, Any] = {row["job"]: row for row in json.loads(done.stdout)["jobs"]}
    assert {name for name, row in rows.items() if row["candidate"]} == {"first", "second", "third"}
    assert rows["third"]["slot"] == "20261201T1100"
    assert [answer["yes"] for answer in rows["free"]["answers"]] == [False]


def test_the_page_shows_what_explain_prints(project: Project) -> None:
    page = (REPOSITORY / "docs" / "catchup.md").read_text()
    project.morning()
    shown = project.jobs("catchup", "--explain").stdout
    block = page.partition("<!-- begin explain -->\n```text\n")[2].partition("```\n<!-- end explain -->")[0]
    assert block == shown


def test_a_pause_is_not_negative(project: Project) -> None:
    assert project.jobs("catchup", "--pause", "-3").returncode == 2


def test_past_midnight_the_slot_is_recorded_as_missed(project: Project) -> None:
    project.morning()
    done = project.jobs("catchup", now=NOON + 2 * DAY - 5 * HOUR)
    assert done.returncode == 0
    assert project.story("first") == ["skip guard"]  # two newer slots have passed: launchd's next fire tells
    project.fire("first", NOON + 2 * DAY - 3 * HOUR)
    assert project.story("first")[:3] == ["skip guard", "missed not-fired", "missed superseded"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "term"])
def test_interrupted_in_the_middle(tmp_path: Path, number: int) -> None:
    project = Project(tmp_path, line="touch up; until [ -e go ]; do sleep 0.02; done; echo done >>ran")
    project.open_guard(NOON - 60)
    project.fire("first", NOON - 3 * HOUR + 2)
    project.fire("second", NOON - 2 * HOUR + 2)
    catchup = subprocess.Popen(
        [sys.executable, "-m", "jobs", "catchup"],
        cwd=tmp_path,
        env=project.environment(NOON),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until((tmp_path / "up").exists)
    catchup.send_signal(number)
    _, err = catchup.communicate(timeout=60)
    assert catchup.returncode == 130
    assert "interrupted; first runs on by itself; not begun, and still due: second" in err
    assert "Traceback" not in err
    (tmp_path / "go").touch()
    wait_until(lambda: project.story("first")[-1] == "end ok")
    assert project.jobs("catchup", now=NOON + 5).stdout.splitlines()[-1] == "1 made up"
    assert project.ran == ["done", "done"]


def test_a_second_catch_up_leaves_the_first_alone(tmp_path: Path) -> None:
    project = Project(tmp_path, line="touch up; until [ -e go ]; do sleep 0.05; done; echo done >>ran")
    project.open_guard(NOON - 60)
    project.fire("first", NOON - 3 * HOUR + 2)
    first = subprocess.Popen(
        [sys.executable, "-m", "jobs", "catchup"],
        cwd=tmp_path,
        env=project.environment(NOON),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    wait_until((tmp_path / "up").exists)
    second = project.jobs("catchup")
    assert second.returncode == 0
    (tmp_path / "go").touch()
    out, _ = first.communicate(timeout=60)
    assert first.returncode == 0
    assert out.splitlines()[-1] == b"1 made up"
    assert project.ran == ["done"]
    assert second.stdout in {
        "another catch-up is at work: this one leaves it alone\n",
        "nothing to make up\n",
    }
