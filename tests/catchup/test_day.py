"""A whole day of the example's company in real processes: outages, sleep, catch-up; the clock is passed in.

Every wrapper of the repository's own manifest is started at the minutes at which its property list says so (Day and
Weekday of one dictionary are alternatives), one after the other; the catch-up's wrapper every quarter of an hour. At
the end each slot has run once or stands in the records with a reason.
"""

from __future__ import annotations

import json
import os
import plistlib
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jobs.decode import load
from jobs.model.job import Manifest
from jobs.runtime.records import newest_first, slot_states
from jobs.schedule.slots import slots_between

REPOSITORY = Path(__file__).parents[2]
MIDNIGHT = 1796083200  # Tuesday 2026-12-01T00:00:00Z
MINUTE = 60
AI = """\
#!/bin/sh
# Stands in for the AI tool: refuses while the file `out` is there, and keeps count.
if [ -e "{root}/out" ]; then
    echo refused >>"{root}/requests"
    echo "You've hit your session limit"
    exit 1
fi
echo answered >>"{root}/requests"
echo fine
"""


def minute(clock: str) -> int:
    """The minute of the day of HH:MM."""
    return int(clock[:2]) * 60 + int(clock[3:])


def matches(entry: dict[str, int], when: datetime) -> bool:
    """Whether a calendar dictionary fires at a minute, as launchd.plist(5) has it."""
    if entry.get("Minute", when.minute) != when.minute or entry.get("Hour", when.hour) != when.hour:
        return False
    if entry.get("Month", when.month) != when.month:
        return False
    days = [entry["Day"] == when.day] if "Day" in entry else []
    days += [entry["Weekday"] % 7 == when.isoweekday() % 7] if "Weekday" in entry else []
    return any(days) if days else True


@dataclass
class Company:
    """The example in a folder of its own, at one moment of its day."""

    root: Path
    manifest: Manifest
    plists: dict[str, dict[str, Any]]
    asleep: tuple[range, ...] = ()
    fired: Counter[str] = field(default_factory=Counter)
    waiting: set[str] = field(default_factory=set)
    most_running: int = 0

    def start(self, name: str, now: int) -> None:
        """Start a wrapper as launchd would and wait for its end."""
        self.fired[name] += 1
        subprocess.run(
            [str(self.root / "generated" / "bin" / name)],
            env={"PATH": "/usr/bin:/bin", "JOBS_NOW": str(now), "TZ": "UTC", "JOBS_LAUNCHCTL": "", "PYTHONPATH": str(REPOSITORY / "src")},
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            start_new_session=True,
            timeout=120,
            check=False,
        )  # fmt: skip

    def tick(self, at: int) -> None:
        """One minute of the day."""
        due = set()
        when = datetime.fromtimestamp(MIDNIGHT + at * MINUTE, UTC)
        for name, plist in self.plists.items():
            entries = plist.get("StartCalendarInterval", [])
            entries = entries if isinstance(entries, list) else [entries]
            interval = plist.get("StartInterval")
            if any(matches(entry, when) for entry in entries) or (
                interval and at % (interval // MINUTE) == 0 and not self.sleeps(at)
            ):
                due.add(name)
        if self.sleeps(at):
            # Calendar fires merge into one at wake; intervals are lost.
            self.waiting |= {name for name in due if "StartCalendarInterval" in self.plists[name]}
            return
        due |= self.waiting
        self.waiting = set()
        for name in sorted(due, key=lambda name: (name == "catchup", name)):
            self.start(name, MIDNIGHT + at * MINUTE + 1)

    def sleeps(self, at: int) -> bool:
        return any(at in span for span in self.asleep)

    def requests(self) -> Counter[str]:
        path = self.root / "requests"
        return Counter(path.read_text().split()) if path.exists() else Counter()


@pytest.fixture
def company(tmp_path: Path) -> Company:
    text = (REPOSITORY / "jobs.toml").read_text()
    text = text.replace("/Users/kim/work/one-ceo/docs/example/bin/fake-ai", f"{tmp_path}/ai")
    text = text.replace("/Users/kim/work/one-ceo", str(tmp_path)).replace("/Users/kim", str(tmp_path))
    (tmp_path / "jobs.toml").write_text(text)
    shutil.copytree(REPOSITORY / "docs" / "example", tmp_path / "docs" / "example")
    (tmp_path / "docs/example/secrets/books.env").write_text("BOOKS_TOKEN=x\n")
    (tmp_path / "ai").write_text(AI.format(root=tmp_path))
    (tmp_path / "ai").chmod(0o755)
    (tmp_path / "data").mkdir()
    manifest = load(tmp_path / "jobs.toml").manifest
    assert manifest is not None
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(REPOSITORY / "src")}
    subprocess.run(
        [sys.executable, "-m", "jobs", "build"],
        cwd=tmp_path,
        env=environment,
        check=True,
        capture_output=True,
    )
    state = Path(manifest.project.state)
    state.mkdir(parents=True, mode=0o700)
    judge = tmp_path / "jobsctl"
    judge.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m jobs "$@"\n')
    judge.chmod(0o755)
    (state / "tool").write_text(f"{judge}\n")
    (state / "since").mkdir(mode=0o700)
    for job in manifest.jobs:
        (state / "since" / job.name).write_text(f"{MIDNIGHT}\n")
    plists = {}
    for path in (tmp_path / "generated" / "launchd").glob("*.plist"):
        plist = plistlib.loads(path.read_bytes())
        plists[plist["Label"].removeprefix(f"{manifest.project.prefix}.")] = plist
    return Company(tmp_path, manifest, plists)


@pytest.mark.slow
def test_a_day_with_two_outages_and_a_nap(company: Company) -> None:
    out = company.root / "out"
    company.asleep = (range(minute("12:00"), minute("13:10")),)
    outages = (
        range(minute("06:50"), minute("08:10")),
        range(minute("08:50"), minute("10:00")),
        range(minute("10:20"), minute("11:00")),
    )
    for at in range(24 * 60):
        if any(at in outage for outage in outages):
            out.touch()
        elif out.exists():
            out.unlink()
        company.tick(at)
    state = Path(company.manifest.project.state)
    ran = missed = 0
    for job in company.manifest.jobs:
        records = list(newest_first(state / "runs" / f"{job.name}.jsonl"))
        starts = Counter(record.slot for record in records if record.event == "start" and record.slot)
        ends = Counter(
            record.slot
            for record in records
            if record.event == "end" and record.reason not in {"quota", "billing"} and record.slot
        )
        assert all(count == 1 for count in ends.values()), (job.name, ends)
        assert set(ends) <= set(starts)
        states = slot_states(records)
        spans = [
            (record.slot, record.to)
            for record in records
            if record.event == "missed" and record.slot and record.to
        ]
        for slot in slots_between(job.schedule, MIDNIGHT, MIDNIGHT + 86400, UTC) if job.schedule else ():
            told = (
                slot.id in ends or any(first <= slot.id <= last for first, last in spans) or slot.id in states
            )
            assert told, (job.name, slot.id, json.dumps([str(record) for record in records[:9]], indent=1))
            ran += slot.id in ends
            missed += slot.id not in ends
    requests = company.requests()
    print(
        f"{sum(company.fired.values())} starts by launchd, {ran} slots ran once, {missed} are on record as not run; "
        f"the AI tool answered {requests['answered']} times and refused {requests['refused']}"
    )
    assert ran > 30
    # Three outages; each is noticed by one job, and probed by canaries only.
    assert requests["refused"] <= 12
