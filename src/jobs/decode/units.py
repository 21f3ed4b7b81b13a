"""Durations, sizes and octal numbers, as strings of the manifest."""

from __future__ import annotations

import re
from decimal import Decimal

from jobs.model.forms import DURATION, SIZE, UMASK
from jobs.read.toml_tree import quoted

LONGEST_S = 366 * 86_400
LARGEST = 10**12  # bytes

_SECONDS = {"d": 86_400, "h": 3600, "m": 60, "s": 1}
_BYTES = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_UNIT_WORDS = {
    **dict.fromkeys(("w", "wk", "week", "weeks"), 604_800),
    **dict.fromkeys(("d", "day", "days"), 86_400),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1),
}
_LOOSE_PART = re.compile(r"\s*(?:and\s+|,\s*)?(\d{1,9}(?:\.\d{1,3})?)\s*([a-z]+)", re.IGNORECASE)


class UnitError(ValueError):
    """A text that is no quantity: what is wrong with it, as in `timeout` is "x": …, and what to write."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix


def parse_duration(text: str, *, zero: bool = False) -> int:
    """The seconds of `90s`, `45m`, `6h`, `1h30m`, `2d`; 0 only where it means something. Raises UnitError."""
    match = re.fullmatch(DURATION, text)
    if match is None or "\n" in text or not text.isascii():
        raise _no_duration(text)
    seconds = 0
    for part in match.groups():
        if part is None:
            continue
        # Ten digits are beyond the longest duration in any unit: no need to count on.
        seconds += (int(part[:-1]) if len(part.lstrip("0")) <= 10 else LONGEST_S + 1) * _SECONDS[part[-1]]
    if seconds > LONGEST_S:
        raise UnitError("that is longer than a year", 'write at most "366d"')
    if seconds == 0 and not zero:
        raise UnitError("that is no time at all", "write a duration above zero, or leave the key out")
    return seconds


def _no_duration(text: str) -> UnitError:
    if not text.strip():
        return UnitError("it must be a duration", 'write one, such as "45m"')
    if re.fullmatch(r"\s*\d{1,9}\s*", text):
        number = text.strip()
        return UnitError("it has no unit", f'write "{number}s" for seconds or "{number}m" for minutes')
    if text.strip().startswith("-"):
        return UnitError("it must be above zero", "write a duration above zero")
    seconds = _loose_seconds(text)
    if seconds is not None and 0 < seconds <= LONGEST_S:
        return UnitError(
            "a duration has whole numbers with d, h, m or s behind them, and no blanks",
            f"write {quoted(format_duration(seconds))}",
        )
    return UnitError("it must be a duration", 'write one, such as "90s", "45m", "6h" or "1h30m"')


def _loose_seconds(text: str) -> int | None:
    """The seconds that a person would read in a text such as "1.5 hours", or None."""
    at, total = 0, Decimal(0)
    while at < len(text.rstrip()):
        part = _LOOSE_PART.match(text, at)
        unit = None if part is None else _UNIT_WORDS.get(part[2].lower())
        if part is None or unit is None:
            return None
        total += Decimal(part[1]) * unit
        at = part.end()
    return int(total) if total == int(total) else None


def format_duration(seconds: int) -> str:
    """The shortest text that `parse_duration` reads as these seconds."""
    parts = []
    for unit, size in _SECONDS.items():
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"


def parse_size(text: str) -> int:
    """The bytes of `10MB` (1000 each) or `10MiB` (1024 each). Raises UnitError."""
    if re.fullmatch(SIZE, text) is None or "\n" in text or not text.isascii():
        loose = re.fullmatch(r"\s*(\d{1,12})\s*([kmg]?)(i?)b?(?:yte)?s?\s*", text, re.IGNORECASE)
        if loose is None:
            raise UnitError("it must be a size", 'write one, such as "512KB" or "10MB"')
        better = f"{loose[1]}{loose[2].upper()}{loose[3].lower()}B"
        raise UnitError(
            "a size has a whole number and B, KB, MB, GB, KiB, MiB or GiB, without a blank",
            f"write {quoted(better)}",
        )
    digits = re.match(r"\d+", text)
    number = digits[0] if digits else ""
    return checked_bytes(int(number) * _BYTES[text[len(number) :]] if len(number) < 20 else LARGEST + 1)


def checked_bytes(count: int) -> int:
    """The bytes, if a log could have so many. Raises UnitError."""
    if count < 1000:
        raise UnitError("that is too small for a log", 'write at least "1KB"')
    if count > LARGEST:
        raise UnitError("that is too large for a log", 'write at most "1000GB"')
    return count


def parse_umask(text: str) -> int:
    """The number of three octal digits, a leading 0 or not. Raises UnitError."""
    if re.fullmatch(UMASK, text) is None or "\n" in text:
        digits = re.sub(r"^(0o)?0*(?=.)", "", text.strip().lower())
        better = (
            f'write "{digits:0>3}"'
            if re.fullmatch(r"[0-7]{1,3}", digits)
            else 'write three digits from 0 to 7, such as "022"'
        )
        raise UnitError("it must be three octal digits", better)
    return int(text, 8)
