"""`jobs init`."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobs.cli.app import main
from jobs.decode import load
from jobs.model.job import Manifest


def manifest_in(folder: Path) -> Manifest:
    loaded = load(folder / "jobs.toml")
    assert loaded.diagnostics == ()
    assert loaded.manifest is not None
    return loaded.manifest


def test_the_starter_is_a_good_manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "My Project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", "/Users/kim.example")
    assert main(["init"]) == 0
    project = manifest_in(folder).project
    assert (project.name, project.home, project.root) == ("My-Project", "/Users/kim.example", str(folder))
    assert project.prefix == "local.kim-example"
    assert "#:schema" not in (folder / "jobs.toml").read_text()


def test_every_value_can_be_given(tmp_path: Path) -> None:
    words = ["--name", "x", "--prefix", "com.example", "--root", '/Users/k/a "b"', "--home", "/Users/k"]
    assert main(["init", str(tmp_path), *words]) == 0
    project = manifest_in(tmp_path).project
    assert (project.name, project.prefix, project.root, project.home) == (
        "x",
        "com.example",
        '/Users/k/a "b"',
        "/Users/k",
    )


def test_an_existing_manifest_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "jobs.toml"
    path.write_text("mine")
    assert main(["init", str(tmp_path)]) == 2
    assert path.read_text() == "mine"
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [["--prefix", "com.apple.launchd"], ["--root", "here"], ["--name", "a/b"], ["--home", ""]]
)
def test_values_that_make_no_manifest_write_none(
    tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "relative")
    assert main(["init", str(tmp_path), *words]) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert main(["init", str(tmp_path / "no")]) == 2
