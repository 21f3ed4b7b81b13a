"""The same manifest on another machine."""

from __future__ import annotations

import pytest

from jobs.compile.relocate import relocate
from jobs.model.job import Argv, Job, Manifest, ShellLine
from tests.compile.manifests import job, manifest


def moved(one: Job, private: str = "/w/.jobs-here") -> Manifest:
    return relocate(manifest(one), root="/w", home="/home/ann", user="ann", private=private)


def test_the_project_moves() -> None:
    project = moved(job()).project
    assert (project.root, project.home, project.user) == ("/w", "/home/ann", "ann")
    assert (project.logs, project.state) == ("/w/.jobs-here/logs", "/w/.jobs-here/state")
    assert project.output_dir == "/w/.jobs-here/generated"


@pytest.mark.parametrize(
    ("private", "expected"),
    [
        pytest.param("/w/x", "/w/x/generated", id="below the root"),
        pytest.param("/tmp/x", "/w/../tmp/x/generated", id="elsewhere"),
        pytest.param("/w", "/w/generated", id="the root itself"),
    ],
)
def test_the_files_go_to_the_private_folder(private: str, expected: str) -> None:
    assert moved(job(), private).project.output_dir == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("/Users/kim/work/one-ceo/bin/x", "/w/bin/x", id="below the root"),
        pytest.param("/Users/kim/work/one-ceo", "/w", id="the root"),
        pytest.param("/Users/kim/.nvm/bin", "/home/ann/.nvm/bin", id="below the home"),
        pytest.param("/Users/kimberly/x", "/Users/kimberly/x", id="a longer name"),
        pytest.param("/Users/kim/work/one-ceo-2/x", "/home/ann/work/one-ceo-2/x", id="a sister of the root"),
        pytest.param("/usr/bin/x", "/usr/bin/x", id="elsewhere"),
        pytest.param("x", "x", id="a bare name"),
    ],
)
def test_a_path_moves_with_what_it_is_below(value: str, expected: str) -> None:
    one = job(run=Argv((value, value)), env=(("X", f"{value}:/bin"),), env_file=value, watch=(value,))
    (found,) = moved(one).jobs
    assert found.run == Argv((expected, value))
    assert dict(found.env)["X"] == f"{expected}:/bin"
    assert found.env_file == expected
    assert found.watch == (expected,)


def test_a_shell_line_and_the_order_of_the_environment_stay() -> None:
    one = job(run=ShellLine("/Users/kim/x"), env=(("B", "1"), ("A", "2")))
    (found,) = moved(one).jobs
    assert found.run == ShellLine("/Users/kim/x")
    assert [key for key, _ in found.env] == ["LANG", "B", "A"]


def test_the_log_keeps_its_name() -> None:
    assert moved(job()).jobs[0].log == "/w/.jobs-here/logs/note-post.log"
