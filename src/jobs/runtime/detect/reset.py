"""When a limit ends, read from a tool's own sentence.

All forms that were seen: `resets 1pm`, `resets 8:30pm (Asia/Tokyo)`, `resets Dec 4, 10am (UTC)`, `resets Apr 23 at 4pm
(America/Recife)`, `resets Jan 5, 2027, 3:28am`, `try again at Dec 4th, 2026 10:05 AM`, `reset on 11/17/2025`, `try again
in 2 days 17 hours 14 minutes`, `reached|1755615600`. The tools cut to the minute. What cannot be true is unknown:
a guess would keep every job waiting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from jobs.runtime.detect.zones import Offset, instant, local_offset, offset_of, wall

HOUR, DAY = 3600, 86400
JUST_PASSED = HOUR  # a reset up to this long ago means: due now
NEAR = 8 * DAY  # no window is longer than a week; for times whose day or year is inferred
FAR = 62 * DAY  # for times that are written in full
FIVE_HOURS = 5 * HOUR + 600

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
UNITS = {"w": 7 * DAY, "d": DAY, "h": HOUR, "m": 60, "s": 1, "ms": 0.001}

INTRO = (
    r"\b(?:resets?|renews?|(?:try|retry) again|retry|wait|cycle ends|available again|return)\b:?"
    r"(?: (?:at|on|in|after|until|for|by))*\s+"
)
CLOCK = r"(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?\s?(?P<half>[ap])\.?m\b\.?"
ZONE = (
    r"(?:\s?\((?P<zone>[A-Za-z][\w+\-/: ]{0,40})\)|\s(?P<bare>(?:GMT|UTC)(?:[+-]\d{1,2}(?::?\d{2})?)?"
    r"|[A-Z][A-Za-z]+/[A-Za-z_/+-]+|(?-i:[A-Z]{3,5}))(?![\w/]))?"
)
MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
DATE = rf"{MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<year>20\d\d)\b(?!:))?"
AMOUNT = r"\d+(?:\.\d+)?\s?(?:weeks?|days?|hours?|hrs?|minutes?|mins?|milliseconds?|seconds?|secs?|ms|[wdhms])(?![a-z])"
ISO = (
    r"(?P<year>20\d\d)-(?P<month>\d\d)-(?P<day>\d\d)[T ](?P<hour>\d\d):(?P<minute>\d\d)(?::\d\d(?:\.\d+)?)?"
    r"\s?(?P<shift>Z\b|UTC\b|[+-]\d\d:?\d\d)?"
)
FORMS = (
    ("iso", ISO),
    ("date", rf"{DATE}(?:,|,? at)? {CLOCK}{ZONE}"),
    ("date", rf"{DATE}(?! ?\d|:)"),
    (
        "date",
        rf"(?P<month>\d{{1,2}})/(?P<day>\d{{1,2}})(?:/(?P<year>20\d\d))?\b(?:(?:,|,? at)? {CLOCK}{ZONE})?",
    ),
    ("weekday", rf"(?P<weekday>mon|tue|wed|thu|fri|sat|sun)[a-z]*(?:,|,? at)? {CLOCK}{ZONE}"),
    ("tomorrow", rf"tomorrow(?:,|,? at)? {CLOCK}{ZONE}"),
    ("clock", rf"(?:today(?:,|,? at)? )?{CLOCK}{ZONE}"),
    (
        "duration",
        rf"(?P<span>(?:{AMOUNT}(?:,? and |, ?|\s)?)+)",
    ),
)
OTHER_WINDOW = re.compile(r"[∙·•⋅–—-] ?your [^∙·•⋅]{1,40} limit $", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reset:
    """When a limit ends: `epoch`, or None if the text does not say so credibly.

    `warning` tells of a zone that was not understood. `end` is the offset behind the words that were read, 0 if none.
    """

    epoch: int | None = None
    warning: str = ""
    end: int = 0


def find_reset(text: str, now: int, local_zone: str | None = None, five_hour: bool = False) -> Reset:
    """The reset that one message names. `text` has its quotes and blanks folded and its lines joined.

    `now` is the epoch at which it was printed. Times without a zone are meant in `local_zone` (an IANA name; None is
    the zone of this process). `five_hour` says that the window is the five-hour one, whose end is never farther.
    """
    if pipe := re.search(r"reached\|(\d+)", text):
        return Reset(believable(int(pipe[1]), now, five_hour), "", pipe.end())
    moment = _Moment(now, offset_of(local_zone) or local_offset, five_hour)
    for form, match in _phrases(text):
        reset = _resolve(form, match, moment)
        if reset.epoch is not None or reset.end:
            return reset
    return Reset()


def believable(epoch: int, now: int, five_hour: bool = False) -> int | None:
    """An absolute time as it is (milliseconds made seconds), or None if no window can end then."""
    if epoch > 100_000_000_000:
        epoch //= 1000
    if epoch < now - JUST_PASSED or epoch > now + (FIVE_HOURS if five_hour else FAR):
        return None
    return epoch


def _phrases(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    for intro in re.finditer(INTRO, text, re.IGNORECASE):
        if OTHER_WINDOW.search(text[: intro.start()]):
            continue
        for form, pattern in FORMS:
            match = re.compile(pattern, re.IGNORECASE).match(text, intro.end())
            if match:
                yield form, match
                break


@dataclass(frozen=True, slots=True)
class _Moment:
    """Where and when a message was printed."""

    now: int
    offset: Offset
    five_hour: bool = False

    def today(self) -> datetime:
        """The start of its day, as wall time."""
        return wall(self.now, self.offset).replace(hour=0, minute=0, second=0, microsecond=0)


def _resolve(form: str, match: re.Match[str], moment: _Moment) -> Reset:
    parts = match.groupdict()
    if form == "duration":
        seconds = _seconds(parts["span"])
        return Reset(moment.now + seconds if seconds <= FAR else None, "", match.end())
    name, warning = parts.get("zone") or parts.get("bare"), ""
    if name is not None:
        named = offset_of(name)
        if named is None:
            warning = f"time zone {name!r} is not known: the time is read in the local zone"
        else:
            moment = replace(moment, offset=named)
    if parts.get("shift"):
        moment = replace(moment, offset=_shifted(parts["shift"].replace(":", "")))
    try:
        epoch = _find(form, parts, moment)
    except (ValueError, OverflowError):
        return Reset()
    if epoch is not None and moment.five_hour and epoch > moment.now + FIVE_HOURS:
        epoch = None
    return Reset(epoch, warning, match.end())


def _shifted(shift: str) -> Offset:
    if shift[0] in "ZU":
        return lambda _epoch: 0
    east = int(shift[1:3]) * HOUR + int(shift[3:5]) * 60
    return lambda _epoch: -east if shift[0] == "-" else east


def _clock(parts: dict[str, str | None]) -> timedelta:
    hour, minute = int(parts.get("hour") or 0), int(parts.get("minute") or 0)
    half = parts.get("half")
    if half is not None:
        if not 1 <= hour <= 12:
            raise ValueError
        hour = hour % 12 + (12 if half in "pP" else 0)
    if hour > 23 or minute > 59:
        raise ValueError
    return timedelta(hours=hour, minutes=minute)


def _find(form: str, parts: dict[str, str | None], moment: _Moment) -> int | None:
    clock, today = _clock(parts), moment.today()
    if form in {"date", "iso"}:
        month = parts["month"] or ""
        number = int(month) if month.isdigit() else MONTHS.index(month[:3].lower()) + 1
        day = today.replace(month=1, day=1) + clock
        return _on_date(parts.get("year"), (number, int(parts["day"] or 0)), day, moment)
    if form == "tomorrow":
        return instant(today + timedelta(days=1) + clock, moment.offset)
    if form == "weekday":
        ahead = (WEEKDAYS.index((parts["weekday"] or "").lower()) - today.weekday()) % 7
        epoch = instant(today + timedelta(days=ahead) + clock, moment.offset)
        later = instant(today + timedelta(days=ahead + 7) + clock, moment.offset)
        return epoch if epoch >= moment.now - JUST_PASSED else later
    return _on_clock(today + clock, moment)


def _on_date(year: str | None, date: tuple[int, int], clock: datetime, moment: _Moment) -> int | None:
    now, (month, day) = moment.now, date
    if year is not None:
        epoch = instant(clock.replace(int(year), month, day), moment.offset)
        return epoch if now - JUST_PASSED <= epoch <= now + FAR else None
    near: list[int] = []
    for guess in (clock.year - 1, clock.year, clock.year + 1):
        try:
            epoch = instant(clock.replace(guess, month, day), moment.offset)
        except ValueError:  # the 29th of February
            continue
        if now - DAY <= epoch <= now + NEAR:
            near.append(epoch)
    epoch = min(near, key=lambda found: abs(found - now), default=0)
    return epoch if epoch >= now - JUST_PASSED else None


def _on_clock(today: datetime, moment: _Moment) -> int | None:
    """A clock without a date is within 24 hours of the message, or has just passed."""
    now = moment.now
    found = [instant(today + timedelta(days=shift), moment.offset) for shift in (-1, 0, 1, 2)]
    last = max(epoch for epoch in found if epoch <= now)
    following = min(epoch for epoch in found if epoch > now)
    if moment.five_hour and following <= now + FIVE_HOURS:
        return following
    if now - last <= JUST_PASSED:
        return last
    return None if moment.five_hour else following


def _seconds(span: str) -> int:
    total = 0.0
    for number, word in re.findall(r"(\d+(?:\.\d+)?)\s?([a-z]+)", span.lower()):
        total += float(number) * UNITS["ms" if word == "ms" or word.startswith("milli") else word[0]]
    return round(total)
