"""Times on the command line."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime, tzinfo

from jobs.errors import UsageError

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[-+]\d{2}:?\d{2})?)?", re.ASCII)
FIRST_YEAR, LAST_YEAR = 1900, 9900
EXAMPLES = "2026-12-01 or 2026-12-01T09:00"


def epoch_of(text: str, zone: tzinfo) -> int:
    """The epoch second of an ISO date or time on the wall of a zone; an offset in the text wins. Raises UsageError.

    A time that the clock skips is the moment at which it jumps; one that comes twice is its first pass.
    """
    time = None
    if _ISO.fullmatch(text):
        with suppress(ValueError):  # 2026-02-30
            time = datetime.fromisoformat(text)
    if time is None:
        raise UsageError(f"{text!r} is no time: write a date or a local time, such as {EXAMPLES}")
    if not FIRST_YEAR <= time.year <= LAST_YEAR:
        raise UsageError(f"{text!r} is too far away: write a year from {FIRST_YEAR} to {LAST_YEAR}")
    if time.tzinfo is not None:
        return int(time.timestamp())
    from jobs.schedule.wall import wall_clock

    return wall_clock(zone).instant(int(time.replace(tzinfo=UTC).timestamp()))
