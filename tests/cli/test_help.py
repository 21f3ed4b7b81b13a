"""The help of every command."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from jobs.cli.app import VERBS, main


def calls() -> list[list[str]]:
    """Every command as it is called; a verb that is a group by its own commands."""
    found = []
    for verb in VERBS:
        commands = import_module(f"jobs.cli.{verb.module}").app.registered_commands
        commands = [command for command in commands if not command.hidden]
        if len(commands) == 1:
            found.append([verb.name])
        else:
            found += [[verb.name, command.name or command.callback.__name__] for command in commands]
    return found


@pytest.mark.parametrize("words", calls(), ids=" ".join)
def test_every_help_shows_an_example(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--help"]) == 0
    text = capsys.readouterr().out
    assert re.search(rf"^  .*jobsctl {re.escape(' '.join(words))}\b", text, re.MULTILINE), text


def test_the_root_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(re.search(rf"^  {re.escape(verb.name)} ", text, re.MULTILINE) for verb in VERBS)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param(["biuld"], "did you mean 'build'?", id="a command that nearly exists"),
        pytest.param(["build", "--chekc"], "--check", id="an option that nearly exists"),
        pytest.param(["run"], "NAME", id="an argument that is missing"),
    ],
)
def test_a_slip_of_the_fingers(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert message in capsys.readouterr().err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert re.fullmatch(r"jobs \d+\.\d+\.\d+\n", capsys.readouterr().out)
