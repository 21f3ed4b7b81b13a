"""The record of a rule, what its check is given, and what it yields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from jobs.diagnostics import Fix, Severity
from jobs.text import Place

if TYPE_CHECKING:
    from jobs.model.job import Job, Manifest

Subject = Literal["script", "plist", "manifest", "job"]


class Disk(Protocol):
    """What lies on disk, handed in by the caller: no rule opens a file by itself. Paths are absolute."""

    def read(self, path: str) -> bytes | None:
        """The bytes of a regular file, or None when there is none or it cannot be read."""

    def head(self, path: str) -> bytes | None:
        """The first few thousand bytes of a regular file, or None as for `read`."""

    def exists(self, path: str) -> bool:
        """Whether something is there, a dangling link included."""

    def real_path(self, path: str) -> str:
        """The path with every symbolic link resolved."""

    def mode(self, path: str) -> int | None:
        """The permission bits, or None when nothing is there."""

    def owner(self, path: str) -> int | None:
        """The user id of the owner, or None when nothing is there."""

    def names(self, folder: str) -> tuple[str, ...]:
        """The sorted names in a folder; empty for what is not a folder."""


@dataclass(frozen=True, slots=True)
class Stale:
    """A generated file that is not what the manifest compiles to. `by_hand`: somebody else than the tool wrote it."""

    path: str
    word: str  # added, changed, removed, mode, refused
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """What a check may know beside its subject."""

    disk: Disk
    manifest: Manifest | None = None
    output: tuple[Stale, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One hit of a rule. `severity` overrides the rule's own where this hit is better or worse than the usual one."""

    place: Place | None
    message: str
    fix: Fix | None = None
    severity: Severity | None = None


@dataclass(frozen=True, slots=True)
class Reached:
    """A script that a job runs, in any depth. `via` is where it is called; `script` is a `jobs.read.shell.Script`."""

    script: Any
    how: Literal["run", "source", "exec", "inline"]
    via: Place | None = None


@dataclass(frozen=True, slots=True)
class JobFacts:
    """The subject of a rule on jobs: the job, its manifest, and every script that it reaches, in order of discovery."""

    job: Job
    manifest: Manifest
    reached: tuple[Reached, ...] = ()

    @property
    def place(self) -> Place | None:
        """The place of the job's table."""
        return self.job.place

    def at(self, key: str) -> Place | None:
        """The place of a key's value; the table's when the key is not written there."""
        return self.job.places.get(key, self.job.place)


@dataclass(frozen=True, slots=True)
class Rule:
    """Everything that there is to say about a rule; `jobs explain`, the pages and SARIF are made from it.

    `name` states the bad pattern and reads well after "allow". `check` is called with the subject and the context:

    ========  =============================
    script    `jobs.read.shell.Script`
    plist     `jobs.read.plist.PlistFile`
    manifest  `jobs.model.job.Manifest`
    job       `JobFacts`
    ========  =============================

    `bad` and each of `good` are whole inputs of the subject's kind (a script, a plist, a jobs.toml for the other two):
    a test runs them all, every `bad` gives this code alone and no `good` gives it. `files` lie beside them on disk.
    """

    code: str
    name: str
    title: str
    subject: Subject
    severity: Severity
    why: str
    bad: str
    good: tuple[str, ...]
    check: Callable[[Any, Context], Iterable[Finding]]
    exceptions: str = ""
    sources: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    example_path: str = ""  # where bad and good lie, when their name or folder matters to the rule
