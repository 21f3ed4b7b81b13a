"""`at`, `cron` and `timezone`: the schedule of a job."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jobs.decode.reader import Reader
from jobs.decode.suggest import nearest
from jobs.read.nodes import Array, Node, Scalar, Table, plain
from jobs.read.toml_tree import quoted
from jobs.schedule.errors import ScheduleError
from jobs.text import Span

if TYPE_CHECKING:
    from jobs.schedule.rule import Rule

# What people write for a zone and no zone is called, and where most of them live.
_ABBREVIATIONS = {
    "jst": "Asia/Tokyo", "kst": "Asia/Seoul", "ist": "Asia/Kolkata", "gmt": "Europe/London", "bst": "Europe/London",
    "cest": "Europe/Berlin", "pst": "America/Los_Angeles", "pdt": "America/Los_Angeles", "pt": "America/Los_Angeles",
    "mdt": "America/Denver", "cst": "America/Chicago", "cdt": "America/Chicago", "edt": "America/New_York",
    "et": "America/New_York", "aest": "Australia/Sydney", "z": "UTC",
}  # fmt: skip


def decode_at(node: Node, read: Reader) -> tuple[Rule, ...]:
    """The rules of an `at`; empty when something is wrong with it."""
    items = node.items if isinstance(node, Array) else [node]
    return tuple(rule for item in items for rule in _at_rules(item, read))


def _at_rules(node: Node, read: Reader) -> tuple[Rule, ...]:
    from jobs.schedule.parse_at import parse_at_table, parse_at_text

    try:
        if isinstance(node, Scalar) and isinstance(node.value, str):
            return (parse_at_text(node.value),)
        if isinstance(node, Table) and not read.findings.within(node.span):
            return parse_at_table(plain(node))
    except ScheduleError as error:
        _report(error, node, read)
    return ()


def decode_cron(node: Node, read: Reader) -> tuple[Rule, ...]:
    """The rules of a `cron`; empty when something is wrong with it."""
    from jobs.schedule.cron import parse_cron

    text = read.string(node)
    if text is None:
        return ()
    try:
        return parse_cron(text)
    except ScheduleError as error:
        _report(error, node, read)
        return ()


def _report(error: ScheduleError, node: Node, read: Reader) -> None:
    """Note an error of a schedule at its exact place: a key of a table, an entry of an array, a part of a string."""
    if isinstance(node, Table) and error.key is not None:
        entry = node.entries.get(error.key)
        if entry is not None:
            node = entry.node
            if isinstance(node, Array) and error.index is not None:
                node = node.items[error.index]
    span = node.span if error.span is None else _inside(node, error.span, read)
    read.findings.add("M004", span, error.message, error.fix)


def _inside(node: Node, span: Span, read: Reader) -> Span:
    """A span of a string's value as a span of the file; the whole string where escapes move things about."""
    raw = read.findings.source.text[node.span.start : node.span.end]
    if not isinstance(node, Scalar) or raw[1:-1] != node.value or span.start == span.end:
        return node.span
    return Span(node.span.start + 1 + span.start, node.span.start + 1 + span.end)


def decode_timezone(node: Node | None, read: Reader) -> str | None:
    """The IANA name of a zone, or None."""
    text = read.name(node)
    if text is None or node is None or text in zone_names():
        return text
    near = _nearest_zone(text)
    fix = f"write {quoted(near)}" if near else 'write an IANA name, such as "Asia/Tokyo" or "UTC"'
    read.findings.add("M004", node.span, f"there is no time zone {quoted(text)}", fix)
    return None


@cache
def zone_names() -> frozenset[str]:
    """The names of all time zones, from the list of the tzdata package: the same on every machine."""
    from importlib.util import find_spec

    spec = find_spec("tzdata")
    if spec is None or spec.origin is None:
        from zoneinfo import available_timezones

        return frozenset(available_timezones())
    return frozenset((Path(spec.origin).parent / "zones").read_text(encoding="utf-8").split())


def _nearest_zone(text: str) -> str | None:
    short = text.strip().lower()
    if short in _ABBREVIATIONS:
        return _ABBREVIATIONS[short]
    city = short.replace(" ", "_").rsplit("/", 1)[-1]
    names = sorted(zone_names())
    exact = [name for name in names if name.rsplit("/", 1)[-1].lower() == city and "/" in name]
    return exact[0] if exact else nearest(text.replace(" ", "_"), names)


def schedule_text(node: Node, read: Reader) -> str:
    """`at` or `cron` as written, for people: strings without quotes, tables as they stand."""
    items = node.items if isinstance(node, Array) else [node]
    source = read.findings.source.text
    texts = [
        item.value
        if isinstance(item, Scalar) and isinstance(item.value, str)
        else " ".join(source[item.span.start : item.span.end].split())
        for item in items
    ]
    return ", ".join(texts)
