"""Going back to a set that was installed before: its generated files, then its jobs."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from jobs.compile.changes import Change, plan_changes
from jobs.errors import UsageError
from jobs.install.receipt import Archive, StoredSet
from jobs.install.wanted import digest
from jobs.system.output import known_hashes, one_build_at_a_time, read_output, write_output

LEFT = frozenset({"refused", "kept"})


def earlier_sets(sets: Sequence[StoredSet], installed: int) -> tuple[StoredSet, ...]:
    """The sets before the installed one, newest first: the first is one step back."""
    return tuple(sorted((one for one in sets if one.number < installed), key=lambda one: -one.number))


def pick(sets: Sequence[StoredSet], installed: int, steps: int) -> StoredSet:
    """The set that lies `steps` back. Raises UsageError."""
    earlier = earlier_sets(sets, installed)
    if not earlier:
        raise UsageError("there is nothing to go back to: no earlier set is stored")
    if not 1 <= steps <= len(earlier):
        raise UsageError(f"there are {len(earlier)} earlier sets; `jobsctl rollback --list` shows them")
    return earlier[steps - 1]


def restore_files(output: Path, files: Mapping[str, bytes], archive: Archive) -> tuple[Change, ...]:
    """Make the output folder hold the files of a set; what could not be replaced because somebody else wrote it.

    A file is replaced or deleted only when this tool wrote it: its content is stored, or the lock file of the folder
    names its hash. Raises MachineError.
    """
    with one_build_at_a_time(output):
        known: dict[str, set[str]] = {}
        with contextlib.suppress(ValueError):
            known = known_hashes(output)
        found = read_output(output, {**files, **known})
        for path, entry in found.items():
            sha = digest(entry.data)
            if entry.what == "file" and archive.knows(sha):
                known.setdefault(path, set()).add(sha)
        changes = plan_changes(files, found, known)
        write_output(output, files, [change for change in changes if change.word not in LEFT])
    return tuple(change for change in changes if change.word in LEFT)
