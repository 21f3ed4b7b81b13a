"""What is there: the files in launchd's folder, what launchd has loaded, which overrides stand."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from jobs.system.launchctl import Launchctl
from jobs.system.launchd_answers import Service

FileKind = Literal["absent", "file", "symlink", "other"]


@dataclass(frozen=True, slots=True)
class Actual:
    """One label as it is. `data` is the file's content where it is a regular file that can be read."""

    kind: FileKind = "absent"
    data: bytes | None = None
    sound: bool = True  # mode and owner are such that launchd takes the file
    service: Service | None = None
    disabled: bool | None = None  # None: no override
    link: str | None = None  # where a symlink leads


def read_file(path: Path) -> Actual:
    """The file's part of `Actual`. Raises OSError for what cannot be looked at."""
    try:
        found = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return Actual()
    if stat.S_ISLNK(found.st_mode):
        return Actual("symlink", link=str(path.readlink()))
    if not stat.S_ISREG(found.st_mode):
        return Actual("other")
    sound = not found.st_mode & 0o022 and found.st_uid in {0, os.getuid()} and bool(found.st_mode & 0o400)
    try:
        return Actual("file", path.read_bytes(), sound)
    except PermissionError:
        return Actual("file", None, sound=False)


def read_actual(
    launchctl: Launchctl, places: Iterable[tuple[str, str, Path]]
) -> Mapping[tuple[str, str], Actual]:
    """(domain, label) → what is there, for places of domain, label and plist path.

    Raises NoSessionError, MachineError, OSError.
    """
    places = list(places)
    overrides = {domain: launchctl.disabled(domain) for domain in sorted({domain for domain, _, _ in places})}
    found = {}
    for domain, label, path in places:
        file = read_file(path)
        service = launchctl.service(f"{domain}/{label}")
        found[domain, label] = replace(file, service=service, disabled=overrides[domain].get(label))
    return found
