"""Single values: durations, sizes, paths, names. Each returns the value, or None after it has reported why not."""

from __future__ import annotations

import posixpath
import re
from typing import Any

from jobs.decode.node import Node

SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
BYTES = {"B": 1, "KB": 1000, "MB": 1000**2, "GB": 1000**3}
LONGEST_S = 366 * 86400


def seconds_of(text: str) -> int:
    """The seconds of a duration in the form that the schema checked."""
    return sum(int(number) * SECONDS[unit] for number, unit in re.findall(r"([0-9]+)([dhms])", text))


def duration(node: Node, key: str, *, zero: bool = False) -> int | None:
    """Seconds; a duration of zero makes sense only where `zero` says so."""
    text = node.get(key)
    if not isinstance(text, str):
        return None
    value = seconds_of(text)
    if value == 0 and not zero:
        node.report(
            key,
            "M004",
            f'`{key}` is "{text}", which is no time at all',
            f'write a duration, such as {key} = "45m"',
        )
        return None
    if value > LONGEST_S:
        node.report(
            key,
            "M004",
            f'`{key}` is "{text}", longer than a year',
            f'write a shorter duration, such as {key} = "6h"',
        )
        return None
    return value


def window(node: Node, key: str) -> Any:
    """`"today"` or seconds."""
    return "today" if node.get(key) == "today" else duration(node, key)


def size(node: Node, key: str) -> int | None:
    """Bytes."""
    value = node.get(key)
    if isinstance(value, str):
        number, unit = re.fullmatch(r"([0-9]+) ?([A-Z]+)", value).groups()  # type: ignore[union-attr]
        value = int(number) * BYTES[unit]
    if value is not None and not 1000 <= value <= 10**12:
        node.report(
            key,
            "M004",
            f"`{key}` is {node.data[key]!r}, which is outside of 1 KB to 1000 GB",
            f'write for example {key} = "10MB"',
        )
        return None
    return value if isinstance(value, int) else None


class Paths:
    """How paths of a manifest become absolute: `~` is home, the rest lies under root."""

    def __init__(self, root: str, home: str) -> None:
        self.root = root
        self.home = home

    def expand(self, text: str) -> str:
        """The absolute path, without `.` and `..` and doubled slashes."""
        if text == "~" or text.startswith("~/"):
            text = self.home + text[1:]
        joined = posixpath.normpath(posixpath.join(self.root, text))
        return joined[1:] if joined.startswith("//") else joined

    def read(self, node: Node, key: str) -> str | None:
        """The path at a key; None when there is none, or after a report of what nothing would expand."""
        text = node.get(key)
        return self.judge(node, key, text) if isinstance(text, str) else None

    def read_all(self, node: Node, key: str) -> tuple[str, ...]:
        """The paths of the array at a key; those with a fault are reported and left out."""
        found = (self.judge(node, key, text, index) for index, text in node.entries(key))
        return tuple(path for path in found if path is not None)

    def judge(self, node: Node, key: str, text: str, index: int | None = None) -> str | None:
        """The absolute path of a text that stands at a key or an entry; None after a report."""
        fault = self.fault(text)
        if fault is not None:
            node.report(key, "M004", f'`{key}` holds "{text}": {fault[0]}', fault[1], index=index)
            return None
        return self.expand(text)

    def fault(self, text: str) -> tuple[str, str] | None:
        """What is wrong with a path and what to do, or None."""
        known = {"HOME": self.home, "PWD": self.root}
        variable = re.search(r"\$(?:\{(\w+)\}|(\w+)|\()", text)
        if variable:
            name = variable[1] or variable[2] or ""
            plain = text.replace(variable[0], known.get(name, "")) if name in known else None
            todo = f'write "{plain}"' if plain else "write the path out; ~ stands for home"
            return "nothing expands variables in a path", todo
        if text.startswith("~") and not (text == "~" or text.startswith("~/")):
            return (
                f"`{text.split('/', maxsplit=1)[0]}` names the home of another user, which nothing expands",
                "write the path out",
            )
        if "\0" in text:
            return "it holds a NUL character", "remove it"
        return None


def printable(text: str) -> bool:
    """Whether a text holds no control characters."""
    return not any(ord(character) < 32 or ord(character) == 127 for character in text)


def carried(node: Node, key: str, text: str) -> bool:
    """Whether a shell and a plist can carry a text; reports NUL, and characters that XML has no way to write."""
    bad = next(
        (c for c in text if c == "\0" or (ord(c) < 32 and c not in "\t\n\r") or c in "\ufffe\uffff"), None
    )
    if bad is None:
        return True
    name = "a NUL character" if bad == "\0" else f"the control character U+{ord(bad):04X}"
    node.report(key, "M008", f"`{key}` holds {name}, which cannot be carried", "remove it")
    return False


def no_nul(node: Node, key: str, text: str) -> bool:
    """Whether the wrapper can carry a text: a shell word holds everything but NUL."""
    if "\0" not in text:
        return True
    node.report(key, "M008", f"`{key}` holds a NUL character, which no program can be given", "remove it")
    return False
