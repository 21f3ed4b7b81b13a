"""The calendar as one page of HTML that needs nothing else: no network, no fonts, one small script."""

from __future__ import annotations

from jobs.model.job import Job
from jobs.schedule.pattern import DAY_MINUTES
from jobs.schedule.words import duration_in_words
from jobs.week.causes import events_in_words, interval_in_words
from jobs.week.plan import DENSE, Calendar, Collision, Entry, Lane
from jobs.week.sheet import BAND_ROOM, HUES, ROOM, Mark, Sheet, Side, render, sides
from jobs.week.table import clock, length_in_words

MOST_COLLISIONS = 200  # on the page; --json lists them all
NAMED = 4  # jobs named in the words of a collision


def render_page(calendar: Calendar, project: str) -> str:
    """The page."""
    sheet = Sheet(calendar.first, calendar.days)
    colliding = _colliding(calendar)
    groups = [
        {
            "name": guard,
            "hue": HUES[index % len(HUES)] if guard else None,
            "spans": (),
            "lanes": [
                {
                    "name": lane.job.name,
                    "about": lane.job.about,
                    "words": lane.words,
                    "ways": (),
                    "marks": _marks(calendar, sheet, lane, colliding),
                }
                for lane in lanes
            ],
        }
        for index, (guard, lanes) in enumerate(calendar.groups)
    ]
    now = calendar.now
    return render(
        "week.html.j2",
        sheet,
        calendar.changes,
        project=project,
        zone=calendar.zone,
        heads=sheet.heads(now.day if now is not None else None, calendar.changes),
        groups=groups,
        spans=(),
        nothing="No job has a time of day.",
        now=None if now is None else {"left": sheet.place(_minute(now)), "time": clock(now.minute)},
        collisions=_collision_rows(calendar, sheet),
        collision_count=len(calendar.collisions),
        slot_count=sum(len(lane.entries) for lane in calendar.lanes),
        job_count=len(calendar.lanes),
        others=[(job.name, job.about, _causes(job)) for job in calendar.others],
        # For the script, which moves the line of now: the wall's offsets by epoch second, and the page's days.
        clockwork={
            "first": sheet.first_number * 86400,
            "days": calendar.days,
            "offsets": calendar.offsets,
        },
    )


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


def _marks(calendar: Calendar, sheet: Sheet, lane: Lane, colliding: dict[int, list[str]]) -> list[Mark]:
    """What is drawn of a lane."""
    entries: list[tuple[Entry, ...]] = []  # those of one mark
    for day in range(calendar.days):
        of_day = lane.of_day(day)
        entries += [of_day] if len(of_day) > DENSE else [(entry,) for entry in of_day]
    found = sides(
        [
            (_minute(group[0]), _minute(group[-1]), ROOM if len(group) == 1 else BAND_ROOM)
            for group in entries
        ],
        sheet.minutes,
    )
    return [
        _single(calendar, sheet, lane, group[0], colliding, side)
        if len(group) == 1
        else _band(calendar, sheet, lane, group, colliding, side)
        for group, side in zip(entries, found, strict=True)
    ]


def _minute(entry: Entry) -> int:
    """The minute of the whole page."""
    return entry.day * DAY_MINUTES + entry.minute


def _single(
    calendar: Calendar,
    sheet: Sheet,
    lane: Lane,
    entry: Entry,
    colliding: dict[int, list[str]],
    side: Side,
) -> Mark:
    distance = entry.slot.instant - calendar.moment
    reasons = colliding.get(id(entry), [])
    wall = f"{entry.slot.time:%H:%M}"
    shown = clock(entry.minute)
    parts = [
        f"{sheet.day(entry.day)} {shown} {lane.job.name}",
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
        left=sheet.place(_minute(entry)),
        width=sheet.place((lane.expected_s or 0) / 60),
        label="; ".join([*parts, *reasons]),
        time=shown if side else "",
        before=side == "before",
        kind=_kind("clash" * bool(reasons), "past" * (distance < 0)),
    )


def _band(
    calendar: Calendar,
    sheet: Sheet,
    lane: Lane,
    entries: tuple[Entry, ...],
    colliding: dict[int, list[str]],
    side: Side,
) -> Mark:
    """Many slots of one day as one band."""
    first, last = entries[0], entries[-1]
    clashes = [reason for entry in entries for reason in colliding.get(id(entry), [])]
    parts = [
        f"{sheet.day(first.day)} {clock(first.minute)} to {clock(last.minute)} {lane.job.name}",
        f"{len(entries)} slots",
        length_in_words(lane.expected_s),
    ]
    if clashes:
        parts.append(f"{len(clashes)} collisions, the first: {clashes[0]}")
    return Mark(
        left=sheet.place(_minute(first)),
        width=sheet.place(last.minute - first.minute + 1),
        label="; ".join(parts),
        time=f"{len(entries)}×" if side else "",
        before=side == "before",
        kind=_kind("band", "clash" * bool(clashes), "past" * (last.slot.instant < calendar.moment)),
    )


def _kind(*classes: str) -> str:
    return " ".join(name for name in classes if name)


def _collision_rows(calendar: Calendar, sheet: Sheet) -> list[dict[str, object]]:
    return [_collision_row(sheet, collision) for collision in calendar.collisions[:MOST_COLLISIONS]]


def _collision_row(sheet: Sheet, collision: Collision) -> dict[str, object]:
    first = collision.entries[0][1]
    return {
        "when": f"{sheet.day(first.day)} {clock(first.minute)}",
        "wanted": collision.wanted,
        "jobs": [f"{name} {clock(entry.minute)}" for name, entry in collision.entries[:8]],
        "more": max(0, len(collision.entries) - 8),
    }


def _causes(job: Job) -> str:
    return ", ".join(cause for cause in (interval_in_words(job), *events_in_words(job)) if cause)
