"""The loader: bytes of a file to a Manifest, or to everything that is wrong with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from jobs.decode.job import decode_jobs
from jobs.decode.node import Node, Problems
from jobs.decode.project import decode_project
from jobs.decode.structure import judge_structure
from jobs.decode.values import duration, window
from jobs.diagnostics import Diagnostic
from jobs.errors import UsageError
from jobs.model.fields import PLAIN_NAME
from jobs.model.job import CatchupSettings, Guard, LintSettings, Manifest
from jobs.read.toml import decode_text, read_toml
from jobs.text import SourceFile


@dataclass(frozen=True, slots=True)
class Loaded:
    """What came of a file. `manifest` is None when `diagnostics` holds an error."""

    source: SourceFile
    manifest: Manifest | None
    diagnostics: tuple[Diagnostic, ...]


def load(path: Path) -> Loaded:
    """The manifest in a file. Raises UsageError when the file cannot be read at all."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UsageError(f"there is no manifest {path}: `jobsctl init` writes one") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    source = decode_text(str(path), data)
    if isinstance(source, Diagnostic):
        return Loaded(SourceFile(str(path), ""), None, (source,))
    return load_text(source)


def load_text(source: SourceFile) -> Loaded:
    """The manifest in a text."""
    file = read_toml(source)
    if isinstance(file, Diagnostic):
        return Loaded(source, None, (file,))
    problems = Problems(file)
    judge_structure(problems)
    manifest = _decode(Node(problems, (), file.data))
    found = tuple(sorted(set(problems.found), key=Diagnostic.sort_key))
    return Loaded(source, None if found else manifest, found)


def _decode(top: Node) -> Manifest:
    project, paths = decode_project(top)
    guards = _guards(top)
    catchup = _catchup(top)
    jobs = decode_jobs(top, project, paths, guards, catchup.window if catchup else "today")
    return Manifest(top.problems.file.source.path, project, jobs, guards, catchup, _lint(top))


def _guards(top: Node) -> tuple[Guard, ...]:
    tables = top.child("guards")
    found = []
    for name in tables or ():
        node = tables.child(name) if tables else None
        if node is None:
            continue
        if not re.fullmatch(PLAIN_NAME, name):
            node.problems.report(
                node.path, "M004", f'"{name}" cannot be the name of a guard', "use letters, digits, - and _"
            )
        if (
            "tool" not in node
            and "patterns" not in node
            and not (node.spoilt("tool") or node.spoilt("patterns"))
        ):
            node.problems.report(
                (*node.path, "tool"), "M005", f"guard {name} has neither `tool` nor `patterns`: it could never trip",
                'add tool = "claude", or patterns of your own',
            )  # fmt: skip
        patterns = tuple(node.get("patterns") or ())
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                node.report(
                    "patterns",
                    "M004",
                    f'"{pattern}" is not a regular expression: {error}',
                    "correct it; a backslash must be doubled in a quoted string",
                )
        probe = node.get("probe")
        cooldown = duration(node, "cooldown")
        found.append(
            Guard(
                name,
                node.get("tool"),
                patterns,
                cooldown or 900,
                tuple(probe) if isinstance(probe, list) else None,
            )
        )
    return tuple(found)


def _catchup(top: Node) -> CatchupSettings | None:
    node = top.child("catchup")
    if node is None:
        return None
    defaults = CatchupSettings()
    every = None if node.get("every") is False else duration(node, "every") or defaults.every_s
    if every is not None and every < 60:
        node.report(
            "every",
            "M004",
            f'`every` is "{node.data["every"]}": the catch-up looks once a minute at the most',
            'write for example every = "15m"',
        )
    pause = duration(node, "pause", zero=True)
    return CatchupSettings(
        every,
        window(node, "window") or defaults.window,
        duration(node, "timeout") or defaults.timeout_s,
        defaults.pause_s if pause is None else pause,
    )


def _lint(top: Node) -> LintSettings:
    node = top.child("lint")
    if node is None:
        return LintSettings()
    return LintSettings(
        tuple(node.get("select") or ()), tuple(node.get("ignore") or ()), node.get("fail_on") or "warning"
    )
