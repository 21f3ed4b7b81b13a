"""The form of the tables of variants: a rule, how a short value becomes a property list, and values that are bad or good."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from jobs.lint.sample import AGENT_PATH


@dataclass(frozen=True)
class Table:
    """One rule's variants. `make` gives the file for a value; `path` is where it lies."""

    code: str
    make: Callable[[Any], str | bytes]
    bad: Sequence[Any]
    good: Sequence[Any]
    path: str = AGENT_PATH


def rows(tables: Sequence[Table], *, bad: bool) -> list[Any]:
    """One test case a value, named by the rule and the value."""
    found = []
    for table in tables:
        for number, value in enumerate(table.bad if bad else table.good):
            words = str(value)[:40].encode("ascii", "backslashreplace").decode()
            name = f"{table.code}-{number}-" + "".join(char if char.isprintable() else "_" for char in words)
            found.append(pytest.param(table.code, table.make(value), table.path, id=name))
    return found
