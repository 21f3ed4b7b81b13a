"""Names of weekdays and months, and the numbers behind them."""

from __future__ import annotations

from difflib import get_close_matches

WEEKDAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)  # fmt: skip

SHORT_WEEKDAYS = tuple(name[:3] for name in WEEKDAYS)
SHORT_MONTHS = tuple(name[:3] for name in MONTHS)

_OTHER_SHORTS = {"tues": 2, "weds": 3, "thur": 4, "thurs": 4}
WEEKDAY_NUMBERS = {
    **{name: number for names in (WEEKDAYS, SHORT_WEEKDAYS) for number, name in enumerate(names)},
    **_OTHER_SHORTS,
}
MONTH_NUMBERS = {
    **{name: number for names in (MONTHS, SHORT_MONTHS) for number, name in enumerate(names, start=1)},
    "sept": 9,
}


def nearest(word: str, names: dict[str, int]) -> str | None:
    """The name that a misspelled word comes nearest to, or None."""
    near = get_close_matches(word.lower(), list(names), n=1, cutoff=0.6)
    return near[0] if near else None
