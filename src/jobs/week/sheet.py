"""What the pages of `week` and `simulate` share: days as columns, places on them, and how a page is rendered."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any, Literal, TypeAlias

from jobs.compile.templates import templates_folder
from jobs.schedule.pattern import DAY_MINUTES, date_of, day_number
from jobs.week.plan import ClockChange
from jobs.week.table import clock

ROOM = 8 * 60  # minutes that a mark and its written time take in a column, about
BAND_ROOM = 5 * 60  # and the count of a band
# From here on a time would mostly stand in the next day: it is written before its mark, if it can be.
LATE = 20 * 60
BEYOND = 3 * 60  # how far those may reach past the last column
HUES = (172, 262, 28, 206, 330, 92)  # of the guards, in order; the last group, without a guard, is grey
Side: TypeAlias = Literal["before", "after", ""]  # of the words beside a mark


@dataclass(frozen=True, slots=True)
class Mark:
    """One slot, or a band of many of one day, as it is drawn. Places are per cent of the whole width."""

    left: float
    width: float
    label: str  # for screen readers, and for the details: parts with "; " between
    time: str = ""  # written beside it, where there is room
    before: bool = False  # the time stands on the left
    kind: str = ""  # more classes: what it looks like


@dataclass(frozen=True, slots=True)
class Sheet:
    """Some days in columns: the first, and how many."""

    first: date
    days: int

    @property
    def minutes(self) -> int:
        """The minutes of all columns."""
        return self.days * DAY_MINUTES

    def date(self, day: int) -> date:
        """The date of a column."""
        return date_of(self.first_number + day)

    @property
    def first_number(self) -> int:
        """The first day, counted from 1 January 1970."""
        return day_number(self.first.year, self.first.month, self.first.day)

    def place(self, minute: float) -> float:
        """Per cent of the width from the left, of a minute from the first midnight on."""
        return round(100 * minute / self.minutes, 4)

    def of_reading(self, reading: int) -> float:
        """The minute on the sheet of a reading of the wall clock (seconds since 1970)."""
        return reading / 60 - self.first_number * DAY_MINUTES

    def title(self) -> str:
        """The days in words, such as `1 to 7 December 2026`."""
        first, last = self.first, self.date(self.days - 1)
        if first == last:
            return f"{first.day} {first:%B %Y}"
        if (first.year, first.month) == (last.year, last.month):
            return f"{first.day} to {last.day} {last:%B %Y}"
        if first.year == last.year:
            return f"{first.day} {first:%B} to {last.day} {last:%B %Y}"
        return f"{first.day} {first:%B %Y} to {last.day} {last:%B %Y}"

    def day(self, day: int) -> str:
        """A day in words, such as `Tue 1 Dec`."""
        shown = self.date(day)
        return f"{shown:%a} {shown.day} {shown:%b}"

    def heads(self, today: int | None, changes: Sequence[ClockChange]) -> list[dict[str, object]]:
        """What stands over each column."""
        return [
            {
                "iso": self.date(column).isoformat(),
                "short": f"{self.date(column):%a}",
                "date": f"{self.date(column).day} {self.date(column):%b}",
                "today": column == today,
                "weekend": self.date(column).isoweekday() > 5,
                "left": self.place(column * DAY_MINUTES),
                "changes": [
                    {"shift": f"{change.shift_s / 3600:+g} h", "at": clock(change.minute)}
                    for change in changes
                    if change.day == column
                ],
            }
            for column in range(self.days)
        ]


def sides(marks: Sequence[tuple[float, float, int]], end: int) -> list[Side]:
    """Where the words of each mark (its first and last minute, what it takes) meet no other and do not leave the page."""
    found: list[Side] = []
    free = 0.0
    for index, (first, last, room) in enumerate(marks):
        following = marks[index + 1][0] if index + 1 < len(marks) else end + BEYOND
        after = last + room <= following
        before = first - room >= free
        side: Side = ""
        if before and (last % DAY_MINUTES > LATE or not after):
            side = "before"
        elif after:
            side = "after"
        free = last + (room if side == "after" else 0)
        found.append(side)
    return found


def render(template: str, sheet: Sheet, changes: Sequence[ClockChange], **values: Any) -> str:
    """The page. Everything in it is escaped; the script is allowed by its hash and nothing else is."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    folder = templates_folder()
    script = (folder / "week.js").read_text(encoding="utf-8")
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    text = environment.get_template(template).render(
        title=sheet.title(),
        changes=[sheet.place(change.day * DAY_MINUTES + change.minute) for change in changes],
        days=sheet.days,
        style=(folder / "week.css").read_text(encoding="utf-8"),
        script=script,
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        **values,
    )
    return text if text.endswith("\n") else f"{text}\n"
