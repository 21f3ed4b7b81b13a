"""Calendar and interval fires in virtual time.

`exact` reads a dictionary as the manual page does: absent fields are wildcards, Day and Weekday are ORed. `842` adds
what the last open source did: a day that the month lacks rolls into the next month, and Month does not apply to
Weekday (reference 2.3, 2.4).
"""

from __future__ import annotations

import time

from tests.launchctl.shapes import calendar
from tests.launchctl.spawn import request_start
from tests.launchctl.state import Store

TYPE_CHECKING = False  # typing itself is dear at every start; type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.launchctl.state import Service


def fits(entry: dict[str, int], at: time.struct_time, reading: str) -> bool:
    """Whether a calendar dictionary fires in the minute `at`."""
    if entry.get("Minute", at.tm_min) != at.tm_min or entry.get("Hour", at.tm_hour) != at.tm_hour:
        return False
    month = entry.get("Month") in {None, 0, at.tm_mon}
    weekday = "Weekday" in entry and entry["Weekday"] % 7 == (at.tm_wday + 1) % 7
    if "Weekday" in entry and weekday and (month or reading == "842"):
        return True
    if "Day" not in entry:
        return month and "Weekday" not in entry
    if month and entry["Day"] == at.tm_mday:
        return True
    return reading == "842" and _rolled(entry, at)


def _rolled(entry: dict[str, int], at: time.struct_time) -> bool:
    """Whether `at` is where mktime puts a day that the month before lacks."""
    year, month = (at.tm_year - 1, 12) if at.tm_mon == 1 else (at.tm_year, at.tm_mon - 1)
    if entry.get("Month") not in {None, 0, month} or entry["Day"] < 29:
        return False
    carried = time.localtime(time.mktime((year, month, entry["Day"], 12, 0, 0, 0, 0, -1)))
    return (carried.tm_mon, carried.tm_mday) == (at.tm_mon, at.tm_mday)


def minutes(after: int, until: int) -> Iterator[int]:
    """Every full minute in (after, until], as epoch."""
    yield from range((after // 60 + 1) * 60, until + 1, 60)


def due(store: Store, service: Service, after: int, until: int) -> list[int]:
    """The moments in (after, until] at which a service fires."""
    entries = calendar(service["plist"])
    found = set()
    if entries:
        reading = store.option("calendar")
        for moment in minutes(after, until):
            at = time.localtime(moment)
            if any(fits(entry, at, reading) for entry in entries):
                found.add(moment)
    interval = service["plist"].get("StartInterval", 0)
    if interval > 0:
        since = service["since"]
        first = since + ((after - since) // interval + 1) * interval
        found |= set(range(first, until + 1, interval))
    return sorted(found)


def advance(store: Store, until: int, *, asleep: bool) -> int:
    """Move the virtual clock on and start what fires; the number of starts.

    Awake, the clock stops at the first moment that fires anything and only those jobs start: the caller goes on when
    their runs are over. Asleep, everything that fired on the way starts once, at `until`; interval fires are lost.
    """
    now = store.now() or until
    fired: dict[int, list[Service]] = {}
    for service in store.services():
        if service["draining"] or service["gone_at"]:
            continue
        for moment in due(store, service, now, until):
            fired.setdefault(moment, []).append(service)
            if not asleep:
                break
    if not fired:
        store.set_now(until)
        return 0
    at = until if asleep else min(fired)
    store.set_now(at)
    chosen = (
        {service["label"]: service for found in fired.values() for service in found}
        if asleep
        else {service["label"]: service for service in fired[at]}
    )
    started = 0
    for service in chosen.values():
        if asleep and not calendar(service["plist"]):
            continue
        request_start(store, service, "speculative")
        started += 1
    return started
