"""Times of day as `at` takes them, and what to say about everything that only looks like one."""

from __future__ import annotations

import re
from typing import NoReturn

from jobs.schedule.errors import ScheduleError, refuse_long
from jobs.text import Span

CLOCK = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")
_LOOSE = re.compile(
    r"(?P<hour>[0-9]{1,2})(?:[:.h]?(?P<minute>[0-9]{1,2}))?(?P<second>:[0-9]{1,2})?\s*(?:(?P<half>[ap])\.?m\.?)?",
    re.IGNORECASE,
)
_SPOKEN = {"noon": "12:00", "midday": "12:00", "midnight": "00:00"}


def words_of(text: str) -> list[re.Match[str]]:
    """The words of a text, with their places. Raises ScheduleError for a text that is much too long."""
    refuse_long(text)
    return list(re.finditer(r"\S+", text))


def refuse_clock(text: str, words: list[re.Match[str]]) -> NoReturn:
    """Raise the ScheduleError of a text whose last word is not HH:MM."""
    if not words:
        raise ScheduleError("the time is empty", 'write a time of day, such as "09:30"', Span(0, len(text)))
    # "9 pm" is two words: take the longest tail that reads as a time.
    for word in words[-2:]:
        tail = text[word.start() : words[-1].end()]
        loose = _LOOSE.fullmatch(tail)
        if loose is not None:
            raise _loose_error(text[: word.start()], tail, loose, Span(word.start(), words[-1].end()))
    first, last = words[0], words[-1]
    span = Span(last.start(), last.end())
    if len(words) > 1 and CLOCK.fullmatch(first.group()):
        rest = text[words[1].start() : last.end()]
        raise ScheduleError(
            f"{text!r} names the time before the weekdays",
            f'write "{rest} {first.group()}"',
            Span(first.start(), first.end()),
        )
    if _looks_like_cron(text):
        raise ScheduleError(f"{text!r} is a cron expression", "move it to the key cron", Span(0, len(text)))
    if re.fullmatch(r"[0-9:]+(?:[,;][0-9:]+)+", last.group()):
        head = text[: last.start()]
        times = ", ".join(f'"{head}{time}"' for time in re.split(r"[,;]", last.group()))
        raise ScheduleError(f"{last.group()!r} holds several times", f"write an array: [{times}]", span)
    if last.group().lower() in _SPOKEN:
        hint = f'write "{text[: last.start()]}{_SPOKEN[last.group().lower()]}"'
        raise ScheduleError(f"{last.group()!r} is not a time of day", hint, span)
    raise ScheduleError(
        f"{last.group()!r} is not a time of day", 'write the time as HH:MM, such as "09:30"', span
    )


def _loose_error(head: str, tail: str, loose: re.Match[str], span: Span) -> ScheduleError:
    """The error of something like a time; its fix is the time's right spelling, if there is one."""
    hour, minute = int(loose["hour"]), int(loose["minute"] or 0)
    half = (loose["half"] or "").lower()
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    if (hour, minute) == (24, 0):
        hint = f'write "{head}00:00"; it is the first minute of the next day'
        return ScheduleError(f"there is no {tail}: the day ends with 23:59", hint, span)
    if hour > 23 or minute > 59:
        hint = "write an hour from 00 to 23 and a minute from 00 to 59"
        return ScheduleError(f"{tail!r} is not a time of day", hint, span)
    why = "a slot is a whole minute" if loose["second"] else "two digits each, on the 24-hour clock"
    return ScheduleError(f"{tail!r} is not HH:MM: {why}", f'write "{head}{hour:02d}:{minute:02d}"', span)


def _looks_like_cron(text: str) -> bool:
    words = text.split()
    return text.lstrip().startswith("@") or (
        len(words) == 5 and all(re.fullmatch(r"[-*/,0-9a-zA-Z]+", word) for word in words)
    )
