"""The statuses with which launchctl ends, named.

launchctl exits with launchd's own code (launchctl(1)). Texts above 106 are Apple's table as two independent projects
copied it; below it is strerror.
"""

from __future__ import annotations

from enum import IntEnum


class Code(IntEnum):
    """The statuses that the program acts on."""

    OK = 0
    NOT_PERMITTED = 1
    NO_SUCH_PROCESS = 3
    HIDDEN = 5  # Input/output error: a catch-all that hides another code from a caller who is not root
    EXISTS = 17
    DRAINING = 36  # older systems: bootout accepted, the job has not ended yet
    IN_PROGRESS = 37
    USAGE = 64
    NO_DOMAIN = 112
    NOT_LOADED = 113
    DISABLED = 119
    BAD_OWNERSHIP = 122
    TEARING_DOWN = 124
    NO_SESSION = 125
    WRONG_SESSION = 134
    QUARANTINED = 155


TEXTS: dict[int, str] = {
    1: "Operation not permitted",
    2: "No such file or directory",
    3: "No such process",
    5: "Input/output error",
    9: "Bad file descriptor",
    13: "Permission denied",
    17: "File exists",
    22: "Invalid argument",
    36: "Operation now in progress",
    37: "Operation already in progress",
    64: "usage error",
    78: "Function not implemented",
    107: "Malformed bundle",
    108: "Invalid path",
    109: "Invalid property list",
    110: "Invalid or missing service identifier",
    111: "Invalid or missing Program or ProgramArguments",
    112: "Could not find specified domain",
    113: "Could not find specified service",
    114: "The specified user does not exist",
    115: "The specified group does not exist",
    116: "Routine not yet implemented",
    118: "Bad response from server",
    119: "Service is disabled",
    121: "Path not searched for services",
    122: "Path had bad ownership/permissions",
    124: "Domain is tearing down",
    125: "Domain does not support specified action",
    126: "Request type is no longer supported",
    127: "The specified service did not ship with the operating system",
    133: "Multiple errors were returned",
    134: "Service cannot load in requested session",
    135: "Service is not managed",
    136: "Action not allowed on singleton service",
    137: "Service does not support the specified action",
    138: "Service cannot be loaded on this hardware",
    139: "Service cannot presently execute",
    140: "Service name is reserved or invalid",
    144: "Caller missing entitlement",
    146: "Domain is in on-demand-only mode",
    150: "Operation not permitted while System Integrity Protection is engaged",
    152: "Service cannot be loaded in this boot environment",
    154: "Caller is not a platform binary",
    155: "Refusing to execute/trust quarantined program/file",
    158: "Service cannot be loaded on this OS variant",
}

# What to do about a refusal, where there is one thing to do.
REMEDIES: dict[int, str] = {
    1: "run it as the user who owns the jobs; a system service of Apple's cannot be changed",
    109: "the file is not a property list: run `jobsctl build` and install again",
    119: "it is switched off by an override: `jobsctl enable NAME`",
    122: "the file must belong to you and not be writable by others, on a volume with ownership switched on",
    124: "you are being logged out; install after the next login",
    134: "the plist is not for this session: LimitLoadToSessionType must name it (Aqua for gui, Background for user)",
    140: "choose another project.prefix: the label is reserved",
    155: "a quarantined file is never started: `xattr -d com.apple.quarantine FILE`",
}

NO_SESSION_TEXT = (
    'no desktop session: log in once at the screen of this Mac, or use domain = "user" in [project] for jobs that '
    "run without one"
)


def describe(code: int) -> str:
    """`N: text`, as `launchctl error N` prints it, for the codes of the table."""
    return f"{code}: {TEXTS[code]}" if code in TEXTS else str(code)
