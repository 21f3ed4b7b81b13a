"""Times and lengths for people, on the wall clock of the simulated Mac."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from jobs.schedule.wall import WallClock

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)  # stands for a wall clock here


def length(seconds: int) -> str:
    """A length such as `2h05m`, `45m`, `90s` or `3d04h`."""
    if seconds < 120:
        return f"{seconds}s"
    minutes = seconds // 60
    if minutes < 60:
        return f"{minutes}m" + (f"{seconds % 60:02d}s" if seconds % 60 else "")
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours}h" + (f"{minutes:02d}m" if minutes else "")
    return f"{hours // 24}d" + (f"{hours % 24:02d}h" if hours % 24 else "")


class Clock:
    """Instants as the wall clock shows them; the date is left out where the reader knows it."""

    def __init__(self, wall: WallClock, one_day: bool) -> None:
        self._wall = wall
        self._one_day = one_day

    def _shown(self, instant: int) -> datetime:
        return _EPOCH + timedelta(seconds=self._wall.reading(instant))

    def date_and_minute(self, instant: int) -> str:
        """`2026-12-01 09:30`."""
        return self._shown(instant).strftime("%Y-%m-%d %H:%M")

    def minute(self, instant: int) -> str:
        """`09:30`, with the date in front when several days are told of."""
        return self._shown(instant).strftime("%H:%M" if self._one_day else "%m-%d %H:%M")

    def second(self, instant: int) -> str:
        """`09:30:05`, the seconds only if there are some."""
        shown = self._shown(instant)
        return self.minute(instant) + (shown.strftime(":%S") if shown.second else "")
