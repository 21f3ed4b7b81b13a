from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.project import Project, daily


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project of two jobs, not built yet."""
    made = Project(tmp_path / "project")
    made.folder.mkdir()
    made.write(daily("a") + daily("b"))
    return made
