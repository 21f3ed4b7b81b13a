"""A second model of launchd and of the wrapper, written from the facts alone and sharing no line with the product.

What is known of StartCalendarInterval, and is modelled here anew on the standard library's zones:

- The manual: a missing key is a wildcard, Day and Weekday are OR. It says nothing of clock changes, so each answer is
  played: a time that spring leaves out never fires or fires after the gap, one that comes twice fires once or twice.
- Release 842: Month is forgotten beside Weekday; a day that the month lacks rolls into the next month; a search that
  leaves today reads its time by the summer-time flag of the midnight at which it arrived (the next day's, the first of
  the month's, 1 January's), so that it may be an hour off; a missing minute carries over into the next hour; a time of
  today that does not exist fires at once, until the clock is past.
- A sleeper: all fires of a sleep are one, at its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

Dictionary = Mapping[str, int]
MINUTE = 60
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LAST_YEARS = 9


class Zone:
    """A zone as mktime(3) knows it: naive local times and the flag of summer time."""

    def __init__(self, name: str) -> None:
        self.info = ZoneInfo(name)
        self._passes: dict[datetime, list[int]] = {}

    def local(self, at: int) -> datetime:
        return (EPOCH + timedelta(seconds=at)).astimezone(self.info).replace(tzinfo=None)

    def passes(self, local: datetime) -> list[int]:
        """The instants at which the clock shows a time: none in a gap, two in autumn."""
        if local in self._passes:
            return self._passes[local]
        found = set()
        for fold in (0, 1):
            aware = local.replace(tzinfo=self.info, fold=fold)
            at = int((aware.astimezone(UTC) - EPOCH).total_seconds())
            if self.local(at) == local.replace(fold=0):
                found.add(at)
        return self._passes.setdefault(local, sorted(found))

    def after_gap(self, local: datetime) -> int:
        """The instant at which a gap around a time is over."""
        aware = [local.replace(tzinfo=self.info, fold=fold) for fold in (0, 1)]
        low, high = sorted(int((one.astimezone(UTC) - EPOCH).total_seconds()) for one in aware)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.local(middle) < local else (low, middle)
        return high

    def summer(self, at: int) -> bool:
        return bool((EPOCH + timedelta(seconds=at)).astimezone(self.info).dst())

    def by_flag(self, local: datetime, summer: bool | None) -> int | None:
        """mktime: the flag decides between two passes, and shifts a time for which it does not hold. None: there is none."""
        passes = self.passes(local)
        fitting = [at for at in passes if summer is None or self.summer(at) == summer]
        if fitting:
            return fitting[0]
        if summer is None:
            return None
        near = passes[0] if passes else self.after_gap(local)
        for days in range(366):
            for at in (near - days * 86400, near + days * 86400):
                if self.summer(at) == summer:
                    offset = int((self.local(at).replace(tzinfo=UTC) - EPOCH).total_seconds()) - at
                    return int((local.replace(tzinfo=UTC) - EPOCH).total_seconds()) - offset
        return passes[0] if passes else near


# The manual


def documented(
    dictionaries: Sequence[Dictionary], start: int, end: int, zone: Zone, *, gap: bool, twice: bool
) -> list[int]:
    """All fires after `start` and before `end`: with `gap` also after a gap, with `twice` at both passes."""
    found: set[int] = set()
    day = zone.local(start).date() - timedelta(days=2)
    last = zone.local(end).date() + timedelta(days=2)
    while day <= last:
        times = {time for dictionary in dictionaries if _on(dictionary, day) for time in _times(dictionary)}
        midnight = datetime(day.year, day.month, day.day)  # noqa: DTZ001 - a wall clock's
        for hour, minute in times:
            local = midnight + timedelta(hours=hour, minutes=minute)
            passes = zone.passes(local)
            found.update(passes if twice else passes[:1])
            if not passes and gap:
                found.add(zone.after_gap(local))
        day += timedelta(days=1)
    return sorted(at for at in found if start < at < end)


def _on(dictionary: Dictionary, day: date) -> bool:
    if dictionary.get("Month", day.month) != day.month:
        return False
    by_day = dictionary.get("Day") == day.day
    by_weekday = "Weekday" in dictionary and dictionary["Weekday"] % 7 == day.isoweekday() % 7
    if "Day" in dictionary and "Weekday" in dictionary:
        return by_day or by_weekday
    return ("Day" not in dictionary or by_day) and ("Weekday" not in dictionary or by_weekday)


def _times(dictionary: Dictionary) -> Iterator[tuple[int, int]]:
    hours = [dictionary["Hour"]] if "Hour" in dictionary else range(24)
    minutes = [dictionary["Minute"]] if "Minute" in dictionary else range(60)
    return ((hour, minute) for hour in hours for minute in minutes)


# Release 842


def release_842(dictionaries: Sequence[Dictionary], start: int, end: int, zone: Zone) -> list[int]:
    """All fires after `start` and before `end`: each alarm is set when the one before has rung."""
    found: set[int] = set()
    for dictionary in dictionaries:
        for search in _searches(dictionary):
            now = start
            while True:
                alarm = _alarm(search, now, zone)
                now = now + MINUTE if alarm is None or alarm <= now else alarm
                if now >= end:
                    break
                found.add(now)
    return sorted(found)


def _searches(dictionary: Dictionary) -> list[Dictionary]:
    if "Weekday" not in dictionary:
        return [dictionary]
    found: list[Dictionary] = [
        {key: dictionary[key] for key in ("Weekday", "Hour", "Minute") if key in dictionary}
    ]
    if "Day" in dictionary:
        found.append({key: dictionary[key] for key in dictionary if key != "Weekday"})
    return found


def _alarm(search: Dictionary, now: int, zone: Zone) -> int | None:
    here = zone.local(now).replace(second=0)
    start = here.hour * 60 + here.minute + 1
    today = here.date()
    first = _first_day(search, today)
    if first == today:
        at = _time_of_day(search, start, here.hour)
        if at is not None:
            return zone.by_flag(_midnight(today) + timedelta(minutes=at), None)
        first = _first_day(search, today + timedelta(days=1))
    minute = _time_of_day(search, 0, 0)
    assert minute is not None
    anchor = zone.by_flag(_midnight(_anchor(search, today, first)), None)
    flag = None if anchor is None else zone.summer(anchor)
    return zone.by_flag(_midnight(first) + timedelta(minutes=minute), flag)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day)  # noqa: DTZ001 - a wall clock's


def _time_of_day(search: Dictionary, start: int, hour: int) -> int | None:
    """The first minute of the day that matches, from `start` on; a missing minute takes the 60th of this hour, too."""
    if "Minute" not in search and start == hour * 60 + 60 and search.get("Hour", hour) == hour:
        return start
    times = [hour_ * 60 + minute for hour_, minute in _times(search)]
    return min((time for time in times if time >= start), default=None)


def _first_day(search: Dictionary, start: date) -> date:
    """The first matching day from a day on; a number that its month lacks counts on into the next."""
    day = start
    if "Weekday" in search:
        while day.isoweekday() % 7 != search["Weekday"] % 7:
            day += timedelta(days=1)
        return day
    if "Day" not in search:
        while day.month != search.get("Month", day.month):
            day += timedelta(days=1)
        return day
    year, month = start.year, start.month
    for _ in range(12 * LAST_YEARS):
        if search.get("Month", month) == month:
            rolled = date(year, month, 1) + timedelta(days=search["Day"] - 1)
            # The search looks at numbers: one that has passed in this month is the next month's.
            if rolled >= start and ((year, month) != (start.year, start.month) or search["Day"] >= start.day):
                return rolled
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    raise AssertionError(search)


def _anchor(search: Dictionary, today: date, found: date) -> date:
    """The day at whose midnight the flag was read last, on the way from today."""
    tomorrow = today + timedelta(days=1)
    if "Weekday" in search:
        return found
    if "Month" in search:
        return tomorrow if found.year == today.year else date(found.year, 1, 1)
    if "Day" in search:
        return tomorrow if (found.year, found.month) == (today.year, today.month) else found.replace(day=1)
    return tomorrow


# The Mac and the wrapper


def coalesced(times: Sequence[int], sleeps: Sequence[tuple[int, int]]) -> list[int]:
    """The fires of a Mac that sleeps at times: begin to before end."""
    found = set()
    for at in times:
        asleep = [end for begin, end in sleeps if begin <= at < end]
        found.add(max(asleep) if asleep else at)
    return sorted(found)


def wrapped(slots: Sequence[tuple[str, int]], times: Sequence[int]) -> dict[str, int]:
    """The slots (name, instant) that run, and when: at each start the newest one that is due, if neither it nor a newer ran."""
    ran: dict[str, int] = {}
    newest = -1
    due = 0
    for at in times:
        while due < len(slots) and slots[due][1] <= at + 30:
            due += 1
        if due - 1 > newest:
            newest = due - 1
            ran[slots[newest][0]] = at
    return ran
