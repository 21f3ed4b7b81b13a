"""`jobs simulate` on the command line: its JSON, and what it refuses."""

from __future__ import annotations

import json

import pytest

from tests.cli.project import Project

DAY = ("simulate", "--from", "2026-12-01", "--to", "2026-12-02")
JOBS = """
[guards.claude]
tool = "claude"
[catchup]
every = "15m"
[jobs.article]
run = ["bin/article"]
at = ["09:00", "18:00"]
guard = "claude"
[jobs.inbox]
run = ["bin/inbox"]
every = "30m"
"""


@pytest.fixture
def company(project: Project) -> Project:
    """A project with a guarded job and an interval."""
    project.write(JOBS)
    return project


def test_json_holds_slots_intervals_and_a_summary(company: Project) -> None:
    found = json.loads(company.call(*DAY, "--quota-out", "claude=08:50-10:00", "--json").out)
    assert [(slot["slot"], slot["outcome"], slot["late"]) for slot in found["slots"]] == [
        ("20261201T0900", "made up", 75 * 60),
        ("20261201T1800", "on time", 0),
    ]
    assert [one["what"] for one in found["slots"][0]["happenings"]] == ["run", "run"]
    assert found["intervals"][0]["starts"] == 47
    assert found["summary"]["made_up"] == found["summary"]["on_time"] == 1
    assert (found["from"], found["to"]) == (found["slots"][0]["due"] - 9 * 3600, found["from"] + 86400)
    assert found["assumed"]["reading"] == "documented"


def test_lengths_come_from_the_records_and_the_command_line(company: Project) -> None:
    runs = company.folder / "home" / "state" / "runs"
    runs.mkdir(parents=True)
    lines = [
        {"epoch": 1000 + 100 * number + later, "event": event, "reason": "ok", "pid": number, **more}
        for number, seconds in enumerate((20, 30, 900), 1)
        for later, event, more in ((0, "start", {}), (90, "end", {"seconds": seconds, "exit": 0}))
    ]
    (runs / "article.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert "article 30s" in company.call(*DAY).out
    assert "article 10m" in company.call(*DAY, "--length", "article=10m").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param(("--asleep", "23:30"), "no stretch of time", id="stretch"),
        pytest.param(
            ("--off", "2026-12-01T13:00..2026-12-01T12:00"), "ends before it begins", id="backwards"
        ),
        pytest.param(("--quota-out", "gemini=09:00-10:00"), "no job asks a guard 'gemini'", id="guard"),
        pytest.param(("--quota-out", "09:00-10:00"), "write --quota-out GUARD=", id="no-guard"),
        pytest.param(("--fail", "article=nine"), "write the slot as 09:30", id="fail"),
        pytest.param(("--fail", "artcle=09:00"), "artcle", id="unknown-job"),
        pytest.param(("--length", "article=0s"), "write a length", id="length"),
        pytest.param(("--reading", "843"), "write documented or 842", id="reading"),
        pytest.param(("--to", "2026-11-30"), "not later than", id="nothing-to-simulate"),
        pytest.param(("--to", "2030-11-30"), "400 days", id="too-long"),
        pytest.param(("--from", "tomorrow"), "is no time", id="no-time"),
    ],
)
def test_bad_usage(company: Project, words: tuple[str, ...], message: str) -> None:
    done = company.call(*DAY, *words)
    assert done.status == 2
    assert message in done.err
