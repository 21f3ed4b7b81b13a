"""Stretches of time: those that a user names (`23:30-08:10`, or from one date to another), and time awake between them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from jobs.errors import UsageError
from jobs.schedule.wall import WallClock

FAR: Final = 1 << 40
DAY_S: Final = 86400
_DAILY: Final = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]|24):([0-5]\d)\Z")


class Span(NamedTuple):
    """From an instant to before another one (epoch seconds)."""

    begin: int
    end: int


def spans_of(
    texts: Iterable[str], clock: WallClock, start: int, end: int, instant: Callable[[str], int]
) -> tuple[Span, ...]:
    """The stretches that texts name, sorted and merged, cut to `start`..`end`. Raises UsageError.

    `instant` reads a date and time. `23:30-08:10` comes every day and may cross midnight; `2026-12-01T12:00..2026-12-01T13:00` comes once.
    """
    found: list[Span] = []
    for text in texts:
        first, dots, last = text.partition("..")
        if dots:
            span = Span(instant(first), instant(last))
            if span.end <= span.begin:
                raise UsageError(f"{text!r} ends before it begins")
            found.append(span)
            continue
        match = _DAILY.match(text)
        if match is None:
            raise UsageError(f"{text!r} is no stretch of time: write 23:30-08:10 for every day, or FROM..TO")
        begin_s, end_s = (int(match[group]) * 3600 + int(match[group + 1]) * 60 for group in (1, 3))
        if begin_s == end_s:
            raise UsageError(f"{text!r} ends when it begins: write 00:00-24:00 for whole days")
        length_day = DAY_S if end_s < begin_s else 0
        for day in range(clock.reading(start) // DAY_S - 1, clock.reading(end) // DAY_S + 1):
            base = day * DAY_S
            found.append(Span(clock.instant(base + begin_s), clock.instant(base + end_s + length_day)))
    return merged(Span(max(span.begin, start), min(span.end, end)) for span in found)


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same stretches in order, joined where they meet; empty ones are dropped."""
    found: list[Span] = []
    for span in sorted(span for span in spans if span.begin < span.end):
        if found and span.begin <= found[-1].end:
            found[-1] = Span(found[-1].begin, max(found[-1].end, span.end))
        else:
            found.append(span)
    return tuple(found)


def covering(spans: tuple[Span, ...], instant: int) -> Span | None:
    """The stretch that holds an instant."""
    index = bisect_right(spans, (instant, FAR)) - 1
    return spans[index] if index >= 0 and instant < spans[index].end else None


@dataclass(frozen=True, slots=True)
class Power:
    """When the Mac is off, and when it sleeps. A process counts only time awake: its clock stops in sleep."""

    off: tuple[Span, ...]
    asleep: tuple[Span, ...]

    def dark(self, instant: int) -> str:
        """`off`, `asleep`, or nothing for a Mac that is awake at an instant."""
        if covering(self.off, instant):
            return "off"
        return "asleep" if covering(self.asleep, instant) else ""

    def sessions(self, start: int, end: int) -> tuple[Span, ...]:
        """The stretches in which the Mac is on. After a switch on, a stretch begins awake; the first begins as it is."""
        begins = [start, *(self.awake_from(span.end) for span in self.off)]
        ends = [*(span.begin for span in self.off), end]
        found = (Span(begin, stop) for begin, stop in zip(begins, ends, strict=True))
        return tuple(span for span in found if span.begin < span.end)

    def awake_from(self, instant: int) -> int:
        """The first moment awake from an instant on."""
        sleep = covering(self.asleep, instant)
        return sleep.end if sleep else instant

    def after(self, instant: int, seconds: int) -> int:
        """The instant at which so many seconds awake have passed."""
        now = self.awake_from(instant)
        for sleep in self.asleep[bisect_right(self.asleep, (now, FAR)) :]:
            if now + seconds < sleep.begin:
                break
            seconds -= sleep.begin - now
            now = sleep.end
        return now + seconds

    def awake_s(self, begin: int, end: int) -> int:
        """The seconds awake between two instants."""
        slept = 0
        for sleep in self.asleep[max(0, bisect_right(self.asleep, (begin, FAR)) - 1) :]:
            if sleep.begin >= end:
                break
            slept += max(0, min(end, sleep.end) - max(begin, sleep.begin))
        return end - begin - slept

    def off_after(self, instant: int) -> int:
        """When the Mac is switched off next, from an instant on; far away if it is not."""
        index = bisect_right(self.off, (instant, -1))
        return self.off[index].begin if index < len(self.off) else FAR
