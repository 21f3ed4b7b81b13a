"""Every example of every `--help` is a line that bash and zsh understand."""

from __future__ import annotations

import re
import subprocess

import pytest

from jobs.cli.app import main
from tests.cli.test_help import calls
from tests.tools import require_tool

SHELLS = ("bash", "zsh")


def examples(text: str) -> list[str]:
    """The commands of a help text: lines under `Example(s):`, up to the description behind two or more blanks."""
    found = re.search(r"^  Examples?[^\n]*:\n((?:    .*\n?)+)", text, re.MULTILINE)
    assert found, text
    return [re.split(r"\s{2,}", line.strip())[0] for line in found[1].splitlines()]


@pytest.fixture(scope="module")
def all_examples() -> list[str]:
    """Those of all commands, one after the other."""
    import contextlib
    import io

    found: list[str] = []
    for words in [
        [],
        ["guard"],
        *calls(),
    ]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            assert main([*words, "--help"]) == 0
        found += examples(out.getvalue())
    return found


@pytest.mark.parametrize("shell", SHELLS)
def test_every_example_is_good_grammar(shell: str, all_examples: list[str]) -> None:
    assert len(all_examples) > 50
    done = subprocess.run(
        [require_tool(shell), "-n"],
        input="\n".join(all_examples),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
