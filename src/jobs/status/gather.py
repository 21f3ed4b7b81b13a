"""Reading what the rows of `jobs status` are made from.

Two calls of launchctl for all jobs, which answer while files are read, and one for each job that asks for it.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from jobs.compile.naming import CATCHUP, catchup_label
from jobs.errors import JobsError
from jobs.install.receipt import Archive, Receipt
from jobs.install.site import Site
from jobs.install.wanted import digest
from jobs.model.job import Argv, Job, Manifest
from jobs.runtime.breaker import BreakerState, load
from jobs.runtime.records import Record, newest_first, parse
from jobs.status.locks import Holder, holder
from jobs.status.past import Past, read_past
from jobs.status.rows import JobFacts, Launchd
from jobs.system.launchctl import Call, Launchctl, disabled_of, listed_of
from jobs.system.launchd_answers import Listed

END = 2048  # bytes: some ten records
LARGEST_PLIST = 1 << 20
ASKED_SINGLY = 40  # jobs; with more of them launchd is asked about the suspicious ones only


class _Files(NamedTuple):
    """What the files of one job tell."""

    plist: str | None  # digest of the installed plist
    past: Past
    installed: int
    holder: Holder | None


@dataclass(slots=True)
class Reader:
    """The facts of jobs, read from one state folder and one launchd."""

    site: Site
    launchctl: Launchctl | None  # None: there is none on this machine
    now: int
    receipt: Receipt = field(init=False)
    overrides: Mapping[str, bool] = field(init=False, default_factory=dict)
    listed: Mapping[str, Listed] | None = field(init=False, default=None)
    domain_error: str = field(init=False, default="")
    _locks: frozenset[str] = field(init=False, default=frozenset())
    _breakers: dict[str, BreakerState] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.receipt = Archive(self.site.state).receipt()
        with contextlib.suppress(OSError):
            self._locks = frozenset(path.name for path in (self.site.state / "lock").iterdir())

    def facts(
        self, manifest: Manifest, wanted: Mapping[str, str], only: Collection[str] | None = None
    ) -> list[JobFacts]:
        """The facts of the manifest's jobs, in its order. `wanted` is label → digest of the compiled plist."""
        jobs = [job for job in all_jobs(manifest) if only is None or job.name in only]
        with self._asking():
            files = [self._files(job) for job in jobs]
        ask = len(jobs) <= ASKED_SINGLY
        return [
            JobFacts(
                job=job,
                wanted=wanted.get(job.label),
                entry=self.receipt.jobs.get(job.label),
                file=read.plist,
                launchd=self._launchd(job, ask=ask),
                past=read.past,
                installed=read.installed,
                guards={name: self._breaker(name) for name in job.guards},
                holder=read.holder,
            )
            for job, read in zip(jobs, files, strict=True)
        ]

    @contextlib.contextmanager
    def _asking(self) -> Iterator[None]:
        """Ask launchd about everything while files are read inside."""
        if self.launchctl is None:
            self.domain_error = "there is no launchctl on this machine"
            yield
            return
        calls: list[Call] = []
        try:
            calls = [self.launchctl.begin("print-disabled", self.site.domain), self.launchctl.begin("list")]
        except JobsError as error:
            self.domain_error = str(error)
        yield
        answers = [call.answer() for call in calls]
        if answers:
            try:
                self.overrides = disabled_of(answers[0])
            except JobsError as error:
                self.domain_error = str(error)
            self.listed = listed_of(answers[1])

    def _files(self, job: Job) -> _Files:
        # Strings and not paths: a thousand jobs take a dozen of them each.
        state = str(self.site.state)
        entry = self.receipt.jobs.get(job.label)
        return _Files(
            plist=_digest_of(entry.path) if entry is not None else None,
            past=newest_past(f"{state}/runs/{job.name}.jsonl"),
            installed=_epoch(f"{state}/since/{job.name}"),
            holder=holder(Path(f"{state}/lock/{job.lock.name}"))
            if job.lock is not None and job.lock.name in self._locks
            else None,
        )

    def _launchd(self, job: Job, *, ask: bool) -> Launchd:
        if self.domain_error or self.launchctl is None:
            return Launchd(domain_error=self.domain_error)
        listed = self.listed.get(job.label) if self.listed is not None else None
        disabled = self.overrides.get(job.label, False)
        # `list` may miss jobs when it is called from another session (KiroCrew#11002): what it lacks is asked for.
        suspicious = listed is None if job.enabled else listed is not None
        if not (ask or suspicious or (listed is not None and listed.status)):
            return Launchd(listed=listed, disabled=disabled)
        try:
            service = self.launchctl.service(self.site.target(job.label))
        except JobsError as error:
            self.domain_error = str(error)
            return Launchd(domain_error=self.domain_error)
        return Launchd(listed=listed, service=service, asked=True, disabled=disabled)

    def _breaker(self, name: str) -> BreakerState:
        if name not in self._breakers:
            self._breakers[name] = load(self.site.state / "guard" / name, self.now)
        return self._breakers[name]

    def strangers(self, manifest: Manifest) -> list[str]:
        """Installed jobs that the manifest does not have."""
        known = {job.label for job in all_jobs(manifest)}
        return sorted(entry.name for label, entry in self.receipt.jobs.items() if label not in known)


def all_jobs(manifest: Manifest) -> tuple[Job, ...]:
    """The manifest's jobs, and the catch-up job behind them: without it nothing is made up, so it has its row too."""
    settings = manifest.catchup
    if settings is None or settings.every_s is None:
        return manifest.jobs
    project = manifest.project
    catchup = Job(
        CATCHUP,
        catchup_label(project),
        Argv(()),
        f"{project.logs}/{CATCHUP}.log",
        "/",
        every_s=settings.every_s,
    )
    return (*manifest.jobs, catchup)


def newest_past(path: str) -> Past:
    """The past of a job from the end of its records; all of them are gone through only when the end is not enough."""
    end = _end_of(path, END)
    if end is not None:
        data, whole = end
        lines = data.split(b"\n")
        found: list[Record] = []
        for line in reversed(lines if whole else lines[1:]):
            record = parse(line)
            if record is not None:
                found.append(record)
                if record.event == "start" and record.slot is not None:
                    return read_past(found)
    return read_past(newest_first(Path(path)))


def _end_of(path: str, size: int) -> tuple[bytes, bool] | None:
    """The last bytes of a plain file, and whether they are all of it; None for what is no plain file."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            return None
        start = max(0, about.st_size - size)
        return os.pread(handle, size, start), start == 0
    finally:
        os.close(handle)


def _digest_of(path: str) -> str | None:
    end = _end_of(path, LARGEST_PLIST)
    return digest(end[0]) if end is not None else None


def _epoch(path: str) -> int:
    end = _end_of(path, 64)
    text = end[0].strip() if end is not None else b""
    return int(text) if text.isdigit() else 0
