"""The plan of an install: desired × files × launchd × overrides × receipt → actions. Pure, nothing is touched here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jobs.install.action import Action, Kind, Plan
from jobs.install.actual import Actual
from jobs.install.differences import differences
from jobs.install.receipt import Entry, Receipt
from jobs.install.site import Site
from jobs.install.wanted import Wanted, digest, exit_timeout_s, runs_only_once


@dataclass(frozen=True, slots=True)
class Facts:
    """What a plan is made from, beside the wanted jobs."""

    site: Site
    receipt: Receipt
    actual: Mapping[tuple[str, str], Actual]  # (domain, label)
    knows: Callable[[str], bool]  # whether this tool wrote a content
    force: Collection[str] = ()  # names or labels whose foreign files are taken over
    now: bool = False  # running jobs are not waited for


ORDER = {Kind.REMOVE: 0, Kind.KEEP: 1, Kind.LEAVE: 1}


def places(
    site: Site, receipt: Receipt, wanted: Iterable[Wanted], names: Collection[str] | None = None
) -> list[tuple[str, str, Path]]:
    """Domain, label and plist path of everything that a plan has to look at. `names` narrows it to those jobs."""
    found = {(site.domain, job.label): site.plist(job.label) for job in wanted}
    for label, entry in receipt.jobs.items():
        if names is None or entry.name in names or label in names:
            found.setdefault((entry.domain, label), Path(entry.path))
    return [(domain, label, path) for (domain, label), path in found.items()]


def make_plan(wanted: Sequence[Wanted], facts: Facts) -> Plan:
    """The plan that makes exactly `wanted` installed. Removals come first, jobs that must be waited for come last."""
    labels = {job.label for job in wanted}
    actions = [
        _remove(facts, label, entry, "it is no longer in the manifest")
        for label, entry in facts.receipt.jobs.items()
        if label not in labels
    ]
    for job in wanted:
        entry = facts.receipt.jobs.get(job.label)
        if entry is not None and entry.domain != facts.site.domain:
            moved = f"it moves from {entry.domain} to {facts.site.domain}"
            actions.append(_remove(facts, job.label, entry, moved))
            if job.enabled:
                actions.append(_install(_without_file(facts, job.label, entry), job, None))
        elif job.enabled:
            actions.append(_install(facts, job, entry))
        else:
            actions.append(_switched_off(facts, job, entry))
    return _ordered(actions)


def _without_file(facts: Facts, label: str, entry: Entry) -> Facts:
    """The facts as they are once the job has been removed from its old domain, which may share the folder."""
    key = (facts.site.domain, label)
    if str(facts.site.plist(label)) != entry.path or not _ours(facts, facts.actual[key], None):
        return facts
    gone = replace(facts.actual[key], kind="absent", data=None, sound=True)
    return replace(facts, actual={**facts.actual, key: gone})


def plan_removal(names: Collection[str] | None, facts: Facts) -> Plan:
    """The plan that removes the installed jobs of these names or labels, or all of them."""
    return _ordered(
        [
            _remove(facts, label, entry, "uninstall")
            for label, entry in facts.receipt.jobs.items()
            if names is None or entry.name in names or label in names
        ]
    )


def _ordered(actions: Sequence[Action]) -> Plan:
    return Plan(tuple(sorted(actions, key=lambda one: (one.waits, ORDER.get(one.kind, 2), one.label))))


def _forced(facts: Facts, name: str, label: str) -> bool:
    return name in facts.force or label in facts.force


def _ours(facts: Facts, actual: Actual, data: bytes | None) -> bool:
    if actual.kind == "absent":
        return True
    return actual.data is not None and (actual.data == data or facts.knows(digest(actual.data)))


def _why_foreign(actual: Actual, entry: Entry | None) -> str:
    if actual.kind == "symlink":
        return "its plist is a symlink that this tool did not make"
    if actual.data is None:
        return "its plist cannot be read"
    if entry is None:
        return "a plist of that name is there that this tool did not write"
    return "its plist was edited by hand since it was installed"


def _remove(facts: Facts, label: str, entry: Entry, reason: str) -> Action:
    actual = facts.actual[entry.domain, label]
    base = Action(Kind.REMOVE, label, entry.name, entry.domain, Path(entry.path), reason, actual, entry=entry)
    if not _ours(facts, actual, None) and not _forced(facts, entry.name, label):
        left = f"{reason}, but {_why_foreign(actual, entry)}"
        return replace(base, kind=Kind.LEAVE, reason=left, after=entry)
    service = actual.service
    timeout = service.exit_timeout_s if service else None
    return replace(
        base,
        write=actual.kind != "absent",
        unload=service is not None,
        # A hold of `jobs disable` is an override that outlives everything: without this it would wait for a later job.
        enable=entry.held and actual.disabled is True,
        patient=not facts.now,
        waits=bool(service and service.running) and not facts.now,
        exit_timeout_s=exit_timeout_s(actual.data) if timeout is None else timeout,
    )


def _switched_off(facts: Facts, job: Wanted, entry: Entry | None) -> Action:
    actual = facts.actual[facts.site.domain, job.label]
    reason = "it is switched off in the manifest"
    if entry is not None:
        return _remove(facts, job.label, entry, reason)
    path = facts.site.plist(job.label)
    kind = Kind.KEEP if actual.kind == "absent" and actual.service is None else Kind.LEAVE
    if kind is Kind.LEAVE:
        reason += ", but something of that name is there that this tool did not install"
    return Action(kind, job.label, job.name, facts.site.domain, path, reason, actual)


def _install(facts: Facts, job: Wanted, entry: Entry | None) -> Action:
    site = facts.site
    actual = facts.actual[site.domain, job.label]
    path = site.plist(job.label)
    service = actual.service
    base = Action(
        Kind.KEEP, job.label, job.name, site.domain, path, "", actual, data=job.data, entry=entry, after=entry
    )
    if not _forced(facts, job.name, job.label):
        if not _ours(facts, actual, job.data):
            return replace(base, kind=Kind.LEAVE, reason=_why_foreign(actual, entry))
        if entry is None and service is not None and _foreign_path(site, job, service.path):
            reason = f"launchd has that label loaded from {service.path}"
            return replace(base, kind=Kind.LEAVE, reason=reason)
    same = actual.kind == "file" and actual.data == job.data
    held = entry is not None and entry.held and actual.disabled is True
    patient = not job.daemon and not facts.now
    seen = service.identity if service is not None and same else ""
    after = Entry(job.name, site.domain, str(path), job.digest, "", seen, held, job.schedule)
    base = replace(
        base,
        after=after,
        once=runs_only_once(job.data),
        exit_timeout_s=_drain_s(actual, job.data),
        differences=() if same else differences(actual.data, job.data),
    )
    write = not same or not actual.sound
    if held:
        reason = f"it is switched off with `jobsctl disable`; `jobsctl enable {job.name}` brings it back"
        if service is not None:
            waits = patient and service.running
            return replace(
                base, kind=Kind.UNLOAD, reason=reason, write=write, unload=True, patient=patient, waits=waits
            )
        return replace(base, kind=Kind.REWRITE if write else Kind.KEEP, reason=reason, write=write)
    enable = actual.disabled is True
    if same and service is not None and _is_current(entry, job, service.identity):
        if write:
            reason = "launchd refuses its plist as it is: wrong mode or owner"
            return replace(base, kind=Kind.REWRITE, reason=reason, write=True, enable=enable)
        reason = "an override switches it off at the next login" if enable else ""
        return replace(base, kind=Kind.ENABLE if enable else Kind.KEEP, reason=reason, enable=enable)
    if same and base.once and entry is not None and not entry.pending and service is None:
        return replace(
            base, reason="launchd runs it once and forgets it", after=replace(after, seen=entry.seen)
        )
    kind, reason = _reload_reason(actual, entry, same=same)
    return replace(
        base,
        kind=kind,
        reason=reason + (", and an override switches it off" if enable else ""),
        write=write,
        enable=enable,
        unload=service is not None,
        load=True,
        patient=patient,
        waits=patient and service is not None and service.running,
    )


def _foreign_path(site: Site, job: Wanted, path: str | None) -> bool:
    """Whether launchd has the label from a file that is neither the installed one nor the generated one."""
    own = {str(site.plist(job.label)), str(site.output / "launchd" / f"{job.label}.plist")}
    return path is not None and path not in own


def _is_current(entry: Entry | None, job: Wanted, identity: str) -> bool:
    """Whether what launchd has loaded is this plist: it looks as it did right after our bootstrap.

    An unfinished install writes a plist only while the label is not loaded, so a loaded label beside the pending
    file was loaded from it. Any other pending mark (a removal, a failure) tells that the label may still be draining.
    """
    if entry is None:
        return False
    if entry.pending:
        return entry.pending == job.digest
    return entry.digest == job.digest and entry.seen == identity


def _drain_s(actual: Actual, data: bytes) -> int:
    if actual.service is not None and actual.service.exit_timeout_s is not None:
        return actual.service.exit_timeout_s
    return exit_timeout_s(actual.data or data)


def _reload_reason(actual: Actual, entry: Entry | None, *, same: bool) -> tuple[Kind, str]:
    if same:
        if actual.service is None:
            return Kind.LOAD, "launchd does not have it loaded"
        if entry is None or entry.pending:
            return Kind.RELOAD, "no receipt tells what launchd has loaded"
        return Kind.RELOAD, "launchd has something else loaded under its label"
    if actual.kind == "absent":
        if entry is not None or actual.service is not None:
            return Kind.CHANGE, "its plist was deleted"
        return Kind.ADD, "it is new"
    if entry is None:
        return Kind.CHANGE, "it is taken over"
    return Kind.CHANGE, "its plist changed"
