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
    Entry("G001", "script", "guard.status_hidden_by_pipe"),
    Entry("G002", "script", "guard.status_masked"),
    Entry("G003", "script", "guard.status_after_if"),
    Entry("G201", "job", "guard.unguarded_tool"),
    Entry("G202", "job", "guard.guard_never_trips"),
    Entry("G203", "job", "guard.guard_off_without_reason"),
    Entry("G204", "job", "guard.never_made_up"),
    Entry("S101", "plist", "schedule.missing_minute"),
    Entry("S102", "plist", "schedule.missing_hour"),
    Entry("S103", "plist", "schedule.bad_field"),
    Entry("S104", "plist", "schedule.unknown_field"),
    Entry("S105", "plist", "schedule.empty_times"),
    Entry("S106", "plist", "schedule.month_with_weekday"),
    Entry("S107", "plist", "schedule.day_or_weekday"),
    Entry("S108", "plist", "schedule.impossible_date"),
    Entry("S109", "plist", "schedule.rolling_day"),
    Entry("S110", "plist", "schedule.clock_change_hour"),
    Entry("S111", "plist", "schedule.night_only"),
    Entry("S112", "plist", "schedule.two_schedules"),
    Entry("S113", "plist", "schedule.long_interval"),
    Entry("S201", "job", "schedule.slot_at_clock_change"),
    Entry("S202", "job", "schedule.slots_at_night_only"),
    Entry("S203", "job", "schedule.interval_of_days"),
    Entry("S204", "job", "schedule.either_day"),
    Entry("S205", "job", "schedule.day_not_in_every_month"),
    Entry("S206", "job", "schedule.times_with_watch"),
    Entry("S207", "manifest", "schedule.jobs_in_one_minute"),
    Entry("P001", "plist", "plist.malformed_xml"),
    Entry("P002", "plist", "plist.raw_ampersand"),
    Entry("P003", "plist", "plist.dashes_in_comment"),
    Entry("P004", "plist", "plist.typographic_quotes"),
    Entry("P005", "plist", "plist.late_declaration"),
    Entry("P006", "plist", "plist.unpaired_key"),
    Entry("P007", "plist", "plist.duplicate_key"),
    Entry("P008", "plist", "plist.unknown_element"),
    Entry("P009", "plist", "plist.wrong_root"),
    Entry("P010", "plist", "plist.stray_text"),
    Entry("P011", "plist", "plist.bad_literal"),
    Entry("P012", "plist", "plist.bad_encoding"),
    Entry("P013", "plist", "plist.odd_prolog"),
    Entry("P101", "plist", "plist.unknown_key"),
    Entry("P102", "plist", "plist.wrong_type"),
    Entry("P103", "plist", "plist.bad_value"),
    Entry("P104", "plist", "plist.obsolete_key"),
    Entry("P105", "plist", "plist.private_key"),
    Entry("P106", "plist", "plist.key_for_other_domain"),
    Entry("P107", "plist", "plist.missing_key"),
    Entry("P108", "plist", "plist.empty_string"),
    Entry("P109", "plist", "plist.label_not_file_name"),
    Entry("P110", "plist", "plist.bad_label"),
    Entry("P111", "plist", "plist.writable_by_others"),
    Entry("P112", "plist", "plist.foreign_owner"),
    Entry("P120", "plist", "plist.command_line_in_string"),
    Entry("P121", "plist", "plist.shell_quoting"),
    Entry("P122", "plist", "plist.shell_syntax"),
    Entry("P123", "plist", "plist.unexpanded_variable"),
    Entry("P124", "plist", "plist.unexpanded_tilde"),
    Entry("P125", "plist", "plist.unfilled_placeholder"),
    Entry("P126", "plist", "plist.relative_program"),
    Entry("P127", "plist", "plist.relative_path"),
    Entry("P128", "plist", "plist.unwritable_log"),
    Entry("P129", "plist", "plist.log_in_tmp"),
    Entry("P130", "plist", "plist.kept_alive_on_schedule"),
    Entry("P131", "plist", "plist.restart_unless_crashed"),
    Entry("P132", "plist", "plist.run_at_load_with_schedule"),
    Entry("P133", "plist", "plist.octal_umask"),
    Entry("P134", "plist", "plist.throttle_over_interval"),
    Entry("P135", "plist", "plist.secret_in_plist"),
    Entry("P136", "plist", "plist.debug_leftover"),
    Entry("P137", "plist", "plist.once_on_schedule"),
    Entry("P138", "plist", "plist.session_create"),
    Entry("P139", "plist", "plist.killed_when_idle"),
    Entry("P140", "plist", "plist.never_started"),
    Entry("P141", "plist", "plist.wildcard_in_path"),
    Entry("E001", "script", "environment.source_without_export"),
    Entry("E002", "script", "environment.script_versioned_path"),
    Entry("E003", "script", "environment.shell_function_called"),
    Entry("E004", "script", "environment.script_privacy_folder"),
    Entry("E005", "script", "environment.script_volume"),
    Entry("E101", "plist", "environment.env_command_missing"),
    Entry("E102", "plist", "environment.env_node_behind_path"),
    Entry("E103", "plist", "environment.versioned_path"),
    Entry("E104", "plist", "environment.no_language"),
    Entry("E105", "plist", "environment.privacy_folder"),
    Entry("E106", "plist", "environment.external_volume"),
    Entry("E107", "plist", "environment.keychain_in_background"),
    Entry("E205", "job", "environment.job_in_privacy_folder"),
    Entry("E206", "job", "environment.job_on_external_volume"),
    Entry("E207", "job", "environment.job_keychain_in_background"),
    Entry("E208", "job", "environment.job_log_unwritable"),
    Entry("E211", "job", "environment.program_not_on_path"),
    Entry("B001", "script", "portability.associative_array"),
    Entry("B002", "script", "portability.case_conversion"),
    Entry("B003", "script", "portability.mapfile"),
    Entry("B004", "script", "portability.new_operator"),
    Entry("B005", "script", "portability.new_builtin_option"),
    Entry("B006", "script", "portability.new_variable"),
    Entry("B007", "script", "portability.empty_array"),
    Entry("B008", "script", "portability.echo_option_in_sh"),
    Entry("B009", "script", "portability.crlf_line_ends"),
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
    Entry("M001", "manifest", "output.stale_output"),
    Entry("M002", "manifest", "output.edited_output"),
    Entry("U001", "script", "lint_itself.not_understood"),
    Entry("U002", "script", "lint_itself.unused_ignore"),
    Entry("U003", "script", "lint_itself.unknown_ignore"),
    Entry("U004", "script", "lint_itself.ignore_without_reason"),
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
