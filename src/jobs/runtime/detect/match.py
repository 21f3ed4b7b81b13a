"""A statement held against the table of wordings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from jobs.runtime.detect.reset import Reset, find_reset
from jobs.runtime.detect.rows import ROWS, Meaning, Row

BRIEF_S = 300
FIVE_HOUR = re.compile(r"\b(?:5-hour|five-hour|session) limit", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Context:
    """What a judgement starts from: which tools count (None: all), the user's own patterns, now, the local zone."""

    tools: frozenset[str] | None
    patterns: tuple[re.Pattern[str], ...]
    now: int
    zone: str | None


@dataclass(frozen=True, slots=True)
class Found:
    """A statement that was understood: what it means, its line, and when a quota comes back, if it says so."""

    meaning: Meaning
    line: str
    until: int | None = None
    warning: str = ""


def match_statement(lines: Sequence[str], context: Context) -> Found | None:
    """What the first of some folded lines means at its start, or None if it is no known statement.

    The other lines are what may belong to it: the rest of a sentence that a terminal has broken, or the line that
    names the reset.
    """
    first, joined = lines[0], " ".join(lines)
    if any(pattern.search(first) for pattern in context.patterns):
        reset = find_reset(joined, context.now, context.zone)
        return Found("quota", first, reset.epoch, reset.warning)
    row = _row_of(first, context)
    if row is None and _broken(lines):
        first = joined
        row = _row_of(first, context)
    return _meant(row, first, joined, context) if row is not None else None


def _row_of(text: str, context: Context) -> Row | None:
    lowered = text.lower()
    for row in ROWS:
        if not lowered.startswith(row.start) or not _counts(row, context):
            continue
        if not row.rest or re.compile(row.rest, re.IGNORECASE).match(text, len(row.start)):
            return row
    return None


def _broken(lines: Sequence[str]) -> bool:
    """Whether a sentence may go on in the second line: `You've hit your` / `session limit · resets 1pm`."""
    return len(lines) > 1 and len(lines[0]) >= 12 and lines[0][-1] not in ".。:!?"


def _meant(row: Row, first: str, joined: str, context: Context) -> Found:
    meaning, reset = row.meaning, Reset()
    if row.reset and (meaning == "quota" or row.undated or row.brief):
        reset = find_reset(joined, context.now, context.zone, FIVE_HOUR.search(first) is not None)
    if row.undated is not None and reset.end == 0:
        meaning = row.undated
    if row.brief is not None and reset.epoch is not None and reset.epoch - context.now <= BRIEF_S:
        meaning = row.brief
    return Found(meaning, first, reset.epoch if meaning == "quota" else None, reset.warning)


def _counts(row: Row, context: Context) -> bool:
    if context.tools is None:
        return not row.scoped
    return any(tool in context.tools for tool in row.tools.split())
