"""What a property list says about a job, in the terms that the rules ask for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, Literal

from jobs.diagnostics import Edit, Fix, Severity
from jobs.lint.rule import Context, Finding
from jobs.model.launchd_keys import BY_NAME
from jobs.read.plist_value import FaultKind, PlistFile, PlistValue
from jobs.text import Place

STANDARD_PATH = ("/usr/bin", "/bin", "/usr/sbin", "/sbin")
SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "csh", "tcsh", "fish"})
INTERPRETERS = re.compile(r"(?:python|ruby|perl|php|node|deno|bun|osascript|Rscript|lua|swift|tclsh)[0-9.]*")
_CODE_OPTION = re.compile(r"-[a-zA-Z]*[ceE]|--(?:eval|execute|command|print|exec|run)|-Command")
_CODE_PROGRAMS = frozenset({"awk", "gawk", "sed", "gsed", "jq", "yq", "ssh", "make", "gmake", "find", "expect", "tmux", "screen", "envsubst"})  # fmt: skip
_KEYS_OF_JOBS = frozenset(
    {"Program", "ProgramArguments", "BundleProgram", "RunAtLoad", "KeepAlive", "StartInterval", "StartCalendarInterval", "WatchPaths"}
)  # fmt: skip
_HOME = re.compile(r"(/Users/[^/\s$:]+|/home/[^/\s$:]+)(?:/|$)")
TRIGGERS = ("StartInterval", "StartCalendarInterval", "WatchPaths", "QueueDirectories", "StartOnMount", "Sockets", "MachServices", "LaunchEvents", "inetdCompatibility")  # fmt: skip
PATH_KEYS = ("WorkingDirectory", "StandardInPath", "StandardOutPath", "StandardErrorPath", "RootDirectory")
LOG_KEYS = ("StandardOutPath", "StandardErrorPath")
LIST_PATH_KEYS = ("WatchPaths", "QueueDirectories")


@dataclass(frozen=True, slots=True)
class PlistJob:
    """One job as its property list has it. Values that something fills in later are left out of every reading."""

    file: PlistFile
    root: PlistValue
    role: Literal["agent", "daemon"] | None  # by the folder it lies in; None: nobody knows
    program: PlistValue | None  # what is started: Program, else the first argument
    argv: tuple[PlistValue, ...]  # the strings of ProgramArguments
    env: Mapping[str, PlistValue] = field(default_factory=dict)

    def get(self, key: str) -> PlistValue | None:
        """The value of a key at the top."""
        return self.root.get(key)

    def key_place(self, key: str) -> Place:
        """The place of a key at the top; the dictionary's when it is not there."""
        entry = self.root.entry(key)
        return self.root.place if entry is None else entry.key_place

    def literal(self, value: PlistValue | None) -> str | None:
        """A string that reaches launchd as written, else None."""
        text = None if value is None else value.text
        if text is None or (self.file.filler is not None and self.file.filler.search(text)):
            return None
        return text

    @property
    def executable(self) -> str:
        """What is started, as written; empty when it is not known."""
        return self.literal(self.program) or ""

    @property
    def executable_name(self) -> str:
        """The last part of what is started."""
        return PurePosixPath(self.executable).name

    @property
    def arguments(self) -> tuple[PlistValue, ...]:
        """The arguments after the program's own name."""
        return self.argv[1:]

    @property
    def globbing(self) -> bool:
        """Whether ~ and wildcards are expanded in the arguments."""
        value = self.get("EnableGlobbing")
        return value is not None and value.truth is True

    @property
    def path(self) -> tuple[str, ...]:
        """The folders of the job's PATH; launchd's own four when it sets none."""
        value = self.literal(self.env.get("PATH"))
        if value is None:
            return () if "PATH" in self.env else STANDARD_PATH
        return tuple(part for part in value.split(":") if part)

    @property
    def home(self) -> str | None:
        """The home folder of the user of the job, as far as the list or its place tells."""
        stated = self.literal(self.env.get("HOME"))
        if stated and stated.startswith("/"):
            return stated.rstrip("/")
        found = _HOME.match(self.file.path)
        if found:
            return found.group(1)
        for value in self.root.strings():
            found = _HOME.search(self.literal(value) or "")
            if found and "$" not in found.group(1):
                return found.group(1)
        return None

    def paths(self) -> Iterator[tuple[str, PlistValue]]:
        """The values that launchd takes for paths, with the key each stands under."""
        if self.program is not None:
            yield ("Program" if self.get("Program") is not None else "ProgramArguments"), self.program
        for key in PATH_KEYS:
            value = self.get(key)
            if value is not None and value.kind == "string":
                yield key, value
        for key in LIST_PATH_KEYS:
            value = self.get(key)
            for item in value.items if value is not None else ():
                if item.kind == "string":
                    yield key, item

    def code(self) -> frozenset[int]:
        """The numbers of the arguments that are program text of a shell or another language, not plain values."""
        texts = [argument.text or "" for argument in self.argv]
        found: set[int] = set()
        names = {PurePosixPath(text).name for text in (self.executable, *texts[:1]) if text}
        if names & {"env", "sudo", "nice", "caffeinate", "nohup", "arch", "su", "launchctl"}:
            names |= {PurePosixPath(text).name for text in texts[1:6] if not text.startswith("-")}
        if names & _CODE_PROGRAMS:
            return frozenset(range(1, len(texts)))
        if (
            not names & SHELLS
            and not any(INTERPRETERS.fullmatch(name) for name in names)
            and "su" not in names
        ):
            return frozenset(
                number
                for number, text in enumerate(texts)
                if number and _CODE_OPTION.fullmatch(texts[number - 1]) and re.search(r"\s", text)
            )
        for number, text in enumerate(texts[:-1]):
            if _CODE_OPTION.fullmatch(text):
                found.update(range(number + 1, len(texts)))
                break
        return frozenset(found)

    def calendar(self) -> tuple[PlistValue, ...]:
        """The dictionaries of StartCalendarInterval."""
        value = self.get("StartCalendarInterval")
        if value is None:
            return ()
        each = value.items if value.kind == "array" else (value,)
        return tuple(item for item in each if item.kind == "dictionary")

    @property
    def interval(self) -> int | None:
        """StartInterval in seconds, when it is a working one."""
        value = self.get("StartInterval")
        number = None if value is None else value.number
        return number if number is not None and number > 0 else None

    @property
    def scheduled(self) -> bool:
        """Whether time starts the job."""
        return bool(self.calendar()) or self.interval is not None

    def is_true(self, key: str) -> bool:
        """Whether a key at the top is true."""
        value = self.get(key)
        return value is not None and value.truth is True


def is_launchd(file: PlistFile) -> bool:
    """Whether the list describes, or was meant to describe, a job of launchd. Other lists are nobody's business here."""
    if re.search(r"Launch(?:Agents|Daemons)/", file.path):
        return True
    root = file.job
    if root is not None and root.entries:
        keys = {entry.key for entry in root.entries}
        if {"CFBundleExecutable", "CFBundlePackageType", "PayloadContent"} & keys:
            return False
        plain = {key.lower() for key in keys}
        known = {
            key for key in keys if key in BY_NAME and key not in {"Disabled", "Debug", "CFBundleIdentifier"}
        }
        return bool(keys & _KEYS_OF_JOBS) or (
            "label" in plain and (len(known) > 1 or plain & {"program", "programarguments"} != set())
        )
    text = file.source.text
    if re.search(r"ProgramArguments|<key>\s*(?:Label|Program)\s*</key>", text):
        return True
    name = PurePosixPath(file.path).name
    return "<key>" not in text and name.count(".") >= 3 and name.endswith(".plist")


@lru_cache(maxsize=32)
def plist_job(file: PlistFile) -> PlistJob | None:
    """The job that a list describes, or None: it could not be read, or is none of launchd's."""
    root = file.job
    if root is None or not is_launchd(file):
        return None
    arguments = root.get("ProgramArguments")
    argv = tuple(item for item in arguments.items if item.kind == "string") if arguments is not None else ()
    program = root.get("Program")
    if program is None or program.kind != "string":
        program = argv[0] if argv else None
    variables = root.get("EnvironmentVariables")
    env = {entry.key: entry.value for entry in variables.entries} if variables is not None else {}
    role: Literal["agent", "daemon"] | None = None
    if "LaunchAgents/" in file.path:
        role = "agent"
    elif "LaunchDaemons/" in file.path or root.get("UserName") is not None:
        role = "daemon"
    return PlistJob(file, root, role, program, argv, env)


def on_job(
    check: Callable[[PlistJob, Context], Iterable[Finding]],
) -> Callable[[Any, Context], Iterable[Finding]]:
    """A check of a property list made from a check of the job in it; lists without a job give nothing."""

    def on_file(file: PlistFile, context: Context) -> Iterable[Finding]:
        described = plist_job(file)
        return () if described is None else check(described, context)

    return on_file


def on_faults(
    *kinds: FaultKind,
    mended: tuple[FaultKind, ...] = (),
    severities: Mapping[FaultKind, Severity] | None = None,
) -> Callable[[Any, Context], Iterable[Finding]]:
    """A check that tells the faults of these kinds.

    `mended` are the kinds whose advice `write X` is the text for their span, safe to put there by itself.
    """

    def on_file(file: PlistFile, _context: Context) -> Iterator[Finding]:
        if not is_launchd(file):
            return
        for fault in file.faults:
            if fault.kind not in kinds:
                continue
            mend: tuple[Edit, ...] = ()
            if fault.kind in mended and fault.span is not None and fault.fix.startswith("write "):
                mend = (Edit(fault.place.path, fault.span, fault.fix.removeprefix("write ")),)
            fix = Fix(fault.fix, mend, safe=bool(mend)) if fault.fix else None
            yield Finding(fault.place, fault.message, fix, (severities or {}).get(fault.kind))

    return on_file
