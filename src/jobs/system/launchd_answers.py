"""What launchctl prints, read: `print TARGET`, `list`, `list LABEL`, `print-disabled DOMAIN`. Pure.

Apple declares these outputs unstable, so only lines that public captures agree on are read (macOS 10.14 to 26), and
whatever is missing is None.
"""

from __future__ import annotations

from dataclasses import dataclass

# The facts of a loaded job that come from its plist and do not change while it is loaded.
IDENTITY_KEYS = (
    "path",
    "program",
    "working directory",
    "stdout path",
    "stderr path",
    "exit timeout",
    "run interval",
    "nice",
    "username",
    "group",
)


@dataclass(frozen=True, slots=True)
class Service:
    """A job as launchd has it loaded."""

    state: str | None = None  # "running", "not running", "spawn scheduled", "xpcproxy", "waiting"
    pid: int | None = None
    path: str | None = None
    program: str | None = None
    arguments: tuple[str, ...] = ()
    runs: int | None = None  # since this bootstrap
    exit_code: int | None = None  # of the last run; None: never exited, or killed
    exit_signal: int | None = None
    exit_reason: str | None = None  # OS_REASON_CODESIGNING, JETSAM_...
    exit_timeout_s: int | None = None
    identity: str = ""  # changes when something else was loaded under the label

    @property
    def running(self) -> bool:
        """Whether a process of the job is there or just being made."""
        return self.pid is not None or self.state in {"running", "xpcproxy", "spawning"}


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of `list`."""

    pid: int | None
    status: int | None  # exit code of the last run, or minus the signal


def tells_of_a_service(text: str) -> bool:
    """Whether an answer to `print TARGET` is one: a block, and in it at least one line of the job's own."""
    return " = {" in text and any(
        line.startswith("\t") and not line.startswith("\t\t") and " = " in line for line in text.split("\n")
    )


def _number(text: str | None) -> int | None:
    """The leading integer of `78: EX_CONFIG`, `3600 seconds` and the like."""
    if text is None:
        return None
    word = text.split(":")[0].split(" ")[0]
    return int(word) if word.lstrip("-").isdigit() else None


def read_service(text: str) -> Service:
    """The answer to `print TARGET`.

    Only lines with exactly one tab are the job's own: coalition blocks have `state` lines too (aragora#6014).
    """
    values: dict[str, str] = {}
    blocks: dict[str, list[str]] = {}
    block: list[str] | None = None
    for line in text.split("\n"):
        if block is not None:
            if line == "\t}":
                block = None
            else:
                block.append(line)
            continue
        if not line.startswith("\t") or line.startswith("\t\t"):
            continue
        key, equals, value = line[1:].partition(" = ")
        if not equals:
            continue
        if value == "{":
            block = blocks.setdefault(key, [])
        else:
            values.setdefault(key, value)
    signal = values.get("last terminating signal")
    arguments = tuple(word.removeprefix("\t\t") for word in blocks.get("arguments", []))
    descriptors = sorted(_descriptors(blocks.get("event triggers", [])))
    known = [f"{key}={values[key]}" for key in IDENTITY_KEYS if key in values]
    return Service(
        state=values.get("state"),
        pid=_number(values.get("pid")),
        path=values.get("path"),
        program=values.get("program"),
        arguments=arguments,
        runs=_number(values.get("runs")),
        exit_code=_number(values.get("last exit code")),
        exit_signal=_number(signal.rpartition(": ")[2]) if signal else None,
        exit_reason=values.get("last exit reason"),
        exit_timeout_s=_number(values.get("exit timeout")),
        identity="\n".join([*known, *arguments, *descriptors]),
    )


def _descriptors(lines: list[str]) -> list[str]:
    """The calendar dictionaries among the event triggers, each as one text, whatever the order of their keys."""
    found: list[str] = []
    inside: list[str] | None = None
    for line in lines:
        word = line.strip()
        if word == "descriptor = {":
            inside = []
        elif inside is not None and word == "}":
            found.append(" ".join(sorted(inside)))
            inside = None
        elif inside is not None:
            inside.append(word.replace(" ", ""))
    return found


def read_list(text: str) -> dict[str, Listed]:
    """The answer to `list`: label → pid and status."""
    found = {}
    for line in text.split("\n"):
        pid, tab, rest = line.partition("\t")
        status, tab, label = rest.partition("\t")
        if tab and label and pid != "PID":
            found[label] = Listed(_number(pid), _number(status))
    return found


def read_disabled(text: str) -> dict[str, bool]:
    """The answer to `print-disabled`: label → disabled. A label that is absent has no override.

    Newer releases say `disabled`/`enabled`, older ones `true`/`false`; a block of login items may follow that holds
    such lines too and does not count.
    """
    found = {}
    inside = False
    for line in text.split("\n"):
        words = line.strip()
        if words.startswith("disabled services = {"):
            inside = True
        elif words == "}":
            inside = False
        elif inside and " => " in words:
            label, _, value = words.rpartition(" => ")
            found[label.strip('"')] = value in {"disabled", "true"}
    return found


def read_raw_status(status: int) -> tuple[int | None, int | None]:
    """Exit code and signal in the raw wait status that `list LABEL` gives as LastExitStatus (32512 is exit 127)."""
    signal = status & 0x7F
    return (None, signal) if signal else ((status >> 8) & 0xFF, None)
