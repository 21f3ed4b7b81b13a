"""The page about simulation shows what the program prints."""

from __future__ import annotations

from tests.simulate.docs import PAGE, commands, refreshed


def test_the_page_is_current() -> None:
    text = PAGE.read_text()
    assert len(commands(text)) == 2
    assert refreshed(text) == text, "python -m tests.simulate.docs writes it anew"
