"""Run the rules over what was read: one list of findings, sorted, without duplicates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jobs.diagnostics import Diagnostic
from jobs.lint.rule import Context, Finding, JobFacts, Rule, Subject
from jobs.lint.rules import ENTRIES, rule
from jobs.text import SourceFile

if TYPE_CHECKING:
    from jobs.model.job import Manifest


@dataclass(frozen=True, slots=True)
class Selection:
    """Which rules run: a code, or the front of codes (`L`, `L0`). Nothing selected means all; `ignore` wins."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def wants(self, code: str) -> bool:
        """Whether findings of this code are asked for."""
        chosen = not self.select or code.startswith(self.select)
        return chosen and not (self.ignore and code.startswith(self.ignore))


@dataclass(frozen=True, slots=True)
class Subjects:
    """What is linted, read already. `sources` are the texts behind the places, for the lines shown in reports."""

    scripts: tuple[Any, ...] = ()  # jobs.read.shell.Script
    plists: tuple[Any, ...] = ()  # jobs.read.plist.PlistFile
    jobs: tuple[JobFacts, ...] = ()
    manifest: Manifest | None = None
    sources: Mapping[str, SourceFile] = field(default_factory=dict)

    def of(self, subject: Subject) -> Sequence[Any]:
        """The subjects of one kind."""
        match subject:
            case "script":
                return self.scripts
            case "plist":
                return self.plists
            case "job":
                return self.jobs
            case "manifest":
                return () if self.manifest is None else (self.manifest,)


def rules_for(subject: Subject, selection: Selection) -> tuple[Rule, ...]:
    """The selected rules on a subject, in the order of the list."""
    return tuple(
        rule(entry.code) for entry in ENTRIES if entry.subject == subject and selection.wants(entry.code)
    )


def diagnostic(found: Finding, of: Rule, sources: Mapping[str, SourceFile]) -> Diagnostic:
    """A rule's hit as a finding for reports."""
    line = None
    if found.place is not None and found.place.path in sources:
        line = sources[found.place.path].line(found.place.line)
    severity = of.severity if found.severity is None else found.severity
    return Diagnostic(of.code, severity, found.message, found.place, found.fix, line)


def run(subjects: Subjects, context: Context, selection: Selection | None = None) -> list[Diagnostic]:
    """The findings of all selected rules on all subjects."""
    selection = Selection() if selection is None else selection
    found: list[Diagnostic] = []
    kinds: tuple[Subject, ...] = ("manifest", "job", "plist", "script")
    for kind in kinds:
        things = subjects.of(kind)
        if not things:
            continue
        rules = rules_for(kind, selection)
        for thing in things:
            for each in rules:
                found += [diagnostic(hit, each, subjects.sources) for hit in each.check(thing, context)]
    return tidy(found)


def tidy(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings in report order, each place, code and message once."""
    seen: dict[tuple[object, str, str], Diagnostic] = {}
    for one in found:
        seen.setdefault((one.place, one.code, one.message), one)
    return sorted(seen.values(), key=Diagnostic.sort_key)
