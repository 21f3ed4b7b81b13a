"""Jobs as records, with the scripts that they reach on a disk that the test describes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.lint.plist_findings import FakeDisk

from jobs.diagnostics import Diagnostic
from jobs.lint.engine import Subjects, run
from jobs.lint.follow import follow
from jobs.lint.rule import Context, JobFacts
from jobs.model.job import Argv, Guard, Job, Manifest, Project, ShellLine
from jobs.text import Place

STANDARD = ("/usr/bin", "/bin", "/usr/sbin", "/sbin")
PLACE = Place("jobs.toml", 5, 1, 5, 10)


def facts(
    command: str | tuple[str, ...],
    files: Mapping[str, str] | None = None,
    *,
    path: tuple[str, ...] = STANDARD,
    guards: tuple[Guard, ...] = (),
    **job: Any,
) -> JobFacts:
    """A job of /work/p with this command, guarded by all of `guards` unless told otherwise."""
    project = Project("p", "com.example", "/work/p", "/Users/kim", "kim", path, "/l", "/s", "generated")
    line = ShellLine(command) if isinstance(command, str) else Argv(command)
    settings: dict[str, Any] = {"guards": tuple(guard.name for guard in guards)} | job
    record = Job("a", "com.example.a", line, "/l/a.log", "/work/p", place=PLACE, **settings)
    manifest = Manifest("jobs.toml", project, (record,), guards)
    return JobFacts(record, manifest, follow(record, manifest, disk(files)))


def disk(files: Mapping[str, str] | None) -> FakeDisk:
    """A disk of texts."""
    return FakeDisk({name: text.encode() for name, text in (files or {}).items()})


def findings(subject: JobFacts, files: Mapping[str, str] | None = None) -> list[Diagnostic]:
    """What the rules on jobs say."""
    return run(Subjects(jobs=(subject,)), Context(disk(files), subject.manifest))
