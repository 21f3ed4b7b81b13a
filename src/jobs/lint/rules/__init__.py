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


ENTRIES: tuple[Entry, ...] = (
    Entry("L001", "script", "locks.mkdir_p_as_lock"),
    Entry("L002", "script", "locks.test_then_create"),
    Entry("L003", "script", "locks.create_as_lock"),
    Entry("L004", "script", "locks.pid_file_never_asked"),
    Entry("L005", "script", "locks.kill_0_alone"),
    Entry("L006", "script", "locks.age_alone"),
    Entry("L007", "script", "locks.take_over_by_removal"),
    Entry("L008", "script", "locks.trap_before_lock"),
    Entry("L009", "script", "locks.trap_without_exit"),
    Entry("L010", "script", "locks.trap_overwritten"),
    Entry("L011", "script", "locks.lock_in_tmp"),
    Entry("L012", "script", "locks.looks_for_itself"),
    Entry("L013", "script", "locks.flock_missing"),
    Entry("L014", "script", "locks.descriptor_inherited"),
    Entry("L015", "script", "locks.busy_as_failure"),
    Entry("L016", "script", "locks.never_freed"),
    Entry("B001", "script", "portability.associative_array"),
    Entry("B002", "script", "portability.case_conversion"),
    Entry("B003", "script", "portability.mapfile"),
    Entry("B004", "script", "portability.new_operator"),
    Entry("B005", "script", "portability.new_builtin_option"),
    Entry("B006", "script", "portability.new_variable"),
    Entry("B007", "script", "portability.empty_array"),
    Entry("B008", "script", "portability.echo_option_in_sh"),
    Entry("B010", "script", "portability.timeout_missing"),
    Entry("B011", "script", "portability.linux_tool"),
    Entry("B012", "script", "portability.date_d"),
    Entry("B013", "script", "portability.stat_c"),
    Entry("B014", "script", "portability.sed_i"),
    Entry("B015", "script", "portability.readlink_f"),
    Entry("B016", "script", "portability.grep_p"),
    Entry("B017", "script", "portability.gnu_find"),
    Entry("B018", "script", "portability.gnu_xargs"),
    Entry("B019", "script", "portability.gnu_option"),
)


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
