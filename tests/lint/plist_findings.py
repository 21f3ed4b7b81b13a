"""Run the rules on property lists over a text, with a disk that holds what the test says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jobs.diagnostics import Diagnostic
from jobs.lint.engine import Subjects, run
from jobs.lint.rule import Context
from jobs.lint.sample import AGENT_PATH
from jobs.read.plist import parse_plist


@dataclass(frozen=True)
class FakeDisk:
    """A disk of named files with modes and owners; everything else is not there."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    modes: Mapping[str, int] = field(default_factory=dict)
    owners: Mapping[str, int] = field(default_factory=dict)

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def head(self, path: str) -> bytes | None:
        return None if path not in self.files else self.files[path][:4096]

    def exists(self, path: str) -> bool:
        return path in self.files

    def real_path(self, path: str) -> str:
        return path

    def mode(self, path: str) -> int | None:
        return self.modes.get(path)

    def owner(self, path: str) -> int | None:
        return self.owners.get(path)

    def names(self, folder: str) -> tuple[str, ...]:
        front = folder.rstrip("/") + "/"
        return tuple(
            sorted({path[len(front) :].partition("/")[0] for path in self.files if path.startswith(front)})
        )


def findings(
    content: str | bytes, *, path: str = AGENT_PATH, disk: FakeDisk | None = None
) -> list[Diagnostic]:
    """The findings of every rule on property lists."""
    data = content.encode() if isinstance(content, str) else content
    file = parse_plist(data, path)
    context = Context(FakeDisk() if disk is None else disk)
    return run(Subjects(plists=(file,), sources={path: file.source}), context)


def codes(content: str | bytes, *, path: str = AGENT_PATH, disk: FakeDisk | None = None) -> list[str]:
    """The codes of the findings, sorted, one for each finding."""
    return sorted(one.code for one in findings(content, path=path, disk=disk))
