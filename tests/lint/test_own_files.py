"""What this repository ships is clean: the example's manifest, its scripts, what is generated from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobs.cli.app import main

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("words", [[], ["generated", "templates", "docs"]], ids=["manifest", "folders"])
def test_own_files_have_no_findings(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("JOBS_MANIFEST", raising=False)
    status = main(["lint", *words])
    assert (status, capsys.readouterr().out.split(" in ")[0]) == (0, "no findings")
