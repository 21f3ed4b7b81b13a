"""The rules, one file each, and the one list of them.

A rule's module is imported only when there is something of its subject to look at.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jobs.lint.rule import Rule, Subject


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the list: `module` under jobs.lint.rules holds a `Rule` called RULE with this code and subject."""

    code: str
    subject: Subject
    module: str


ENTRIES: tuple[Entry, ...] = ()


@cache
def rule(code: str) -> Rule:
    """The rule of a code. Raises KeyError for one that is not there."""
    for entry in ENTRIES:
        if entry.code == code:
            found: Rule = import_module(f"jobs.lint.rules.{entry.module}").RULE
            return found
    raise KeyError(code)


def codes() -> tuple[str, ...]:
    """All codes, in the order of the list."""
    return tuple(entry.code for entry in ENTRIES)
