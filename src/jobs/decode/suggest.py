"""Did you mean: the nearest of the names that are allowed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The name that a word comes nearest to, whatever the case, or None when none is near."""
    from difflib import get_close_matches

    folded = {_fold(name): name for name in names}
    exact = folded.get(_fold(word))
    if exact is not None:
        return exact
    near = get_close_matches(_fold(word), list(folded), n=1, cutoff=0.66)
    return folded[near[0]] if near else None


def _fold(name: str) -> str:
    return name.lower().replace("-", "_")


def listed(words: Sequence[str], last: str = "or") -> str:
    """The words as a list in a sentence: `a, b or c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
