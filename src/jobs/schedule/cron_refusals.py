"""What other schedulers call cron, and what to write here instead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NoReturn

from jobs.schedule.errors import ScheduleError
from jobs.schedule.names import nearest
from jobs.text import Span

_FIELD = re.compile(r"[-*/,0-9?#LWlw]+|([a-zA-Z]{3}([-,]|$))+")
_ZONE = re.compile(r"(?:CRON_)?TZ=(\S*)")


def refuse_expression(text: str, words: list[re.Match[str]], macros: Mapping[str, str]) -> NoReturn:
    """Raise the ScheduleError of an expression that has not five fields."""
    if not words:
        hint = 'write five fields, such as "30 9 * * 1-5"'
        raise ScheduleError("the cron expression is empty", hint, Span(0, len(text)))
    first = words[0].group()
    span = Span(words[0].start(), words[0].end())
    zone = _ZONE.fullmatch(first)
    if zone is not None:
        hint = f'take it away and write timezone = "{zone[1]}"'
        raise ScheduleError(f"{first!r} is not a field", hint, span)
    if first.startswith("@"):
        _refuse_macro(first, span, text[words[1].start() : words[-1].end()] if len(words) > 1 else "", macros)
    if len(words) < 5:
        names = ("minute", "hour", "day of month", "month", "day of week")
        missing = ", ".join(names[len(words) :])
        raise ScheduleError(
            f"{len(words)} of the five fields", f"add {missing}", Span(words[0].start(), words[-1].end())
        )
    extra = Span(words[5].start(), words[-1].end())
    if len(words) <= 7 and all(_FIELD.fullmatch(word.group()) for word in words):
        rest = " ".join(word.group() for word in words[1:6])
        raise ScheduleError(
            f"{len(words)} fields: seconds or years are not part of cron, and a slot is a whole minute",
            f'write five fields; if the first one is for seconds: "{rest}"',
            extra,
        )
    raise ScheduleError(
        f"{text[extra.start : extra.end]!r} follows the five fields", "move the command to the key run", extra
    )


def _refuse_macro(word: str, span: Span, rest: str, macros: Mapping[str, str]) -> NoReturn:
    """Raise the ScheduleError of a word with an @."""
    if word.lower() == "@reboot":
        raise ScheduleError("@reboot is not a time", "take it away and write at_load = true", span)
    if word.lower() == "@every":
        raise ScheduleError("@every is not a time", f'take it away and write every = "{rest or "30m"}"', span)
    if word.lower() in macros:
        raise ScheduleError(f"{rest!r} follows {word}", "move the command to the key run", span)
    near = nearest(word, dict.fromkeys(macros, 0))
    hint = f"write {near}" if near else f"use {', '.join(macros)}"
    raise ScheduleError(f"there is no {word}", hint, span)


def refuse_foreign(field: str, part: str, span: Span) -> None:
    """Raise the ScheduleError of a part that Quartz, Jenkins, OpenBSD or cronie would take; else return."""
    upper = part.upper()
    if part == "?":
        raise ScheduleError("'?' is Quartz's word for any", "write *", span)
    if re.fullmatch(r"H(\(.*\))?(/[0-9]+)?", upper):
        raise ScheduleError(f"{part!r} is Jenkins's own", "write the number itself", span)
    if "~" in part:
        raise ScheduleError(f"{part!r} asks for a random number", "write the number itself", span)
    if "#" in part:
        name, _, nth = part.partition("#")
        hint = f'write at = {{ time = "…", weekday = "{name.lower()}#{nth}" }}'
        raise ScheduleError(f"{part!r} is not cron: the nth weekday of a month", hint, span)
    if field == "day of month" and upper == "L":
        hint = 'write at = { time = "…", day = "last" }'
        raise ScheduleError(f"{part!r} is not cron: the last day of the month", hint, span)
    if field == "day of month" and re.fullmatch(r"L-[0-9]+", upper):
        hint = 'write at = { time = "…", day = "last" }: only the last day can be counted from the end'
        raise ScheduleError(f"{part!r} is not cron: a day counted from the end of the month", hint, span)
    if field == "day of month" and re.fullmatch(r"(L|[0-9]+)W", upper):
        hint = 'write at = { time = "…", weekday = "mon-fri", day = … } with days near it'
        raise ScheduleError(f"{part!r} is not cron: the working day nearest to a date", hint, span)
    if field == "day of week" and re.fullmatch(r"([0-7]|SUN|MON|TUE|WED|THU|FRI|SAT)?L", upper):
        if upper == "L":
            raise ScheduleError(f"{part!r} is not cron: the last day of the week", "write sat", span)
        hint = f'write at = {{ time = "…", weekday = "{part[:-1].lower()}#4" }} for the fourth one'
        raise ScheduleError(f"{part!r} is not cron: the last weekday of its name in a month", hint, span)
