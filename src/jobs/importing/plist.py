"""A job's property list as a candidate for the manifest: key by key, and nothing left out without a note."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Final

from jobs.decode.launchd import OWNED
from jobs.decode.node import nearest
from jobs.decode.values import LONGEST_S, Paths
from jobs.importing.calendar import calendar_keys, read_calendar
from jobs.importing.command import path_with_home, with_home
from jobs.importing.found import Candidate, Fate
from jobs.importing.meaning import meaning_of_plist, plain, strtoul
from jobs.importing.plist_command import CommandReader, string_at
from jobs.model.launchd_keys import BY_NAME
from jobs.read.plist_value import PlistFile, PlistValue
from jobs.text import Place

OWN_ANSWER: Final = ("Sockets", "MachServices", "LaunchEvents", "inetdCompatibility")
"""Keys by which launchd hands something to the program itself, which the wrapper does not pass on."""
DAEMONS_ONLY: Final = ("UserName", "GroupName", "InitGroups", "RootDirectory")
_UNITS: Final = (("d", 86400), ("h", 3600), ("m", 60))


def candidate_of(file: PlistFile, shown: str, home: str, *, exact: bool = False) -> Candidate:
    """The job of a property list; `shown` is its path as the origin names it. What cannot be is noted, never raised."""
    start = Place(file.path, 1, 1, 1, 1)
    root = file.job
    candidate = Candidate(
        "plist",
        start if root is None else root.place,
        shown,
        None,
        PurePosixPath(file.path).stem,
        None,
        file.source,
    )
    candidate.daemon = "/LaunchDaemons/" in file.path
    for fault in file.faults:
        fate = Fate.REFUSED if root is None else Fate.MENDED
        candidate.note(fate, fault.message, fault.place, fault.fix)
    if root is None:
        if not candidate.refused:
            candidate.note(Fate.REFUSED, "there is no dictionary in it that could be a job")
        return candidate
    label = root.get("Label")
    candidate.label = label.text if label is not None else None
    if not candidate.label:
        candidate.note(Fate.MENDED, "there is no Label; the file's name is taken for one", None)
    candidate.meaning = meaning_of_plist(plain(root))
    Reader(file, root, candidate, home, exact).read()
    return candidate


def duration_text(seconds: int) -> str:
    """Seconds as the manifest writes them."""
    for unit, size in _UNITS:
        if seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


class Reader:
    """Reads one property list into one candidate."""

    def __init__(
        self, file: PlistFile, root: PlistValue, candidate: Candidate, home: str, exact: bool
    ) -> None:
        self.file, self.root, self.candidate, self.home, self.exact = file, root, candidate, home, exact
        self.paths = Paths("/", home)
        self.keys = candidate.keys

    def read(self) -> None:
        """Every key of the list, in the order of the manifest."""
        CommandReader(self.root, self.candidate, self.home).read()
        self.working_directory()
        self.environment()
        self.umask()
        self.starts()
        self.outputs()
        self.exit_timeout()
        disabled = self.root.get("Disabled")
        if disabled is not None and disabled.truth is True:
            self.keys["enabled"] = False
        self.leftovers()

    # -- where and with what

    def path_of(self, key: str, *touches: str) -> str | None:
        """The absolute path at a key, with the home folder written out."""
        value = string_at(self.root, key, self.candidate, *touches)
        return None if value is None else self.path(key, value, *touches)

    def path(self, key: str, value: PlistValue, *touches: str) -> str | None:
        """The absolute path in a value, or None after a note."""
        text = value.text or ""
        expanded = with_home(text, self.home)
        fault = self.paths.fault(expanded)
        if fault is not None or not expanded:
            why = fault[0] if fault else "it is empty"
            self.candidate.note(
                Fate.LOST, f'{key} "{text}": {why}', value.place, fault[1] if fault else "", *touches
            )
            return None
        if not expanded.startswith("/"):
            expanded = f"/{expanded}"
            self.candidate.note(
                Fate.MENDED, f'{key} "{text}" is taken from /, as launchd does', value.place, "", *touches
            )
        elif expanded != text:
            self.candidate.note(
                Fate.MENDED,
                f'{key} "{text}": launchd expands nothing; imported as "{expanded}"',
                value.place,
                "",
                *touches,
            )
        return posixpath.normpath(expanded)

    def working_directory(self) -> None:
        """`cwd`: launchd's own default is the root folder."""
        self.keys["cwd"] = self.path_of("WorkingDirectory", "cwd") or "/"

    def environment(self) -> None:
        """`env`, and PATH, which the manifest has once for all jobs."""
        value = self.root.get("EnvironmentVariables")
        if value is None:
            return
        if value.kind != "dictionary":
            self.candidate.note(Fate.LEFT_OUT, f"EnvironmentVariables is a {value.kind}", value.place)
            return
        for entry in value.entries:
            text = entry.value.text
            if text is None:
                self.candidate.note(
                    Fate.LEFT_OUT, f"the variable {entry.key} is a {entry.value.kind}, and must be a string",
                    entry.value.place, f"write <string>{entry.value.value}</string>",
                )  # fmt: skip
            elif "\0" in text or not entry.key or re.search("[=\0]", entry.key):
                self.candidate.note(
                    Fate.LOST, f"the variable {entry.key!r}", entry.key_place, "", f"env.{entry.key}"
                )
            elif entry.key == "PATH":
                expanded = path_with_home(text, self.home)
                if expanded != text:
                    self.candidate.note(
                        Fate.MENDED, "PATH holds ~ or $HOME, which launchd does not expand; they are written out",
                        entry.value.place, "", "path",
                    )  # fmt: skip
                self.candidate.path = expanded
            else:
                expanded = with_home(text, self.home)
                if expanded != text:
                    self.candidate.note(
                        Fate.MENDED, f'the variable {entry.key} is "{text}", which launchd does not expand; imported as '
                        f'"{expanded}"', entry.value.place, "", f"env.{entry.key}",
                    )  # fmt: skip
                elif re.search(r"\$\{?[A-Za-z_]", text):
                    self.candidate.note(
                        Fate.CHANGED,
                        f'the variable {entry.key} holds "{text}": as before, nothing expands it',
                        entry.value.place,
                    )
                self.candidate.env[entry.key] = expanded

    def umask(self) -> None:
        """`umask`: a number is decimal, text is what strtoul(3) makes of it."""
        value = self.root.get("Umask")
        if value is None:
            return
        number = value.number if value.kind == "integer" else strtoul(value.text or "")
        if number is None or not 0 <= number <= 0o777:
            self.candidate.note(
                Fate.LOST, f"Umask {value.value!r} is no mask", value.place, 'write umask = "022"', "umask"
            )
            return
        self.keys["umask"] = f"{number:03o}"
        if value.kind == "integer" and number != 0o022 and re.fullmatch("[0-7]{2,3}", str(number)):
            self.candidate.note(
                Fate.CHANGED, f"Umask {number} is decimal for launchd, {number:03o} in octal; imported so", value.place,
                f'write umask = "{int(str(number), 8):03o}" if the digits were meant as octal',
            )  # fmt: skip

    # -- when

    def starts(self) -> None:
        """Everything that starts the job."""
        calendar = self.root.get("StartCalendarInterval")
        if calendar is not None:
            self.candidate.calendars = read_calendar(calendar, self.candidate, exact=self.exact)
            if self.candidate.calendars:
                self.keys |= calendar_keys(self.candidate.calendars)
        self.interval()
        watch = self.root.get("WatchPaths")
        if watch is not None:
            self.watch(watch)
        self.flag("RunAtLoad", "at_load")
        self.keep_alive()
        if not any(key in self.keys for key in ("at", "cron", "every", "watch", "at_load", "keep_alive")):
            others = [
                key
                for key in ("QueueDirectories", "StartOnMount", *OWN_ANSWER)
                if self.root.get(key) is not None
            ]
            told = "nothing that could be carried ever starts it"
            if others:
                told = f"only {', '.join(others)} starts it; a job of the manifest needs a time, an interval, `watch`, `at_load` or `keep_alive`"
            self.candidate.note(
                Fate.REFUSED, told, self.root.place, 'give it a schedule, such as at = "09:30"'
            )

    def interval(self) -> None:
        """`every`; beside calendar times it becomes a job of its own later."""
        value = self.root.get("StartInterval")
        if value is None:
            return
        number = value.number
        if number is None or number < 1 or number >= 2**32:
            self.candidate.note(
                Fate.LOST, f"StartInterval {value.value!r}: launchd ignores it", value.place,
                'write every = "30m"', "every_s",
            )  # fmt: skip
        elif number > LONGEST_S:
            self.candidate.note(
                Fate.LOST, f"StartInterval {number} is longer than a year", value.place, "", "every_s"
            )
        else:
            self.keys["every"] = duration_text(number)

    def watch(self, value: PlistValue) -> None:
        """`watch`."""
        if value.kind != "array":
            self.candidate.note(
                Fate.LOST, f"WatchPaths is a {value.kind}, and must be an array", value.place, "", "watch"
            )
            return
        found = [self.path("WatchPaths", item, "watch") for item in value.items if item.kind == "string"]
        for item in value.items:
            if item.kind != "string":
                self.candidate.note(Fate.LOST, f"a {item.kind} in WatchPaths", item.place, "", "watch")
        paths = [path for path in found if path is not None]
        if paths:
            self.keys["watch"] = paths

    def flag(self, key: str, ours: str) -> None:
        """A boolean that is worth a key only when true."""
        value = self.root.get(key)
        if value is None:
            return
        if value.truth is None:
            self.candidate.note(
                Fate.LOST, f"{key} is a {value.kind}, and must be true or false", value.place, "", ours
            )
        elif value.truth:
            self.keys[ours] = True

    def keep_alive(self) -> None:
        """`keep_alive`, which a job on a schedule must not have."""
        value = self.root.get("KeepAlive")
        demand = self.root.get("OnDemand")
        wanted: Any = None
        place = self.root.place
        if value is not None:
            place = value.place
            if value.kind == "dictionary":
                wanted = plain(value) or None
            elif value.truth is None:
                self.candidate.note(Fate.LOST, f"KeepAlive is a {value.kind}", value.place, "", "keep_alive")
            elif value.truth:
                wanted = True
        elif demand is not None and demand.truth is False:
            place, wanted = demand.place, True
            self.candidate.note(
                Fate.MENDED, "OnDemand false is the old way to write KeepAlive true", place, "", "keep_alive"
            )
        if wanted is None:
            return
        if isinstance(wanted, Mapping) and not carriable(wanted):
            self.candidate.note(Fate.LOST, "KeepAlive holds what TOML cannot", place, "", "keep_alive")
            return
        scheduled = next((key for key in ("at", "cron", "every") if key in self.keys), None)
        if scheduled is not None:
            self.candidate.note(
                Fate.LOST, f"KeepAlive beside `{scheduled}`: launchd would start the job again as soon as it ends", place,
                'for a job that retries: catchup = { for = ["failed"] }; for a daemon: remove the times', "keep_alive",
            )  # fmt: skip
            return
        self.keys["keep_alive"] = wanted

    # -- where its output goes

    def outputs(self) -> None:
        """`log`: one file for both streams."""
        output = self.path_of("StandardOutPath", "output")
        errors = self.path_of("StandardErrorPath", "errors")
        null = "/dev/null"
        log = output if output not in {None, null} else errors if errors not in {None, null} else None
        if log is not None:
            self.keys["log"] = log
        elif null in {output, errors}:
            self.candidate.note(
                Fate.CHANGED,
                "its output was thrown away, and goes to the job's log now",
                None,
                "",
                "output",
                "errors",
            )
        if log is not None and errors not in {log, null, None}:
            entry = self.root.entry("StandardErrorPath")
            self.candidate.note(
                Fate.LOST, f'StandardErrorPath "{errors}": both streams go to the job\'s one log', entry.value.place if entry else None,
                'to keep them apart, let the command redirect one of them: run = "… 2>> FILE"', "errors",
            )  # fmt: skip
        elif log is not None and (output != log or errors != log):
            which = "standard output" if output != log else "standard error"
            self.candidate.note(
                Fate.CHANGED,
                f"{which} was thrown away, and goes to the job's log now",
                None,
                "",
                "output",
                "errors",
            )
        if (value := self.root.get("StandardInPath")) is not None and value.text != null:
            self.candidate.note(
                Fate.LOST, f'StandardInPath "{value.text}": a job\'s input is empty', value.place,
                'let the command read it: run = "… < FILE"', "input",
            )  # fmt: skip

    def exit_timeout(self) -> None:
        """`kill_after`."""
        value = self.root.get("ExitTimeOut")
        if value is None:
            return
        if value.number is None or value.number < 0:
            self.candidate.note(Fate.LEFT_OUT, f"ExitTimeOut {value.value!r}", value.place)
        elif value.number == 0 or value.number > LONGEST_S:
            self.candidate.note(
                Fate.LOST, f"ExitTimeOut {value.number}: the wrapper kills what does not stop, after 20s", value.place,
                'write how long it may take: kill_after = "10m"', "kill_after_s",
            )  # fmt: skip
        else:
            self.keys["kill_after"] = duration_text(value.number)

    # -- the rest

    def leftovers(self) -> None:
        """Raw keys go into the `launchd` table, all others get a note."""
        raw: dict[str, Any] = {}
        for entry in {entry.key: entry for entry in self.root.entries}.values():
            key, value = entry.key, entry.value
            known = BY_NAME.get(key)
            if key in DAEMONS_ONLY and not self.candidate.daemon:
                self.candidate.note(
                    Fate.LEFT_OUT,
                    f"{key}: launchd heeds it for daemons only",
                    entry.key_place,
                    "",
                    f"raw.{key}",
                )
            elif key == "UserName":
                self.candidate.user = value.text
            elif key == "RootDirectory":
                self.candidate.note(
                    Fate.LOST,
                    "RootDirectory: the wrapper lies outside of it",
                    entry.key_place,
                    "",
                    f"raw.{key}",
                )
            elif key in OWNED or key == "EnableGlobbing":
                if key == "TimeOut":
                    self.candidate.note(
                        Fate.LEFT_OUT, "TimeOut", entry.key_place, 'for a time limit write timeout = "45m"'
                    )
            elif known is None or "." in key or known.status == "private":
                self.unknown(key, entry.key_place)
            elif known.status in {"ignored", "deprecated"}:
                self.candidate.note(
                    Fate.LEFT_OUT, f"{key} does nothing any more", entry.key_place, "", f"raw.{key}"
                )
            elif not carriable(carried := plain(value)):
                self.candidate.note(
                    Fate.LOST,
                    f"{key} holds a date, data or something else that TOML cannot hold",
                    value.place,
                    "",
                    f"raw.{key}",
                )
            else:
                raw[key] = carried
                if key in OWN_ANSWER:
                    self.candidate.note(
                        Fate.LOST, f"{key} is set, but launchd answers the wrapper, and not the program behind it",
                        entry.key_place, "leave this job to its own property list",
                    )  # fmt: skip
        if raw:
            self.keys["launchd"] = raw

    def unknown(self, key: str, place: Place) -> None:
        """A key that launchd has no use for."""
        known = [name for name, entry in BY_NAME.items() if "." not in name and entry.status != "private"]
        near = next((name for name in known if name.lower() == key.lower()), None) or nearest(key, known)
        if near is not None and key not in BY_NAME:
            self.candidate.note(
                Fate.LOST, f"launchd knows no key {key!r}", place, f"{near} was perhaps meant", f"raw.{key}"
            )
        else:
            self.candidate.note(Fate.LEFT_OUT, f"launchd knows no key {key!r}", place, "", f"raw.{key}")


def carriable(value: Any) -> bool:
    """Whether TOML and a plist can both hold a value."""
    if isinstance(value, Mapping):
        return all(carriable(entry) for entry in value.values())
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return all(carriable(entry) for entry in value)
    return isinstance(value, (str, bool, int, float)) and not isinstance(value, bytes)
