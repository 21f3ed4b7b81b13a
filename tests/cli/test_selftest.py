"""`jobs selftest` finds nothing in the shipped lock, and is able to find something."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from jobs.cli.app import main
from jobs.selftest import arenas, storm


def test_the_shipped_lock_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["selftest", "--state", str(tmp_path / "state"), "--rounds", "3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["jobs"]["dead"]["doubles"] == told["jobs"]["dead"]["wedged"] == 0
    assert told["jobs"]["dead"]["runs"] >= 4
    assert list((tmp_path / "state").iterdir()) == []


def test_it_is_able_to_find_a_double_run(tmp_path: Path) -> None:
    """The same storm on a script whose lock was taken away."""
    with arenas(tmp_path) as (_, common):
        script = Path(common.command[0])
        unlocked = script.with_name("unlocked")
        unlocked.write_text(script.read_text().replace("acquire_lock || exit 0", ":"))
        count = storm(replace(common, command=["/bin/sh", str(unlocked)]), rounds=1, starters=20, dead=False)
    assert count.doubles > 0


def test_a_folder_that_cannot_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["selftest", "--state", str(tmp_path / "file" / "x")]) == 1
    assert "cannot test in" in capsys.readouterr().err
