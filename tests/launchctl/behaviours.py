"""Every behaviour of the double that can be switched, with where it was seen.

Marks: [S] source of launchd-842, [M] current manual pages, [P] ProcursusTeam/launchctl, [F] a public report,
[I] inferred. A test switches them through `options.json` in the double's folder. What nobody has proven has both
readings here, so that the suite can be run under each.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing itself is dear at every start; type checkers know the name
if TYPE_CHECKING:
    from typing import Any


BEHAVIOURS: dict[str, tuple[Any, str, str]] = {
    # key: (default, what it does, source)
    "session": (
        0,
        "0: gui/UID exists; 125 or 112: what gui/UID answers without a desktop login",
        "[F] oppi#38, loom#4130",
    ),
    "hide": (
        True,
        "a failed bootstrap answers 5, the true code stands in launchd.log only",
        "[F] d-inference#1102, openclaw#849",
    ),
    "bootout_draining": (
        0,
        "status of bootout while the job drains: 0 today, 36 before macOS 12",
        "[P] bootstrap.c",
    ),
    "linger_s": (
        0.0,
        "seconds that an idle label stays after bootout: the call returns before it is gone",
        "[F] d-inference#1102",
    ),
    "deaf": (
        False,
        "KILL after ExitTimeOut is not sent, the job drains as long as it likes",
        "[F] openclaw#116875",
    ),
    "default_exit_timeout_s": (
        5,
        "ExitTimeOut without the key: 5 today, 20 in 842",
        "[F] captured prints; [S]",
    ),
    "throttle_s": (
        10,
        "ThrottleInterval without the key, start to start; a run that long is not delayed",
        "[S] job_start; [M]",
    ),
    "scale": (1.0, "real seconds for each second of launchd's own timers", "none: makes tests fast"),
    "disabled_spelling": (
        "words",
        "print-disabled says disabled/enabled ('words') or true/false ('booleans')",
        "[F] DialShift, nix-installer#555",
    ),
    "disabled_indent": (True, "blocks of print-disabled begin with a tab and a blank line", "[F] both seen"),
    "login_items": (
        False,
        "print-disabled adds a login item block that also holds `=> disabled` lines",
        "[F] newer releases",
    ),
    "disabled_loads": (
        False,
        "a disabled label loads cleanly and never runs, instead of 119",
        "[F] muxa#134 against openclaw#849",
    ),
    "shared_overrides": (
        True,
        "gui and user share the override list of a uid",
        "[I] file name disabled.UID.plist",
    ),
    "bootout_disables": (
        False,
        "bootout writes a disabled override",
        "[I] claimed, no evidence; never on a real Mac so far",
    ),
    "target_line": (
        "target",
        "first line of print: the target, or the label alone in system on 10.14",
        "[F] wazuh-packages#2206",
    ),
    "running_twice": (
        37,
        "kickstart without -k of a running job: launchctl stays silent for 37 and ends 0, or gives it",
        "[P]; [I]",
    ),
    "kickstart_hangs": ([], "labels whose kickstart never returns", "[F] kirodotdev/KiroCrew#1698"),
    "pending_while_running": (
        True,
        "a calendar fire during a run starts the job once more after its exit",
        "[S] start_pending; today unknown",
    ),
    "calendar": (
        "exact",
        "'exact' or '842': Day 31 rolls over, Month is ignored beside Weekday",
        "[S] core.c cronemu; today unknown",
    ),
    "missing_log_folder": (
        "create",
        "a missing folder of StandardOutPath: 'create', or '78' before exec",
        "[F] LrGeniusAI#298 against openclaw#909",
    ),
    "missing_cwd": ("78", "a missing WorkingDirectory: '78', or 'root' runs in / as 842 did", "[I]; [S]"),
    "standard_path_only": (True, "a bare program name is searched in launchd's own path only", "[M]"),
    "quarantine_refused": (
        True,
        "a quarantined plist is not loaded (macOS 27)",
        "Apple release notes 166415497; [F] BlockBlock#106",
    ),
    "script": (
        [],
        "planned answers: {verb, label, status, text, times, hang}; the first that fits is used",
        "none: for tests",
    ),
}

# Kept by launchctl itself, whatever is switched.
FIXED: tuple[tuple[str, str], ...] = (
    ("bootstrap of a service target, unknown flags, bootout --wait: 64", "[F] t3code#11995; [P] main"),
    ("bootout of what is not loaded: 3 on stderr", "[P]; reference 4.3"),
    ("print, kickstart, blame, list LABEL of what is not loaded: 113", "[P]"),
    ("kill of a job that does not run: 3, 'No process to signal.'", "[P]"),
    ("load and unload end 0 whatever happened", "[M]"),
    ("enable and disable take any label, loaded or not, and start nothing", "[M]"),
    ("overrides outlive files, bootout and reboot", "[M]; [F]"),
    ("a plist that others may write, or of another owner: 122", "[S] path_goodness_check; [M]"),
    ("no LimitLoadToSessionType is Aqua: user/UID gives 134", "[M]"),
    ("TERM to the main process, KILL to it after ExitTimeOut", "[S] job_stop, job_kill"),
    ("TERM once to the process group when the main process ends, unless AbandonProcessGroup", "[S] job_reap"),
    ("own session, cwd /, stdin from /dev/null, logs opened for append", "[S] job_start_child, job_setup_fd"),
    ("78 when the program cannot be started", "[F]"),
    ("RunAtLoad and KeepAlive start at every bootstrap", "[S]; [M]"),
    ("runs counts from the bootstrap; the last result is shown while running", "[F] captured prints"),
    ("many fires in one sleep start one run", "[S] calendarinterval_callback"),
)

# Apple's error table, as far as the double uses it.
ERRORS: dict[int, str] = {
    1: "Operation not permitted",
    2: "No such file or directory",
    3: "No such process",
    5: "Input/output error",
    13: "Permission denied",
    17: "File exists",
    22: "Invalid argument",
    36: "Operation now in progress",
    37: "Operation already in progress",
    64: "Usage",
    109: "Invalid property list",
    110: "Invalid or missing service identifier",
    111: "Invalid or missing Program/ProgramArguments",
    112: "Could not find specified domain",
    113: "Could not find specified service",
    119: "Service is disabled",
    122: "Path had bad ownership/permissions",
    125: "Domain does not support specified action",
    134: "Service cannot load in requested session",
    140: "Service name is reserved or invalid",
    155: "Refusing to execute/trust quarantined program/file",
}
SYSEXITS = {
    64: "EX_USAGE",
    66: "EX_NOINPUT",
    69: "EX_UNAVAILABLE",
    71: "EX_OSERR",
    75: "EX_TEMPFAIL",
    78: "EX_CONFIG",
}
