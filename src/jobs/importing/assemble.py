"""Candidates to a manifest: names, PATH, logs, the text, and the proof. Nothing is written here."""

from __future__ import annotations

import copy
import posixpath
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

from jobs.decode import Loaded, load_text
from jobs.decode.job import SHELL_OWNED
from jobs.errors import ManifestError, UsageError
from jobs.importing.command import run_value
from jobs.importing.found import Candidate, Fate, Note
from jobs.importing.naming import common_prefix, lock_name, unique_name, wanted_name
from jobs.importing.verify import differences
from jobs.importing.write import appended, block_text, comment_text, head_text
from jobs.model.fields import fields_of
from jobs.model.job import Argv, Manifest, Project
from jobs.text import SourceFile

_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class NewProject:
    """What a new manifest says of its project; None where the sources tell."""

    name: str
    root: str
    home: str
    prefix: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What came of an import. `text` is the whole manifest as it would be; `manifest` is None when no job came in."""

    text: str
    manifest: Manifest | None
    candidates: tuple[Candidate, ...]
    skipped: tuple[Candidate, ...] = field(default=())

    @property
    def imported(self) -> tuple[Candidate, ...]:
        """The candidates that became jobs."""
        return tuple(candidate for candidate in self.candidates if candidate.name)

    @property
    def complete(self) -> bool:
        """Whether everything was carried."""
        fates = {note.fate for candidate in self.candidates for note in candidate.notes}
        return not fates & {Fate.LOST, Fate.REFUSED}


def assemble(
    candidates: Sequence[Candidate],
    path: str,
    existing: Loaded | None,
    new: NewProject,
    *,
    tail: Sequence[str] = (),
    verify: bool = True,
) -> Result:
    """The manifest at `path` with the candidates in it. `existing` must be a manifest without mistakes.

    What the loader does not take, or what does not mean the same when compiled, is refused; the others still come in.
    """
    skipped: list[Candidate] = []
    if existing is not None:
        skipped = [candidate for candidate in candidates if _known(candidate, existing)]
    chosen = [part for candidate in candidates if candidate not in skipped for part in _split(candidate)]
    if existing is None:
        head, project = _head(chosen, new)
        manifest = None
    else:
        if existing.manifest is None:
            raise ManifestError(f"{path} has mistakes already: mend them first", existing.diagnostics)
        head, manifest, project = existing.source.text, existing.manifest, existing.manifest.project
    _finish(chosen, project, manifest)
    proven = not verify
    while True:
        live = [candidate for candidate in chosen if candidate.name]
        text = appended(head, [block_text(candidate) for candidate in chosen], tail)
        if not live:
            return Result(text, None, tuple(chosen), tuple(skipped))
        loaded = load_text(SourceFile(path, text))
        if loaded.manifest is None:
            if not _refuse_unloadable(live, head, path):
                raise ManifestError("the jobs cannot be added as they are", loaded.diagnostics)
        elif proven or not _refuse_unproven(live, loaded.manifest):
            return Result(text, loaded.manifest, tuple(chosen), tuple(skipped))
        else:
            proven = True  # taking one away changes none of the others


def _known(candidate: Candidate, existing: Loaded) -> bool:
    """Whether an earlier import brought it in: a job stands below its origin, and for a line, with its command."""
    lines = [line.strip() for line in existing.source.text.splitlines()]
    origin = comment_text(f"from {candidate.origin}")
    if not any(line == origin and after.startswith("[jobs.") for line, after in pairwise([*lines, ""])):
        return False
    if candidate.kind == "plist" or candidate.meaning is None or existing.manifest is None:
        return True
    command = candidate.meaning.argv[-1]
    runs = (job.run for job in existing.manifest.jobs)
    return any(command == (run.words[-1] if isinstance(run, Argv) else run.text) for run in runs)


def _split(candidate: Candidate) -> list[Candidate]:
    """The candidate; an interval beside calendar times becomes a second job that shares its lock."""
    if (
        "every" not in candidate.keys
        or not ({"at", "cron"} & candidate.keys.keys())
        or candidate.meaning is None
    ):
        return [candidate]
    second = copy.deepcopy(candidate)
    candidate.note(
        Fate.CHANGED, "it has calendar times and an interval, and became two jobs that share a lock and stay apart", None, "",
        "every_s",
    )  # fmt: skip
    every = candidate.keys.pop("every")
    for key in ("at", "cron", "timezone", "watch", "at_load", "log"):
        second.keys.pop(key, None)
    second.keys |= {"every": every, "lock": ""}
    second.calendars, second.comments, second.notes = (), [], [note for note in second.notes if note.touches]
    second.meaning = replace(candidate.meaning, rules=(), watch=(), at_load=False)
    second.note(
        Fate.CHANGED,
        "the interval of the job above, with a log of its own",
        None,
        "",
        "output",
        "errors",
        "rules",
    )
    return [candidate, second]


def _head(chosen: Sequence[Candidate], new: NewProject) -> tuple[str, Project]:
    """The beginning of a new manifest, and its project."""
    user = PurePosixPath(new.home).name
    labels = [candidate.label for candidate in chosen if candidate.label and not candidate.refused]
    prefix = new.prefix or common_prefix(labels, user)
    wanted = Counter(
        candidate.path
        for candidate in chosen
        if candidate.path is not None and _is_plain_path(candidate.path)
    )
    default = tuple(fields_of("project")["path"].default)
    folders = tuple(wanted.most_common(1)[0][0].split(":")) if wanted else default
    text = head_text(name=new.name, prefix=prefix, root=new.root, home=new.home, path=folders)
    loaded = load_text(
        SourceFile("jobs.toml", f'{text}\n[jobs.x]\nrun = ["/usr/bin/true"]\nat_load = true\n')
    )
    if loaded.manifest is None:
        worst = loaded.diagnostics[0]
        raise UsageError(
            f"no manifest can be made of these: {worst.message} ({worst.fix.text if worst.fix else ''})"
        )
    return text, loaded.manifest.project


def _is_plain_path(path: str) -> bool:
    """Whether a PATH can be that of the project: folders that stay as they are when read."""
    folders = path.split(":")
    return all(
        folder.startswith("/")
        and posixpath.normpath(folder) == folder
        and not _UNWRITABLE.search(folder)
        and "$" not in folder
        for folder in folders
    )


def _finish(chosen: Sequence[Candidate], project: Project, manifest: Manifest | None) -> None:
    """Everything that depends on the manifest and on the other candidates: users, names, variables, logs."""
    jobs = manifest.jobs if manifest else ()
    taken = {lock_name(job.name).lower() for job in jobs}
    logs = {job.log for job in jobs}
    for index, candidate in enumerate(chosen):
        _check_user(candidate, project)
        if candidate.refused:
            continue
        wanted = wanted_name(candidate.label, candidate.hint, project.prefix)
        if candidate.keys.get("lock") == "" and index:
            wanted = f"{chosen[index - 1].name}-every"
            candidate.keys["lock"] = lock_name(chosen[index - 1].name) or True
        candidate.name = unique_name(wanted, taken)
        _set_environment(candidate, project)
    own = {f"{project.logs}/{candidate.name}.log" for candidate in chosen if candidate.name}
    for candidate in chosen:
        log = candidate.keys.get("log")
        if log is None:
            continue
        if log in logs or (log in own and log != f"{project.logs}/{candidate.name}.log"):
            del candidate.keys["log"]
            candidate.note(
                Fate.LOST,
                f'the log "{log}" is that of another job, too, and each rotates its own',
                None,
                "",
                "output",
                "errors",
            )
        else:
            logs.add(log)
            if log == f"{project.logs}/{candidate.name}.log":
                del candidate.keys["log"]


def _check_user(candidate: Candidate, project: Project) -> None:
    """Refuse what another user runs."""
    if candidate.daemon and project.domain != "system":
        candidate.note(
            Fate.REFUSED, f"it is a daemon, which the system runs; the jobs here are those of {project.user}", None,
            'for daemons use a manifest of their own with domain = "system"',
        )  # fmt: skip
        return
    user = candidate.user or ("root" if candidate.daemon else None)
    if user is not None and user != project.user:
        candidate.note(
            Fate.REFUSED, f"it is run by {user}, and the jobs of this manifest by {project.user}", None,
            "import it into a manifest of that user",
        )  # fmt: skip


def _set_environment(candidate: Candidate, project: Project) -> None:
    """`env`, and with env(1) what only a command can carry: a PATH of its own, names that no shell takes."""
    given = {"HOME": project.home, "USER": project.user, "LOGNAME": project.user}
    own = {name: value for name, value in candidate.env.items() if given.get(name) != value}
    hard = {name: value for name, value in own.items() if not _is_plain_variable(name, value)}
    easy = {name: value for name, value in own.items() if name not in hard}
    ours = ":".join(project.path)
    if candidate.path is None:
        told = "it sets no PATH, and gets that of [project]"
        candidate.notes.append(Note(Fate.MENDED, told, candidate.place, "", frozenset({"path"}), quiet=True))
    elif candidate.path != ours:
        hard = {"PATH": candidate.path, **hard}
    if easy:
        candidate.keys["env"] = easy
    run = candidate.keys["run"]
    if isinstance(run, str) and hard:
        run = ["/bin/sh", "-c", run]
    if isinstance(run, list):
        if hard and "=" in run[0]:
            candidate.note(Fate.REFUSED, f'env(1) would take the program "{run[0]}" for a variable', None)
            candidate.name = ""
            return
        candidate.keys["run"] = run_value(run, hard)


def _is_plain_variable(name: str, value: str) -> bool:
    good = (
        re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name)
        and name not in SHELL_OWNED
        and not name.startswith("JOBS_")
    )
    return bool(good) and not _UNWRITABLE.search(value)


def _refuse_unloadable(live: Sequence[Candidate], head: str, path: str) -> bool:
    """Refuse, or strip of raw keys, each candidate that the loader does not take on its own; whether any was."""
    changed = False
    for candidate in live:
        found = _load_alone(candidate, head, path)
        if found.manifest is not None:
            continue
        changed = True
        raw: Mapping[str, Any] = candidate.keys.get("launchd", {})
        for key in raw:
            one = copy.copy(candidate)
            one.keys = {"run": ["/usr/bin/true"], "at_load": True, "launchd": {key: raw[key]}}
            told = _load_alone(one, head, path)
            if told.manifest is None:
                worst = told.diagnostics[0]
                candidate.note(
                    Fate.LOST, worst.message, None, worst.fix.text if worst.fix else "", f"raw.{key}"
                )
                kept = {name: value for name, value in candidate.keys["launchd"].items() if name != key}
                candidate.keys = {**candidate.keys, "launchd": kept}
        if raw and not candidate.keys["launchd"]:
            del candidate.keys["launchd"]
        if _load_alone(candidate, head, path).manifest is None:
            worst = found.diagnostics[0]
            candidate.note(Fate.REFUSED, worst.message, None, worst.fix.text if worst.fix else "")
            candidate.name = ""
    return changed


def _load_alone(candidate: Candidate, head: str, path: str) -> Loaded:
    return load_text(SourceFile(path, appended(head, [block_text(candidate)])))


def _refuse_unproven(live: Sequence[Candidate], manifest: Manifest) -> bool:
    """Refuse each candidate whose compiled job does not mean the same; whether any was."""
    changed = False
    for candidate in live:
        job = manifest.job(candidate.name)
        try:
            found = ["it is not in the manifest"] if job is None else differences(candidate, manifest, job)
        except ManifestError as error:
            found = [str(error)]
        if found:
            changed = True
            candidate.note(
                Fate.REFUSED, f"compiled, it would not mean the same: {'; '.join(found[:3])}", None,
                "write it by hand, or import it unproven with --no-verify",
            )  # fmt: skip
            candidate.name = ""
    return changed
