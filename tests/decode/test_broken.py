"""Broken manifests, each with its exact messages.

JOBS_UPDATE_GOLDEN=1 writes the expectations anew; read the difference before you commit it.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from jobs.cli.console import print_diagnostics
from jobs.decode import load

FOLDER = Path(__file__).with_name("broken")
CASES = sorted(path.stem for path in FOLDER.glob("*.toml"))


def messages(name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a user is told of a manifest of the folder."""
    monkeypatch.chdir(FOLDER)
    monkeypatch.setenv("NO_COLOR", "1")
    loaded = load(Path(f"{name}.toml"))
    assert loaded.manifest is None
    stream = io.StringIO()
    print_diagnostics(loaded.diagnostics, stream)
    return stream.getvalue()


@pytest.mark.parametrize("name", CASES)
def test_messages(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = messages(name, monkeypatch)
    expected = FOLDER / f"{name}.expected"
    if os.environ.get("JOBS_UPDATE_GOLDEN") == "1":
        expected.write_text(told)
    assert told == expected.read_text()


@pytest.mark.parametrize("name", CASES)
def test_every_mistake_has_a_place_a_reason_and_a_way_out(name: str) -> None:
    for diagnostic in load(FOLDER / f"{name}.toml").diagnostics:
        assert diagnostic.place is not None
        assert diagnostic.place.line >= 1
        assert diagnostic.message
        assert diagnostic.fix is not None
        assert diagnostic.fix.text


def test_there_are_enough_of_them() -> None:
    assert len(CASES) >= 60
    assert {path.stem for path in FOLDER.glob("*.expected")} == set(CASES)
