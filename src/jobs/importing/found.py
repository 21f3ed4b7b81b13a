"""What an import finds: candidates for jobs, and notes on everything that is not as it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal

from jobs.diagnostics import Diagnostic, Fix, Severity
from jobs.schedule.rule import Rule
from jobs.text import Place, SourceFile


class Fate(Enum):
    """What became of something in a source."""

    MENDED = "mended"  # written as it was meant, not as it stood
    LEFT_OUT = "left out"  # launchd or cron ignores it, too
    CHANGED = "changed"  # the manifest's own way differs, and cannot do otherwise
    LOST = "not carried"  # the job goes on without it
    REFUSED = "refused"  # there is no job without it


_CODES: Mapping[Fate, tuple[str, Severity]] = {
    Fate.MENDED: ("I001", Severity.INFO),
    Fate.LEFT_OUT: ("I002", Severity.INFO),
    Fate.CHANGED: ("I003", Severity.INFO),
    Fate.LOST: ("I004", Severity.WARNING),
    Fate.REFUSED: ("I005", Severity.ERROR),
}


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that is not as it was. `touches` names the parts of the meaning (see Meaning) that may differ for it."""

    fate: Fate
    message: str
    place: Place
    fix: str = ""
    touches: frozenset[str] = frozenset()
    source_line: str | None = None
    quiet: bool = False  # true of nearly every job: told once for all of them

    def diagnostic(self) -> Diagnostic:
        """The note as a finding."""
        code, severity = _CODES[self.fate]
        message = self.message if self.fate is Fate.REFUSED else f"{self.fate.value}: {self.message}"
        return Diagnostic(
            code, severity, message, self.place, Fix(self.fix) if self.fix else None, self.source_line
        )


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a job does, whoever says it: for comparing what came in with what goes out.

    `env` is what the program finds beside what every job is given; `path` is its PATH, `umask` a number, `output` where its
    standard output goes (`""`: nowhere), `kill_after_s` None where the source leaves it to the system.
    """

    argv: tuple[str, ...]
    cwd: str
    path: str
    env: Mapping[str, str] = field(default_factory=dict)
    output: str = ""
    errors: str = ""
    umask: int = 0o022
    rules: tuple[Rule, ...] = ()
    zone: str | None = None
    every_s: int | None = None
    watch: tuple[str, ...] = ()
    at_load: bool = False
    keep_alive: bool | Mapping[str, Any] = False
    kill_after_s: int | None = None
    enabled: bool = True
    raw: Mapping[str, Any] = field(default_factory=dict)


Kind = Literal["plist", "crontab"]


@dataclass(slots=True, eq=False)
class Candidate:
    """A job on its way into the manifest."""

    kind: Kind
    place: Place  # where the job begins in its source
    origin: str  # "~/Library/LaunchAgents/x.plist", "crontab line 7"
    label: str | None  # its label so far
    hint: str  # what its name may be made of, when there is no label
    meaning: Meaning | None  # as the source has it, nothing mended
    source: SourceFile | None = None  # the text behind the places
    keys: dict[str, Any] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)  # lines of the source that stand above it, with their #
    path: str | None = None  # its PATH as it is to be; None: that of the project
    env: dict[str, str] = field(default_factory=dict)
    calendars: tuple[Mapping[str, int], ...] = ()  # StartCalendarInterval as it is to be, for the proof
    argv: tuple[str, ...] = ()  # its command as it is to be, for the proof
    name: str = ""  # empty: it is not in the manifest
    user: str | None = None  # who runs it; None: the user of the manifest
    daemon: bool = False

    def note(
        self, fate: Fate, message: str, place: Place | None = None, fix: str = "", *touches: str
    ) -> None:
        """Add a note; without a place it is about the job as a whole."""
        line = self.source.line(place.line) if place is not None and self.source is not None else None
        self.notes.append(Note(fate, message, place or self.place, fix, frozenset(touches), line or None))

    @property
    def refused(self) -> bool:
        """Whether something forbids the job."""
        return any(note.fate is Fate.REFUSED for note in self.notes)
