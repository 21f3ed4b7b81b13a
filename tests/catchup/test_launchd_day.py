"""A day of seventeen jobs under the launchctl double: its calendar fires them, catch-up kickstarts them.

Time is the double's, and stands still while processes run; the processes are real.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest

from jobs.decode import load
from jobs.model.job import Manifest
from jobs.system.clock import local_zone
from tests.catchup.ledger import ledger
from tests.launchctl.control import Double

REPOSITORY = Path(__file__).parents[2]
with pytest.MonkeyPatch.context() as without:
    without.delenv("TZ", raising=False)
    ZONE = local_zone()  # of the double's jobs: launchd gives them no TZ
MIDNIGHT = int(datetime(2026, 12, 1, tzinfo=ZONE).timestamp())  # a Tuesday
HEAD = """\
version = 1
[project]
name = "demo"
prefix = "com.example"
root = "{root}"
home = "{root}"
path = ["/usr/local/bin", "/usr/bin", "/bin"]
state = "state"
logs = "logs"
[guards.claude]
tool = "claude"
cooldown = "20m"
[catchup]
every = "15m"
pause = "0s"
[defaults]
guard = "claude"
kill_after = "1s"
"""
JOB = """\
[jobs.{name}]
run = ["bin/work"]
{when}
{more}
"""
# Jobs with their times: no two fire in one minute, so that two at a time would be the doing of catch-up.
GUARDED = {
    "note": ('at = "09:30"', 'once = "day"'),
    "digest": ('at = "mon-fri 07:00"', 'deadline = "4h"'),
    "replies": ('cron = "5 8-20/2 * * *"', 'deadline = "3h"'),
    "ideas": ('at = ["08:55", "13:00"]', ""),
    "letter": ('at = "09:10"', 'once = "week"'),
    "report": ('at = "09:20"', 'once = { per = "week", mark = "success" }'),
    "review": ('at = ["09:50", "10:25"]', ""),
    "month": ('at = "10:30"', 'catchup = { for = ["guard"], window = "6h" }'),
    "translate": ('at = "10:40"', 'lock = "publish"'),
    "answers": ('cron = "12,42 9-17 * * *"', 'catchup = { for = ["guard"], window = "2h" }'),
    "minutes": ('at = "10:55"', 'catchup = { for = ["guard", "missed"] }'),
    "inbox": ('every = "61m"', ""),
}
FREE = {
    "publish": 'at = ["08:01", "18:31"]',
    "sales": 'cron = "7,37 9-17 * * 1-5"',
    "prices": 'at = ["09:41", "12:20"]',
    "backup": 'at = "22:45"',
    "sync": 'at = ["12:33", "12:57", "15:03"]',
}
# The work: its begin and its end in a list, in between a request to the AI tool if it is one of those that ask.
WORK = """\
#!/bin/sh
echo "begin $JOBS_NAME ${JOBS_SLOT:--} $JOBS_TRIGGER" >>load
case $JOBS_NAME in publish | sales | prices | backup | sync) status=0 ;; *) bin/ai; status=$? ;; esac
echo "end $JOBS_NAME" >>load
exit $status
"""
# The AI tool: refuses while the file `out` is there, and notes what the breaker said when it was asked.
AI = """\
#!/bin/sh
breaker=closed until=0
[ ! -e state/guard/claude ] || read -r _ breaker until _ <state/guard/claude
echo "$(cat launchd/clock.json) $JOBS_NAME $breaker $until $([ -e out ] && echo refused || echo answered)" >>requests
[ ! -e out ] || { echo "You've hit your session limit"; exit 1; }
echo fine
"""


def clock(text: str) -> int:
    """The epoch of HH:MM of the day."""
    return MIDNIGHT + int(text[:2]) * 3600 + int(text[3:]) * 60


@dataclass
class Office:
    """The project, installed under the double."""

    root: Path
    manifest: Manifest
    double: Double

    def jobs(self, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.root),
            "PYTHONPATH": str(REPOSITORY / "src"), "JOBS_NOW": str(self.double.store.now()),
            **self.double.environment(),
        }  # fmt: skip
        return subprocess.run(
            [sys.executable, "-m", "jobs", *words],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def go(self, until: int) -> int:
        """Let the double's time pass; the number of fires."""
        fires = 0
        while (self.double.store.now() or 0) < until:
            fires += self.double.advance(until)
        return fires

    def lines(self, name: str) -> list[list[str]]:
        path = self.root / name
        return [line.split() for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    monkeypatch.delenv("TZ", raising=False)
    text = HEAD.format(root=tmp_path)
    for name, (when, more) in GUARDED.items():
        text += JOB.format(name=name, when=when, more=more)
    for name, when in FREE.items():
        text += JOB.format(name=name, when=when, more="guard = false")
    (tmp_path / "jobs.toml").write_text(text)
    (tmp_path / "bin").mkdir()
    for name, script in (("work", WORK), ("ai", AI)):
        (tmp_path / "bin" / name).write_text(script)
        (tmp_path / "bin" / name).chmod(0o755)
    loaded = load(tmp_path / "jobs.toml")
    assert loaded.manifest is not None, loaded
    double = Double(tmp_path / "launchd", home=str(tmp_path))
    double.set_clock(MIDNIGHT)
    office = Office(tmp_path, loaded.manifest, double)
    assert office.jobs("build").returncode == 0
    installed = office.jobs("install")
    assert installed.returncode == 0, installed.stdout + installed.stderr
    double.settle()
    # What the catch-up's wrapper starts: the tool, which has to find the double as it would find launchctl.
    tool = tmp_path / "jobsctl"
    settings = " ".join(
        f"{key}='{value}'"
        for key, value in {**double.environment(), "PYTHONPATH": REPOSITORY / "src"}.items()
    )
    tool.write_text(f'#!/bin/sh\n{settings} exec "{sys.executable}" -m jobs "$@"\n')
    tool.chmod(0o755)
    (tmp_path / "state" / "tool").write_text(f"{tool}\n")
    yield office
    double.shutdown()


def highest(lines: list[list[str]]) -> int:
    """The most runs that were going on at once."""
    level = top = 0
    for words in lines:
        level += 1 if words[0] == "begin" else -1
        top = max(top, level)
    return top


@pytest.mark.slow
def test_a_day_of_seventeen_jobs(office: Office) -> None:
    assert len(office.manifest.jobs) == 17
    out = office.root / "out"
    double = office.double
    fires = office.go(clock("08:50") - 1)
    for begin, end in (("08:50", "10:00"), ("10:20", "11:00")):
        fires += office.go(clock(begin) - 1)
        out.touch()
        fires += office.go(clock(end) - 1)
        out.unlink()
    fires += office.go(clock("12:00") - 1)
    awake = office.lines("load")
    fires += double.sleep(clock("13:10"))
    woken = office.lines("load")[len(awake) :]
    fires += office.go(MIDNIGHT + 86400 - 1)
    after = office.lines("load")[len(awake) + len(woken) :]

    book = ledger(office.root / "state", office.manifest.jobs, MIDNIGHT, MIDNIGHT + 86400, ZONE)
    requests = office.lines("requests")
    refused = [words for words in requests if words[4] == "refused"]
    made_up = [words for words in office.lines("load") if words[0] == "begin" and words[3] == "catchup"]
    open_when_asked = [words for words in requests if words[2] == "open" and int(words[3]) > int(words[0])]
    kickstarts = [words for status, words in double.calls() if words[:1] == ["kickstart"] and status == 0]
    print(
        f"{fires} fires, {len(kickstarts)} kickstarts; {book.ran} slots ran once, "
        f"{dict(book.told)} stand with a reason, {len(book.lost)} lost, {len(book.twice)} twice; "
        f"{len(made_up)} runs by catch-up; most at once {max(highest(awake), highest(after))}, at wake {highest(woken)}; "
        f"requests {Counter(words[4] for words in requests)}, refused to "
        f"{Counter('canary' if words[2] == 'open' else 'first' for words in refused)}, "
        f"with the breaker open {len(open_when_asked)}"
    )
    assert book.lost == []
    assert book.twice == []
    assert book.ran > 50
    assert highest(awake) == highest(after) == 1
    # Asked while it was closed, once an outage; else past its time, as the canary. Never while it was open.
    assert open_when_asked == []
    assert sum(words[2] == "closed" for words in refused) <= 2
    assert len(kickstarts) >= len(made_up) > 5
    assert not out.exists()
    assert not (office.root / "state" / "guard" / "claude").exists()


@pytest.mark.slow
def test_a_job_that_launchd_does_not_know(office: Office) -> None:
    guard = office.root / "state" / "guard" / "claude"
    guard.parent.mkdir(parents=True, exist_ok=True)
    guard.write_text(f"1 open {clock('10:58')} quota 1 {clock('08:00')} x\nlimit\n")
    office.go(clock("10:57"))
    office.double.call("bootout", f"gui/{os.getuid()}/com.example.review")
    done = office.jobs("catchup")
    assert "guard claude is open: the slot stays due" in done.stdout
    office.double.set_clock(clock("10:59"))
    done = office.jobs("catchup")
    assert done.returncode == 1
    assert "review: launchd does not know it: `jobsctl install` loads it" in done.stdout
    assert done.stdout.splitlines()[-1].endswith("still due (review)")
    assert not guard.exists()
    assert office.jobs("install").returncode == 0
    assert office.jobs("catchup").stdout.splitlines()[-1] == "1 made up"
