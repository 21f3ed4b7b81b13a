"""The scalars of an XML property list: text in, value or fault out."""

from __future__ import annotations

import re

from jobs.read.plist_value import PlistValue
from jobs.text import Place

_INTEGER = re.compile(r"[+-]?(?:[0-9]{1,20}|0[xX][0-9a-fA-F]{1,16})")
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_DATA = re.compile(r"[A-Za-z0-9+/\s]*={0,2}\s*")
_REAL = re.compile(
    r"[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)", re.IGNORECASE
)

Wrong = tuple[str, str]


def scalar(
    element: str, text: str, place: Place, *, filler: re.Pattern[str] | None = None
) -> tuple[PlistValue, Wrong | None]:
    """The value of a scalar element with its text, and what is wrong with it (message, fix), or None."""
    filled_in = filler is not None and filler.search(text) is not None
    match element:
        case "string":
            return PlistValue("string", place, text), None
        case "integer":
            return _integer(text, place, filled_in=filled_in)
        case "true" | "false":
            wrong = (
                (f'<{element}> holds "{text.strip()[:40]}"', f"write <{element}/>") if text.strip() else None
            )
            return PlistValue("boolean", place, element == "true"), None if filled_in else wrong
        case "boolean":  # told already as an unknown element
            return PlistValue("boolean", place, text.strip().lower() in {"true", "yes", "1"}), None
        case "real":
            good = _REAL.fullmatch(text.strip())
            value = PlistValue("real", place, float(text.strip()) if good else None)
            return value, None if good or filled_in else (
                f'<real> holds "{text.strip()[:40]}"',
                "write a number",
            )
        case "date":
            good = _DATE.fullmatch(text.strip())
            wrong = (f'<date> holds "{text.strip()[:40]}"', "write it as 2026-12-01T09:30:00Z")
            return PlistValue("date", place, text.strip()), None if good or filled_in else wrong
        case _:
            good = _DATA.fullmatch(text)
            return PlistValue("data", place, text), None if good or filled_in else (
                "<data> is not base64",
                "",
            )


def _integer(text: str, place: Place, *, filled_in: bool) -> tuple[PlistValue, Wrong | None]:
    """The value of an integer element."""
    bare = text.strip()
    if not _INTEGER.fullmatch(bare):
        shown = f'<integer> holds "{bare[:40]}"' if bare else "<integer> is empty"
        wrong = (f"{shown}, not a whole number", "write digits only")
        return PlistValue("integer", place), None if filled_in else wrong
    value = int(bare, 16) if "x" in bare.lower() else int(bare)
    if not -(2**63) <= value < 2**64:
        return PlistValue("integer", place), (f"{bare} does not fit into 64 bits", "write a smaller number")
    return PlistValue("integer", place, value), None
