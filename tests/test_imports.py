"""A light command must not load what only heavy ones need: every module costs at each start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from jobs.cli.app import VERBS

# Not subprocess: typer brings it.
HEAVY = {
    "importlib.metadata",
    "importlib.resources",
    "jinja2",
    "jsonschema",
    "plistlib",
    "pydantic",
    "rich",
    "tomlkit",
    "tree_sitter",
    "xml",
    "zoneinfo",
}

CALL = """
import contextlib, io, sys
from jobs.cli.app import main
with contextlib.redirect_stdout(io.StringIO()):
    status = main(sys.argv[1:])
print(*sorted(sys.modules))
sys.exit(status)
"""


def loaded(*words: str) -> set[str]:
    """The modules in memory after a command."""
    src = Path(__file__).resolve().parents[1] / "src"
    done = subprocess.run(
        [sys.executable, "-c", CALL, *words],
        env={"PYTHONPATH": str(src)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "words",
    [
        pytest.param([], id="nothing"),
        pytest.param(["--help"], id="help"),
        pytest.param(["--version"], id="version"),
        pytest.param(["shell-init", "zsh"], id="shell-init"),
        *(pytest.param([verb.name, "--help"], id=f"help of {verb.name}") for verb in VERBS),
    ],
)
def test_a_light_command_loads_nothing_heavy(words: list[str]) -> None:
    assert loaded(*words) & HEAVY == set()


def test_the_root_command_imports_no_verb() -> None:
    assert {name for name in loaded("--help") if name.startswith("jobs.cli.")} == {"jobs.cli.app"}
