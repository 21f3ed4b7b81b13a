"""What CONTRIBUTING.md and README.md name is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[1]
MADE_LATER = {".jobs-here", ".venv", "data/", "~/.zshrc", "~/.bashrc", "~/.config/fish/config.fish"}


def named(page: str) -> list[str]:
    """The paths in code spans of a page: words with a slash or a known ending."""
    spans = re.findall(r"`([^`\s]+)`", (TOP / page).read_text())
    return sorted(
        {span for span in spans if "/" in span or span.endswith((".md", ".toml", ".py"))} - MADE_LATER
    )


@pytest.mark.parametrize(
    ("page", "path"), [(page, path) for page in ("README.md", "docs/CONTRIBUTING.md") for path in named(page)]
)
def test_a_path_in_the_documentation_exists(page: str, path: str) -> None:
    # A path may be told from the top, or from the package.
    assert any((base / path).exists() for base in (TOP, TOP / "src/jobs")), f"{page} names {path}"
