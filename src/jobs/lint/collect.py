"""What a call of the linter looks at: files found, read and followed."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jobs.diagnostics import Diagnostic
from jobs.lint import suppress
from jobs.lint.engine import Selection, Subjects, run, tidy
from jobs.lint.rule import Context, Disk, JobFacts
from jobs.lint.rules import codes
from jobs.text import SourceFile

if TYPE_CHECKING:
    from jobs.model.job import Manifest

SKIPPED = frozenset(
    {".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache"}
)
MAX_BYTES = 32_000_000
TEMPLATE_NAMES = (".j2", ".jinja", ".jinja2", ".tmpl", ".tpl", ".erb", ".mustache", ".hbs", ".in")
BUILD_RECORD = "jobs.lock.json"
SCRIPT_NAMES = (".sh", ".bash", ".zsh", ".ksh", ".command")


@dataclass(slots=True)
class Collection:
    """Everything to be linted, filled file by file."""

    disk: Disk
    context: Context
    follow: bool = True
    local: Callable[[str], str] = str
    scripts: list[Any] = field(default_factory=list)
    plists: list[Any] = field(default_factory=list)
    jobs: list[JobFacts] = field(default_factory=list)
    manifest: Manifest | None = None
    sources: dict[str, SourceFile] = field(default_factory=dict)
    ignores: list[suppress.Ignore] = field(default_factory=list)
    found: list[Diagnostic] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    generated: set[str] = field(default_factory=set)
    known: dict[Any, Any] = field(default_factory=dict)  # what `reach` has read
    elsewhere: list[Diagnostic] = field(default_factory=list)  # what other processes found

    def add_source(self, source: SourceFile, comments: Iterable[Any] | None = None) -> None:
        """Keep a text for reports, and its ignore comments."""
        if source.path not in self.sources:
            self.sources[source.path] = source
            self.ignores += suppress.ignores(source, comments)

    def add_file(self, path: str) -> bool:
        """Read a file as what it is; False when it is neither a script nor a property list."""
        real = self.disk.real_path(path)
        if real in self.seen:
            return True
        if path.endswith(".plist") or ".plist." in posixpath.basename(path):
            self.seen.add(real)
            data = self.disk.read(path)
            if data is not None:
                self.add_plist(path, data)
            return data is not None
        if path.endswith(TEMPLATE_NAMES):
            return False  # what comes out of it can be linted
        head = self.disk.head(path)
        if head is None or b"\0" in head:
            return False
        if not head.startswith(b"#!") and not path.endswith(SCRIPT_NAMES):
            return False
        text = (self.disk.read(path) or b"").decode("utf-8", "surrogateescape")
        from jobs.read.shell import is_shell, read_script

        if not is_shell(path, text):
            return False
        self.seen.add(real)
        self.add_script(read_script(path, text))
        return True

    def add_script(self, script: Any) -> None:
        """Take a script, the pieces inside of it, and what it runs."""
        from jobs.lint.follow import pieces, reach

        self.scripts.append(script)
        if script.fixed is None:
            self.add_source(script.source, script.comments)
        self._embedded_plists(script)
        if not self.follow:
            self.scripts += [piece.script for piece in pieces(script)]
            return
        home = self.context.manifest.project.home if self.context.manifest else "~"
        folder = posixpath.dirname(script.path) or "."
        for reached in reach(script, self.disk, home=home, folder=folder, known=self.known):
            self._take(reached.script)

    def _take(self, script: Any) -> None:
        if script.path in self.sources or script.fixed is not None:
            self.scripts.append(script)  # a piece of a text that is there
            return
        real = self.disk.real_path(script.path)
        if real in self.seen:
            return
        self.seen.add(real)
        self.scripts.append(script)
        self.add_source(script.source, script.comments)
        self._embedded_plists(script)

    def _embedded_plists(self, script: Any) -> None:
        from jobs.lint.follow import plists

        for document, target in plists(script):
            from jobs.lint.embedded import lint_embedded_plist

            self.found += lint_embedded_plist(
                document.body.raw,
                shell_expands=document.expands,
                context=self.context,
                source=script.source,
                offset=document.body.start,
                target=target if target.startswith("/") else "",
            )

    def add_plist(self, path: str, data: bytes) -> None:
        """Take a property list, and the script that it starts, if that is one and is here."""
        from jobs.read.plist import parse_plist

        file = parse_plist(data, path)
        self.plists.append(file)
        self.add_source(file.source)
        if self._is_generated(path, file):
            self.generated.add(path)
        if self.follow:
            self._follow_plist(file)

    def _follow_plist(self, file: Any) -> None:
        """Take the scripts that a property list's command line names or holds (`sh -c …`)."""
        import shlex

        from jobs.lint.follow import reach
        from jobs.lint.plist_job import plist_job
        from jobs.read.shell import read_script

        job = plist_job(file)
        if job is None or not job.argv:
            return
        words = [job.literal(value) or "" for value in job.argv]
        place = job.key_place("ProgramArguments")
        line = read_script(file.path, shlex.join(words), shell="macos-sh", fixed=place)  # noqa: S604 - no process
        folder = job.literal(job.get("WorkingDirectory")) or "/"
        for reached in reach(
            line, self.disk, home=job.home or "~", folder=folder, path=job.path, local=self.local
        ):
            self._take(reached.script)

    def _is_generated(self, path: str, file: Any) -> bool:
        """Whether the tool made a property list: its times are a superset on purpose, and the wrapper is exact."""
        from jobs.lint.plist_job import plist_job

        job = plist_job(file)
        program = job.executable if job is not None else ""
        folders = {
            posixpath.dirname(posixpath.dirname(each))
            for each in (self.disk.real_path(path), program)
            if each
        }
        return any(self.disk.exists(f"{folder}/{BUILD_RECORD}") for folder in folders)

    def add_manifest(self, manifest: Manifest, source: SourceFile) -> None:
        """Take a manifest, its jobs, and every script that they reach."""
        from jobs.lint.follow import follow

        self.manifest = manifest
        self.add_source(source)
        for job in manifest.jobs:
            reached = follow(job, manifest, self.disk, local=self.local) if self.follow else ()
            self.jobs.append(JobFacts(job, manifest, reached))
            for each in reached:
                self._take(each.script)

    def findings(self, selection: Selection) -> list[Diagnostic]:
        """What the selected rules say, less what is ignored in place."""
        wanted = {code: selection.wants(code) for code in codes()}
        found = self.raw_findings(selection) + self.elsewhere
        found = suppress.apply(tidy(found), self.ignores, codes(), wanted)
        found = [one for one in found if not one.code.startswith("U") or wanted[one.code]]
        return tidy(map(self._with_line, found))

    def take_findings(self, selection: Selection) -> list[Diagnostic]:
        """The raw findings, once: what was read is let go, but for the texts."""
        found = self.raw_findings(selection)
        self.scripts, self.plists, self.jobs, self.found, self.known = [], [], [], [], {}
        return found

    def raw_findings(self, selection: Selection) -> list[Diagnostic]:
        """What the selected rules say on what this process read; ignore comments are not looked at."""
        subjects = Subjects(
            tuple(self.scripts), tuple(self.plists), tuple(self.jobs), self.manifest, self.sources
        )
        found = run(subjects, self.context, selection)
        found = [
            one
            for one in found
            if not (one.code.startswith("S1") and one.place is not None and one.place.path in self.generated)
        ]
        known = frozenset(codes())
        found += [one for one in self.found if one.code not in known or selection.wants(one.code)]
        return list(map(self._with_line, found))

    def _with_line(self, one: Diagnostic) -> Diagnostic:
        if one.source_line is not None or one.place is None or one.place.path not in self.sources:
            return one
        from dataclasses import replace

        return replace(one, source_line=self.sources[one.place.path].line(one.place.line))


def files_in(path: str, disk: Disk) -> Iterator[str]:
    """The files in a folder, in any depth, sorted; hidden and foreign trees are left out."""
    waiting = [path.rstrip("/") or "/"]
    seen: set[str] = set()
    while waiting:
        folder = waiting.pop()
        real = disk.real_path(folder)
        if real in seen:
            continue
        seen.add(real)
        deeper = []
        for name in disk.names(folder):
            below = f"{folder.rstrip('/')}/{name}"
            if disk.names(below):
                if name not in SKIPPED:
                    deeper.append(below)
            else:
                yield below
        waiting += reversed(deeper)


def select_codes(words: Sequence[str]) -> tuple[str, ...]:
    """The codes in words such as `L,E001`."""
    return tuple(code for word in words for code in word.replace(",", " ").split())
