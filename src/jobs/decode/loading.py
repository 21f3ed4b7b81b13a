"""From the bytes of a manifest to its records, or to everything that is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from jobs.decode.characters import refuse_unfit
from jobs.decode.environment import decode_env
from jobs.decode.findings import Findings
from jobs.decode.job import Keys, Surroundings, decode_job, merged_keys
from jobs.decode.paths import CONTROL
from jobs.decode.project import MAX_LABEL, decode_project
from jobs.decode.reader import Entries, Reader
from jobs.decode.settings import decode_catchup, decode_guards, decode_lint
from jobs.decode.structure import structural_mistakes
from jobs.diagnostics import Diagnostic
from jobs.errors import UsageError
from jobs.model.fields import DEFAULT_LANG, DEFAULT_PATH, RESERVED_JOB, TOOLS
from jobs.model.job import CatchupSettings, Guard, Job, Manifest, Project
from jobs.read.nodes import Table
from jobs.read.toml import read_toml
from jobs.read.toml_tree import dotted, quoted
from jobs.text import SourceFile, Span


@dataclass(frozen=True, slots=True)
class Loaded:
    """A manifest that was read. `manifest` is None when `diagnostics` has errors; all of them are there at once."""

    manifest: Manifest | None
    diagnostics: tuple[Diagnostic, ...]
    source: SourceFile


def load(path: Path) -> Loaded:
    """The manifest in a file. Raises UsageError when there is no file to read; mistakes in it are diagnostics."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UsageError(f"there is no manifest {path}: `jobsctl init` writes one") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(f"cannot read {path}: {reason}") from None
    return load_bytes(data, str(path))


def load_text(source: SourceFile) -> Loaded:
    """The manifest in a text that is not a file yet."""
    return load_bytes(source.text.encode("utf-8", errors="surrogatepass"), source.path)


def load_bytes(data: bytes, path: str) -> Loaded:
    """The manifest in these bytes; `path` is only its name in messages."""
    document = read_toml(data, path)
    if document.root is None:
        return Loaded(None, document.diagnostics, document.source)
    findings = Findings(document.source)
    mistakes = structural_mistakes(document.root, document.source)
    for mistake in mistakes:
        if mistake.meant is not None:
            findings.meant.add((mistake.table, mistake.meant))
        if not mistake.soft:
            findings.add(mistake.code, mistake.span, mistake.message, mistake.fix)
    manifest = _decode(document.root, path, Reader(findings))
    refuse_unfit(document.root, findings)
    for mistake in mistakes:
        if mistake.soft and not findings.within(mistake.span):
            findings.add(mistake.code, mistake.span, mistake.message, mistake.fix)
    diagnostics = findings.sorted()
    return Loaded(None if diagnostics else manifest, diagnostics, document.source)


def _decode(root: Table, path: str, read: Reader) -> Manifest | None:
    table = root.node("project")
    project = decode_project(table, read) if isinstance(table, Table) else None
    guards = decode_guards(root.node("guards"), read)
    env = {"LANG": DEFAULT_LANG, **decode_env(root.node("env"), read)}
    catchup_table = root.node("catchup")
    catchup = decode_catchup(catchup_table, read) if isinstance(catchup_table, Table) else None
    defaults = root.node("defaults")
    around = Surroundings(
        project=project or _nobody(read),
        env=env,
        guards=frozenset({*TOOLS, *(guard.name for guard in guards)}),
        window=(catchup or CatchupSettings()).window,
        defaults=defaults if isinstance(defaults, Table) else None,
    )
    jobs = _decode_jobs(root, around, project, read)
    lint = decode_lint(root.node("lint"), read)
    if project is None:
        return None
    named = {name for job in jobs for name in job.guards} - {guard.name for guard in guards}
    guards += tuple(Guard(name, tool=name) for name in sorted(named))
    if catchup is None and any(job.catchup is not None for job in jobs):
        catchup = CatchupSettings()
    return Manifest(path, project, tuple(jobs), guards, catchup, lint)


def _nobody(read: Reader) -> Project:
    """A project to go on with when the manifest's own is wrong, so that the jobs' mistakes are told, too."""
    return Project(
        "project", "com.example", read.root, read.home, "user", DEFAULT_PATH, "/logs", "/state", "generated"
    )


def _decode_jobs(root: Table, around: Surroundings, project: Project | None, read: Reader) -> list[Job]:
    jobs: list[Job] = []
    spelled: dict[str, str] = {}
    entries = read.entries(root.node("jobs"))
    if "jobs" not in root.entries or (isinstance(root.node("jobs"), Table) and not entries):
        fix = "add one: `jobsctl add NAME --at 09:30 -- PROGRAM` writes it"
        read.findings.add("M005", Span(0, 0), "the manifest has no jobs", fix)
    for name, entry in entries.items():
        if not isinstance(entry.node, Table):
            continue
        header = entry.node.span if entry.node.origin == "header" else entry.key
        _check_name(name, entry.key, spelled, project, read)
        job = decode_job(merged_keys(name, entry.node, header, around.defaults), around, read)
        if job is not None:
            jobs.append(job)
    if around.defaults is not None:
        # A default that every job overrides is checked, too: the next job will rely on it.
        table = around.defaults
        decode_job(Keys("NAME", table.span, {}, table.entries, partial=True), around, read)
    _check_logs(jobs, entries, read)
    return jobs


def _check_logs(jobs: list[Job], entries: Entries, read: Reader) -> None:
    """Note a log that two jobs write: the rotation of one would take the other's lines away."""
    owners: dict[str, Job] = {}
    for job in jobs:
        other = owners.setdefault(job.log.lower(), job)
        table = entries[job.name].node
        if other is job or other.name.lower() == job.name.lower() or not isinstance(table, Table):
            continue
        log = table.entries.get("log")
        span = table.span if log is None else log.node.span
        message = f"[{dotted(['jobs', job.name])}] and [{dotted(['jobs', other.name])}] would write one log, {job.log}"
        read.findings.add("M006", span, message, "give each of them a log of its own")


def _check_name(name: str, key: Span, spelled: dict[str, str], project: Project | None, read: Reader) -> None:
    """Check a job's name against the tool's own job, the other jobs, and the room in a label."""
    if CONTROL.search(name):
        message = f"the job's name {quoted(name)} has a control character: no label can hold it"
        read.findings.add("M008", key, message, "take it out")
    if name.lower() == RESERVED_JOB:
        message = f"{name} is the name of the tool's own job, which makes up skipped slots"
        read.findings.add("M004", key, message, "give the job another name")
    other = spelled.setdefault(name.lower(), name)
    if other != name:
        message = (
            f"the jobs {dotted([other])} and {dotted([name])} differ only in case: on a Mac they are one file"
        )
        read.findings.add("M006", key, message, "give one of them another name")
    if project is not None and len(project.prefix) + 1 + len(name) > MAX_LABEL:
        length = len(project.prefix) + 1 + len(name)
        message = f"the label prefix.NAME of this job has {length} characters; {MAX_LABEL} is the most"
        read.findings.add("M004", key, message, "shorten the name or the prefix")
