"""Many files in several processes give what one process gives."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from jobs.cli import lint_many
from jobs.cli.app import main
from jobs.lint.engine import Selection
from jobs.lint.rules import codes, rule


def fill(folder: Path) -> None:
    """Every example of the rules on scripts, and a library that the first and the last of them source."""
    names = [code for code in codes() if rule(code).subject == "script"]
    for code in names:
        (folder / f"{code}.sh").write_text(rule(code).bad)
    (folder / "M.sh").write_text(
        "L=~/.s/a.lock\nmkdir -p $L || exit 0  # jobs: ignore[L002] no\ntac x\nrmdir $L\n"
    )
    for name in ("A.sh", "Z.sh"):
        (folder / name).write_text('#!/opt/homebrew/bin/bash\n. "$(dirname "$0")/M.sh"\n')
    (folder / "\udcff.sh").write_text("#!/bin/bash\ntac x\n")


def output(folder: Path, form: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What the command prints on the folder."""
    assert main(["lint", "--format", form, str(folder)]) == 1
    return capsys.readouterr().out


@pytest.mark.parametrize("form", ["json", "text", "sarif"])
def test_shares_give_what_one_process_gives(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tmp_path)
    monkeypatch.setattr(lint_many, "_processors", lambda: 1)
    alone = output(tmp_path, form, capsys)
    monkeypatch.setattr(lint_many, "_processors", lambda: 3)
    monkeypatch.setattr(lint_many, "WORTH_BYTES", 1000)
    started: list[list[str]] = []
    start = lint_many.start

    def noted(files: list[str], selection: Selection, *, follow: bool) -> lint_many.Share:
        started.append(files)
        return start(files, selection, follow=follow)

    monkeypatch.setattr(lint_many, "start", noted)
    assert output(tmp_path, form, capsys) == alone
    assert len(started) == 2


def test_a_share_whose_process_fails_is_done_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tmp_path)
    alone = output(tmp_path, "json", capsys)
    monkeypatch.setattr(lint_many, "_processors", lambda: 2)
    monkeypatch.setattr(lint_many, "WORTH_BYTES", 1000)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert output(tmp_path, "json", capsys) == alone


def test_a_named_file_that_is_nothing_for_the_linter_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tmp_path)
    (tmp_path / "z.txt").write_text("text\n")
    monkeypatch.setattr(lint_many, "_processors", lambda: 2)
    monkeypatch.setattr(lint_many, "WORTH_BYTES", 1000)
    assert main(["lint", *map(str, sorted(tmp_path.iterdir()))]) == 2
    assert "z.txt is neither" in capsys.readouterr().err
