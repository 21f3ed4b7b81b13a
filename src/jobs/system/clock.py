"""The machine's clock and its zone."""

from __future__ import annotations

import os
import re
import time
from datetime import UTC, datetime, tzinfo
from io import BytesIO
from pathlib import Path
from typing import Final

LOCALTIME: Final = Path("/etc/localtime")
_ZONE_FILE: Final = re.compile(r"/zoneinfo(?:\.default)?/(?:posix/|right/)?(?P<name>.+)")


def now() -> int:
    """The epoch second. JOBS_NOW replaces it: the virtual clock of tests and simulations, which the wrappers know too."""
    virtual = os.environ.get("JOBS_NOW", "")
    return int(virtual) if virtual.isascii() and virtual.isdigit() else int(time.time())


def local_zone() -> tzinfo:
    """The zone of this machine: what TZ says, else /etc/localtime, else the offset in force now.

    The answer prints as its IANA name where it has one.
    """
    variable = os.environ.get("TZ")
    if variable is not None:
        found = _zone_of_variable(variable)
        if found is not None:
            return found
    else:
        found = _zone_of_link(LOCALTIME)
        if found is not None:
            return found
    return datetime.now().astimezone().tzinfo or UTC


def _zone_of_variable(value: str) -> tzinfo | None:
    """The zone of a TZ variable (tzset(3)): a name, a file, or rules such as `JST-9`; None for what none of them is."""
    value = value.removeprefix(":")
    if not value:
        return UTC
    if value.startswith("/"):
        return _zone_of_link(Path(value))
    return _zone_named(value) or _zone_of_rules(value)


def _zone_of_link(path: Path) -> tzinfo | None:
    """The zone of a file of zone data, by its name in the database if it is a link to there."""
    from zoneinfo import ZoneInfo

    match = _ZONE_FILE.search(os.path.realpath(path))
    named = _zone_named(match["name"]) if match else None
    if named is not None:
        return named
    try:
        with path.open("rb") as file:
            return ZoneInfo.from_file(file, key="local time")
    except (OSError, ValueError):
        return None


def _zone_named(name: str) -> tzinfo | None:
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None


def _zone_of_rules(rules: str) -> tzinfo | None:
    """The zone of POSIX rules such as `EST5EDT,M3.2.0,M11.1.0`: zone data (RFC 9636) that hold nothing but them."""
    from zoneinfo import ZoneInfo

    if not rules.isascii() or re.search(r"[0-9]", rules) is None:
        return None
    if re.fullmatch(r"(?:[A-Za-z]+|<[^>]+>)[-+0-9:]+(?:[A-Za-z]+|<[^>]+>)[-+0-9:]*", rules):
        rules += ",M3.2.0,M11.1.0"  # the rules of the United States, where none are given
    counts = (0, 0, 0, 0, 1, 4)
    head = b"TZif2" + bytes(15) + b"".join(count.to_bytes(4, "big") for count in counts)
    block = head + bytes(6) + b"UTC\0"
    try:
        return ZoneInfo.from_file(BytesIO(block + block + b"\n" + rules.encode() + b"\n"), key=rules)
    except ValueError:
        return None
