"""The calendar as text: jobs in rows, days in columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jobs.schedule.words import duration_in_words
from jobs.week.causes import events_in_words, interval_in_words
from jobs.week.plan import Calendar, Entry, Lane

TIMES = 3  # lines of a cell
NARROWEST = 8
Paint = Callable[[str, str], str]


def table(calendar: Calendar, width: int, paint: Paint) -> list[str]:
    """The lines of the calendar, for a terminal of `width` columns; `paint(text, style)` styles a text.

    Styles are bold, dim, alarm and now.
    """
    names = max((len(lane.job.name) for lane in calendar.lanes), default=4)
    names = min(max(names, 8), 24)
    cell = max(NARROWEST, min(13, (width - names) // max(1, calendar.days) - 1))
    per_block = max(1, (width - names) // (cell + 1))
    colliding = {id(entry) for collision in calendar.collisions for _, entry in collision.entries}
    lines: list[str] = []
    for begin in range(0, calendar.days, per_block):
        days = range(begin, min(begin + per_block, calendar.days))
        lines += ["", *_heads(calendar, days, names, cell, paint)]
        for guard, lanes in calendar.groups:
            shown = [lane for lane in lanes if lane.entries]
            if shown:
                lines.append(paint(f"guard {guard}" if guard else "without a guard", "dim"))
            for lane in shown:
                lines += _lane(calendar, lane, days, names, cell, colliding, paint)
    lines += _notes(calendar, paint)
    return [line.rstrip() for line in lines[1:]]


def _heads(calendar: Calendar, days: range, names: int, cell: int, paint: Paint) -> list[str]:
    """The head of each column: the date, and a change of the clock."""
    lines = [" " * names]
    for day in days:
        text = f"{calendar.date(day):%a %d %b}".replace(" 0", " ")[:cell]
        style = "now" if calendar.now is not None and calendar.now.day == day else "bold"
        lines[0] += " " + paint(f"{text:{cell}}", style)
    changes = {change.day: change for change in calendar.changes if change.day in days}
    if changes:
        marks = " " * names
        for day in days:
            change = changes.get(day)
            text = f"clock {change.shift_s / 3600:+g}h" if change else ""
            marks += " " + paint(f"{text:{cell}}", "alarm" if change else "dim")
        lines.append(marks)
    return lines


def _lane(
    calendar: Calendar, lane: Lane, days: range, names: int, cell: int, colliding: set[int], paint: Paint
) -> list[str]:
    """The lines of one job."""
    cells = [_cell(lane.of_day(day), colliding) for day in days]
    height = max(1, *(len(texts) for texts in cells))
    name = lane.job.name if len(lane.job.name) <= names else f"{lane.job.name[: names - 1]}…"
    lines = []
    for row in range(height):
        line = f"{name if row == 0 else '':{names}}"
        for day, texts in zip(days, cells, strict=True):
            text, alarm = texts[row] if row < len(texts) else ("", False)
            past = calendar.now is not None and day < calendar.now.day
            padded = f"{text:{cell}}"
            line += " " + (paint(padded, "alarm") if alarm else paint(padded, "dim") if past else padded)
        lines.append(line.rstrip())
    return lines


def _cell(entries: Sequence[Entry], colliding: set[int]) -> list[tuple[str, bool]]:
    """The texts of one cell, each with whether it collides."""
    if len(entries) <= TIMES:
        return [
            (f"{clock(entry.minute)}{'!' if id(entry) in colliding else ''}", id(entry) in colliding)
            for entry in entries
        ]
    alarm = any(id(entry) in colliding for entry in entries)
    return [
        (f"{len(entries)} times{'!' if alarm else ''}", alarm),
        (clock(entries[0].minute), alarm),
        (f"to {clock(entries[-1].minute)}", alarm),
    ]


def _notes(calendar: Calendar, paint: Paint) -> list[str]:
    lines: list[str] = []
    if calendar.collisions:
        lines += ["", paint("Collisions (marked !)", "bold")]
        for collision in calendar.collisions[:20]:
            lines.append("  " + collision_in_words(calendar, collision.wanted, collision.entries))
        rest = len(calendar.collisions) - 20
        if rest > 0:
            lines.append(f"  and {rest} more: --json lists them all")
    silent = [lane.job.name for lane in calendar.lanes if not lane.entries]
    if silent:
        lines += ["", paint("Not in these days", "bold"), f"  {', '.join(silent)}"]
    if calendar.others:
        lines += ["", paint("Without a time of day", "bold")]
        for job in calendar.others:
            causes = [interval_in_words(job), *events_in_words(job)]
            lines.append(f"  {job.name}  {', '.join(cause for cause in causes if cause)}")
    return lines


def collision_in_words(calendar: Calendar, wanted: str, entries: Sequence[tuple[str, Entry]]) -> str:
    """A collision in one line: when, which jobs, what they want."""
    first = entries[0][1]
    jobs = ", ".join(f"{name} {clock(entry.minute)}" for name, entry in entries[:6])
    more = f" and {len(entries) - 6} more" if len(entries) > 6 else ""
    return f"{calendar.date(first.day):%a %Y-%m-%d}  {jobs}{more}: {wanted}"


def clock(minute: int) -> str:
    """A minute of the day as HH:MM."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def length_in_words(seconds: int | None) -> str:
    """How long runs take, in words."""
    return "length not known yet" if seconds is None else f"usually {duration_in_words(seconds)}"
