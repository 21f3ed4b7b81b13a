"""The calendar as one page of HTML that needs nothing else: no network, no fonts, one small script."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Literal, TypeAlias

from jobs.compile.templates import templates_folder
from jobs.model.job import Job
from jobs.schedule.pattern import DAY_MINUTES
from jobs.schedule.words import duration_in_words
from jobs.week.causes import events_in_words, interval_in_words
from jobs.week.plan import DENSE, Calendar, Collision, Entry, Lane
from jobs.week.table import clock, length_in_words

ROOM = 7 * 60  # minutes that a mark and its written time take in a column, about
BAND_ROOM = 5 * 60  # and the count of a band
LATE = (
    20 * 60
)  # from here on a time would mostly stand in the next day: it is written before its mark, if it can be
BEYOND = 2 * 60  # how far those may reach past the last column
MOST_COLLISIONS = 200  # on the page; --json lists them all
NAMED = 4  # jobs named in the words of a collision
Side: TypeAlias = Literal["before", "after", ""]  # of the words beside a mark
HUES = (172, 262, 28, 206, 330, 92)  # of the guards, in order; the last group, without a guard, is grey


@dataclass(frozen=True, slots=True)
class Mark:
    """One slot, or a band of many of one day, as it is drawn. Places are per cent of the whole width."""

    left: float
    width: float
    label: str  # for screen readers, and for the details: parts with "; " between
    time: str = ""  # written beside it, where there is room
    before: bool = False  # the time stands on the left
    band: int = 0  # how many slots; 0 for a single one
    collides: bool = False
    past: bool = False


def render_page(calendar: Calendar, project: str) -> str:
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
    colliding = _colliding(calendar)
    groups = [
        {
            "name": guard,
            "hue": HUES[index % len(HUES)] if guard else None,
            "lanes": [
                {
                    "name": lane.job.name,
                    "about": lane.job.about,
                    "words": lane.words,
                    "marks": _marks(calendar, lane, colliding),
                }
                for lane in lanes
            ],
        }
        for index, (guard, lanes) in enumerate(calendar.groups)
    ]
    text = environment.get_template("week.html.j2").render(
        project=project,
        title=_span(calendar),
        zone=calendar.zone,
        heads=_heads(calendar),
        groups=groups,
        changes=[_place(calendar, change.day, change.minute) for change in calendar.changes],
        now=_now(calendar),
        collisions=_collision_rows(calendar),
        collision_count=len(calendar.collisions),
        slot_count=sum(len(lane.entries) for lane in calendar.lanes),
        job_count=len(calendar.lanes),
        others=[(job.name, job.about, _causes(job)) for job in calendar.others],
        days=calendar.days,
        style=(folder / "week.css").read_text(encoding="utf-8"),
        script=script,
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        clockwork=_clockwork(calendar),
    )
    return text if text.endswith("\n") else f"{text}\n"


def _place(calendar: Calendar, day: int, minute: float) -> float:
    """Per cent of the width from the left."""
    return round(100 * (day * DAY_MINUTES + minute) / (calendar.days * DAY_MINUTES), 4)


def _span(calendar: Calendar) -> str:
    """The days in words, such as `1 to 7 December 2026`."""
    first, last = calendar.first, calendar.date(calendar.days - 1)
    if first == last:
        return f"{first.day} {first:%B %Y}"
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day} to {last.day} {last:%B %Y}"
    if first.year == last.year:
        return f"{first.day} {first:%B} to {last.day} {last:%B %Y}"
    return f"{first.day} {first:%B %Y} to {last.day} {last:%B %Y}"


def _day(calendar: Calendar, entry: Entry) -> str:
    """The day of an entry, such as `Tue 1 Dec`."""
    day = calendar.date(entry.day)
    return f"{day:%a} {day.day} {day:%b}"


def _heads(calendar: Calendar) -> list[dict[str, object]]:
    today = calendar.now.day if calendar.now is not None else None
    heads: list[dict[str, object]] = []
    for column in range(calendar.days):
        day = calendar.date(column)
        heads.append(
            {
                "iso": day.isoformat(),
                "short": f"{day:%a}",
                "date": f"{day.day} {day:%b}",
                "today": column == today,
                "weekend": day.isoweekday() > 5,
                "left": _place(calendar, column, 0),
                "changes": [
                    {"shift": f"{change.shift_s / 3600:+g} h", "at": clock(change.minute)}
                    for change in calendar.changes
                    if change.day == column
                ],
            }
        )
    return heads


def _now(calendar: Calendar) -> dict[str, object] | None:
    if calendar.now is None:
        return None
    return {
        "left": _place(calendar, calendar.now.day, calendar.now.minute),
        "time": clock(calendar.now.minute),
    }


def _clockwork(calendar: Calendar) -> dict[str, object]:
    """What the script needs to move the line of now: the wall's offsets by epoch second, and the page's days."""
    first = (calendar.first - date(1970, 1, 1)).days * 86400
    return {"first": first, "days": calendar.days, "offsets": calendar.offsets}


def _colliding(calendar: Calendar) -> dict[int, list[str]]:
    """What each colliding entry, by its identity, collides with, in words."""
    found: dict[int, list[str]] = {}
    for collision in calendar.collisions:
        first = [(entry, f"{name} {clock(entry.minute)}") for name, entry in collision.entries[: NAMED + 1]]
        more = len(collision.entries) - 1 - NAMED
        for _, entry in collision.entries:
            others = [text for at, text in first if at is not entry][:NAMED]
            rest = f" and {more} more" if more > 0 else ""
            found.setdefault(id(entry), []).append(
                f"{collision.wanted} is wanted by {', '.join(others)}{rest} too"
            )
    return found


def _marks(calendar: Calendar, lane: Lane, colliding: dict[int, list[str]]) -> list[Mark]:
    """What is drawn of a lane."""
    entries: list[tuple[Entry, ...]] = []  # those of one mark
    for day in range(calendar.days):
        of_day = lane.of_day(day)
        entries += [of_day] if len(of_day) > DENSE else [(entry,) for entry in of_day]
    sides = _sides(
        [
            (_minute(group[0]), _minute(group[-1]), ROOM if len(group) == 1 else BAND_ROOM)
            for group in entries
        ],
        calendar.days * DAY_MINUTES,
    )
    return [
        _single(calendar, lane, group[0], colliding, side)
        if len(group) == 1
        else _band(calendar, lane, group, colliding, side)
        for group, side in zip(entries, sides, strict=True)
    ]


def _minute(entry: Entry) -> int:
    """The minute of the whole page."""
    return entry.day * DAY_MINUTES + entry.minute


def _sides(marks: Sequence[tuple[int, int, int]], end: int) -> list[Side]:
    """Where the words of each mark (its first and last minute, what it takes) meet no other and do not leave the page."""
    sides: list[Side] = []
    free = 0
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
        sides.append(side)
    return sides


def _single(
    calendar: Calendar, lane: Lane, entry: Entry, colliding: dict[int, list[str]], side: Side
) -> Mark:
    distance = entry.slot.instant - calendar.moment
    reasons = colliding.get(id(entry), [])
    wall = f"{entry.slot.time:%H:%M}"
    shown = clock(entry.minute)
    parts = [
        f"{_day(calendar, entry)} {shown} {lane.job.name}",
        f"in {duration_in_words(distance)}" if distance > 0 else f"{duration_in_words(distance)} ago",
        length_in_words(lane.expected_s),
    ]
    if wall != shown:
        where = (
            f" in {lane.job.schedule.zone}"
            if lane.job.schedule and lane.job.schedule.zone
            else ", a time that the clock skips"
        )
        parts.append(f"slot {wall}{where}")
    if lane.job.guards:
        parts.append(f"asks guard {', '.join(lane.job.guards)}")
    return Mark(
        left=_place(calendar, entry.day, entry.minute),
        width=round(100 * (lane.expected_s or 0) / 60 / (calendar.days * DAY_MINUTES), 4),
        label="; ".join([*parts, *reasons]),
        time=shown if side else "",
        before=side == "before",
        collides=bool(reasons),
        past=distance < 0,
    )


def _band(
    calendar: Calendar, lane: Lane, entries: tuple[Entry, ...], colliding: dict[int, list[str]], side: Side
) -> Mark:
    """Many slots of one day as one band."""
    first, last = entries[0], entries[-1]
    clashes = [reason for entry in entries for reason in colliding.get(id(entry), [])]
    parts = [
        f"{_day(calendar, first)} {clock(first.minute)} to {clock(last.minute)} {lane.job.name}",
        f"{len(entries)} slots",
        length_in_words(lane.expected_s),
    ]
    if clashes:
        parts.append(f"{len(clashes)} collisions, the first: {clashes[0]}")
    return Mark(
        left=_place(calendar, first.day, first.minute),
        width=_place(calendar, 0, last.minute - first.minute + 1),
        label="; ".join(parts),
        time=f"{len(entries)}×" if side else "",
        before=side == "before",
        band=len(entries),
        collides=bool(clashes),
        past=last.slot.instant < calendar.moment,
    )


def _collision_rows(calendar: Calendar) -> list[dict[str, object]]:
    return [_collision_row(calendar, collision) for collision in calendar.collisions[:MOST_COLLISIONS]]


def _collision_row(calendar: Calendar, collision: Collision) -> dict[str, object]:
    first = collision.entries[0][1]
    return {
        "when": f"{_day(calendar, first)} {clock(first.minute)}",
        "wanted": collision.wanted,
        "jobs": [f"{name} {clock(entry.minute)}" for name, entry in collision.entries[:8]],
        "more": max(0, len(collision.entries) - 8),
    }


def _causes(job: Job) -> str:
    return ", ".join(cause for cause in (interval_in_words(job), *events_in_words(job)) if cause)
