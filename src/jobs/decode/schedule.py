"""`at`, `cron` and `timezone` of a job."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jobs.decode.node import Node, nearest
from jobs.schedule.cron import parse_cron
from jobs.schedule.errors import ScheduleError
from jobs.schedule.parse_at import parse_at_table, parse_at_text
from jobs.schedule.rule import Rule, Schedule

if TYPE_CHECKING:
    from jobs.decode.job import JobTable


def decode_schedule(table: JobTable) -> Schedule | None:
    """The calendar schedule, or None without one (or after a report)."""
    rules: list[Rule] = []
    if table.has("at"):
        node, value = table.of("at"), table.get("at")
        items = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for index, item in items:
            rules += _at(node, index, item)
    elif table.has("cron"):
        node, value = table.of("cron"), table.get("cron")
        if isinstance(value, str):
            try:
                rules += parse_cron(value)
            except ScheduleError as error:
                node.report("cron", "M004", error.message, error.fix, error.span)
    zone = _zone(table)
    if not rules or any(table.of(key).spoilt(key) for key in ("at", "cron") if table.has(key)):
        return None
    return Schedule(tuple(dict.fromkeys(rules)), zone)


def _at(node: Node, index: int | None, item: Any) -> list[Rule]:
    path = (*node.path, "at") if index is None else (*node.path, "at", index)
    if item is None or path in node.problems.spoilt:
        return []
    try:
        if isinstance(item, str):
            return [parse_at_text(item)]
        if isinstance(item, Mapping):
            return list(parse_at_table(item))
    except ScheduleError as error:
        where = path
        if error.key is not None and error.key in item:
            where = (*path, error.key)
            if error.index is not None and isinstance(item[error.key], list):
                where = (*where, error.index)
        node.problems.report(where, "M004", error.message, error.fix, node.problems.inside(where, error.span))
    return []


def _zone(table: JobTable) -> str | None:
    node, name = table.of("timezone"), table.get("timezone")
    if not isinstance(name, str):
        return None
    from zoneinfo import ZoneInfo, available_timezones

    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        known = available_timezones()
        near = nearest(name, sorted(known)) or next(
            (zone for zone in sorted(known) if zone.lower().endswith(f"/{name.lower()}")), None
        )
        todo = f'write timezone = "{near}"' if near else 'write an IANA name, such as timezone = "Asia/Tokyo"'
        node.report("timezone", "M004", f'there is no time zone "{name}"', todo)
        return None
    return name
