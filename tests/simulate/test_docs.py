"""The pages about schedules show what the program prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.simulate.docs import PAGES, commands, refreshed


@pytest.mark.parametrize(
    ("page", "count"), list(zip(PAGES, (6, 2), strict=True)), ids=[page.stem for page in PAGES]
)
def test_the_page_is_current(page: Path, count: int) -> None:
    text = page.read_text()
    assert len(commands(text)) == count
    assert refreshed(text) == text, "python -m tests.simulate.docs writes it anew"
