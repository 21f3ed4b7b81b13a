"""Linting many files with all processors: contiguous shares, one process each, and one result.

The result is that of one process: a file belongs to the first share that comes upon it, as it would belong to the
first caller there. A share whose process fails is done here instead.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jobs.lint.collect import SCRIPT_NAMES, Collection
from jobs.lint.engine import Selection
from jobs.lint.rule import Context

if TYPE_CHECKING:
    from jobs.diagnostics import Diagnostic
    from jobs.lint.rule import Disk
    from jobs.lint.suppress import Ignore
    from jobs.text import SourceFile

WORTH_BYTES = 250_000  # of scripts and plists: less is done before another Python has started
MOST_PROCESSES = 8


@dataclass(frozen=True, slots=True)
class Result:
    """What a share gives back. `real` are the true paths of the files that it looked at, by the names it used."""

    found: list[Diagnostic]
    ignores: list[Ignore]
    sources: dict[str, SourceFile]  # of the files with findings or ignore comments
    real: dict[str, str]
    seen: frozenset[str]
    refused: list[str]


@dataclass(slots=True)
class Share:
    """A share in a process of its own."""

    files: list[str]
    follow: bool
    selection: Selection
    process: subprocess.Popen[bytes]

    def result(self, disk: Disk) -> Result:
        """The share's result, when its process is done."""
        output, _errors = self.process.communicate()
        if self.process.returncode == 0:
            found: Result = pickle.loads(output)  # noqa: S301 - from our own process
            return found
        return lint_share(self.files, disk, self.selection, follow=self.follow)

    def stop(self) -> None:
        """End the process, if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


def split(files: Sequence[str], disk: Disk) -> list[list[str]]:
    """The files in contiguous shares of about the same size: one when more do not pay."""
    sizes = [_weight(path, disk) for path in files]
    total = sum(sizes)
    shares = min(_processors(), MOST_PROCESSES, total // WORTH_BYTES + 1)
    if shares < 2:
        return [list(files)]
    found: list[list[str]] = [[]]
    done = 0
    for path, size in zip(files, sizes, strict=True):
        if done >= total * len(found) / shares and len(found) < shares:
            found.append([])
        found[-1].append(path)
        done += size
    return found


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _weight(path: str, disk: Disk) -> int:
    """A file's size, if it is one that is read."""
    if not path.endswith((*SCRIPT_NAMES, ".plist")) and (disk.head(path) or b"")[:2] != b"#!":
        return 0
    try:
        return min(Path(path).stat().st_size, 1_000_000)
    except (OSError, ValueError):
        return 0


def start(files: list[str], selection: Selection, *, follow: bool) -> Share:
    """Begin a share."""
    top = str(Path(__file__).resolve().parents[2])
    known = os.environ.get("PYTHONPATH")
    process = subprocess.Popen(
        [sys.executable, "-c", "from jobs.cli.lint_many import work; work()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": f"{top}{os.pathsep}{known}" if known else top},
    )
    order = {
        "files": files,
        "follow": follow,
        "select": selection.select,
        "ignore": selection.ignore,
    }
    if process.stdin is not None:
        try:
            process.stdin.write(json.dumps(order).encode())
            process.stdin.close()
        except BrokenPipeError:
            pass  # it is gone: its share is done here
        process.stdin = None
    return Share(files, follow, selection, process)


def work() -> None:
    """Do the share that stands on standard input; its result goes to standard output."""
    from jobs.system.disk import RealDisk

    order = json.loads(sys.stdin.buffer.read())
    selection = Selection(tuple(order["select"]), tuple(order["ignore"]))
    found = lint_share(order["files"], RealDisk(), selection, follow=order["follow"])
    sys.stdout.buffer.write(pickle.dumps(found))


def lint_share(files: Sequence[str], disk: Disk, selection: Selection, *, follow: bool) -> Result:
    """The result of a share, done in this process."""
    collection = Collection(disk, Context(disk), follow)
    refused = [path for path in files if not collection.add_file(path)]
    found = collection.raw_findings(selection)
    paths = {one.place.path for one in found if one.place is not None}
    paths |= {one.path for one in collection.ignores}  # an ignore comment can become a finding
    return Result(
        found,
        collection.ignores,
        {path: source for path, source in collection.sources.items() if path in paths},
        {path: disk.real_path(path) for path in collection.sources},
        frozenset(collection.seen),
        refused,
    )


def join(collection: Collection, result: Result) -> None:
    """Add a share's result, without the files that are there already."""
    before = frozenset(collection.seen)

    def is_new(path: str) -> bool:
        return result.real.get(path, path) not in before

    collection.elsewhere += [one for one in result.found if one.place is None or is_new(one.place.path)]
    collection.ignores += [one for one in result.ignores if is_new(one.path)]
    collection.sources |= {
        path: source
        for path, source in result.sources.items()
        if is_new(path) and path not in collection.sources
    }
    collection.seen |= result.seen
