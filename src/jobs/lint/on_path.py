"""Whether a program can be found on a list of folders, as far as that can be told from here."""

from __future__ import annotations

from collections.abc import Sequence

from jobs.lint.plist_job import STANDARD_PATH
from jobs.lint.rule import Disk
from jobs.model.macos_programs import STANDARD_PROGRAMS


def missing_on(name: str, path: Sequence[str], disk: Disk) -> bool:
    """Whether no folder of `path` holds the program, for sure.

    The folders of macOS are known by a table. Others count as holding it unless they are here and do not.
    """
    for folder in (part.rstrip("/") or "/" for part in path):
        if folder in STANDARD_PATH:
            if STANDARD_PROGRAMS.get(name, "").startswith(f"{folder}/") or name in STANDARD_PROGRAMS:
                return False
        elif not folder.startswith("/") or disk.exists(f"{folder}/{name}") or not disk.names(folder):
            return False
    return True
