from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools import SHELLS, shell_command
from tests.wrapper.sandbox import Sandbox


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    """A sandbox whose wrappers run under /bin/sh."""
    return Sandbox(tmp_path / "box")


@pytest.fixture(params=sorted(SHELLS))
def any_shell(request: pytest.FixtureRequest, tmp_path: Path) -> Sandbox:
    """The same, once per shell."""
    return Sandbox(tmp_path / "box", shell=shell_command(request.param))
