"""The one way in which text becomes shell."""

from __future__ import annotations


def quote(text: str) -> str:
    """The text as one word of a POSIX shell, in single quotes. Raises ValueError for NUL, which no shell can carry."""
    if "\0" in text:
        raise ValueError("a NUL character cannot be part of a shell word")
    return "'" + text.replace("'", "'\\''") + "'"
