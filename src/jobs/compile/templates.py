"""Where the shell texts are: inside an installed package, or at the top of the repository."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def templates_folder() -> Path:
    """The folder of the templates. A wheel carries it inside the package; in the repository it is at the top."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent.parent / "templates"
