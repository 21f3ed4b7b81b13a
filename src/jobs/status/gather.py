"""Reading what the rows of `jobs status` are made from. Two calls of launchctl for all jobs, and one for each that asks for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from jobs.errors import JobsError
from jobs.install.receipt import Archive, Receipt
from jobs.install.site import Site
from jobs.install.wanted import digest
from jobs.model.job import Job, Manifest
from jobs.runtime.breaker import BreakerState, load
from jobs.runtime.records import newest_first
from jobs.status.locks import holder
from jobs.status.past import read_past
from jobs.status.rows import JobFacts, Launchd
from jobs.system.launchctl import Launchctl, NoSessionError
from jobs.system.launchd_answers import Listed

ASKED_SINGLY = 40  # jobs; with more of them launchd is asked about the suspicious ones only


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
    _breakers: dict[str, BreakerState] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.receipt = Archive(self.site.state).receipt()
        if self.launchctl is None:
            self.domain_error = "there is no launchctl on this machine"
            return
        try:
            self.overrides = self.launchctl.disabled(self.site.domain)
            self.listed = self.launchctl.listed()
        except JobsError as error:
            self.domain_error = str(error)

    def facts(
        self, manifest: Manifest, wanted: Mapping[str, str], only: Collection[str] | None = None
    ) -> list[JobFacts]:
        """The facts of the manifest's jobs, in its order. `wanted` is label → digest of the compiled plist."""
        jobs = [job for job in manifest.jobs if only is None or job.name in only]
        return [self._one(job, wanted.get(job.label), ask=len(jobs) <= ASKED_SINGLY) for job in jobs]

    def _one(self, job: Job, wanted: str | None, *, ask: bool) -> JobFacts:
        state = self.site.state
        entry = self.receipt.jobs.get(job.label)
        return JobFacts(
            job=job,
            wanted=wanted,
            entry=entry,
            file=_digest_of(Path(entry.path)) if entry is not None else None,
            launchd=self._launchd(job, ask=ask),
            past=read_past(newest_first(state / "runs" / f"{job.name}.jsonl")),
            installed=_epoch(state / "since" / job.name),
            guards={name: self._breaker(name) for name in job.guards},
            holder=holder(state / "lock" / job.lock.name) if job.lock is not None else None,
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
        except NoSessionError as error:
            self.domain_error = str(error)
            return Launchd(domain_error=self.domain_error)
        return Launchd(listed=listed, service=service, asked=True, disabled=disabled)

    def _breaker(self, name: str) -> BreakerState:
        if name not in self._breakers:
            self._breakers[name] = load(self.site.state / "guard" / name, self.now)
        return self._breakers[name]

    def strangers(self, manifest: Manifest) -> list[str]:
        """Installed jobs that the manifest does not have, the catch-up job aside."""
        known = {job.label for job in manifest.jobs}
        catchup = f"{manifest.project.prefix}.catchup" if manifest.catchup is not None else None
        return sorted(
            entry.name
            for label, entry in self.receipt.jobs.items()
            if label not in known and label != catchup
        )


def _digest_of(path: Path) -> str | None:
    try:
        return digest(path.read_bytes())
    except OSError:
        return None


def _epoch(path: Path) -> int:
    try:
        text = path.read_text().strip()
    except (OSError, ValueError):
        return 0
    return int(text) if text.isdigit() else 0
