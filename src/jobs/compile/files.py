"""jobs.lock.json: what was generated, with hashes. It is how the tool knows its own files again.

One line a file, so that a diff or a merge in git shows the files that changed and no others. It names no version of
this tool and no date: the same manifest gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from jobs.compile.naming import is_generated_path, mode_of

VERSION = 1

Kind = Literal["plist", "wrapper", "library"]


@dataclass(frozen=True, slots=True)
class Generated:
    """One generated file. `job` and `label` are empty for the shared library."""

    path: str
    data: bytes
    kind: Kind
    job: str = ""
    label: str = ""
    enabled: bool = True


def digest(data: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()


def lock_bytes(project: str, prefix: str, files: Iterable[Generated]) -> bytes:
    """The lock file for these files."""
    rows = []
    for file in sorted(files, key=lambda file: file.path):
        entry: dict[str, Any] = {"kind": file.kind}
        if file.job:
            entry |= {"job": file.job, "label": file.label}
        if not file.enabled:
            entry["enabled"] = False
        entry |= {"mode": f"{mode_of(file.path):04o}", "sha256": digest(file.data)}
        rows.append(f"    {json.dumps(file.path)}: {json.dumps(entry)}")
    head = f'{{\n  "version": {VERSION},\n  "project": {json.dumps(project)},\n  "prefix": {json.dumps(prefix)},\n'
    return (head + '  "files": {\n' + ",\n".join(rows) + "\n  }\n}\n").encode()


def read_lock(data: bytes) -> Mapping[str, str]:
    """Path → SHA-256 of what a lock file says was generated. Raises ValueError for a damaged one."""
    found = json.loads(data)
    if (
        not isinstance(found, dict)
        or found.get("version") != VERSION
        or not isinstance(found.get("files"), dict)
    ):
        raise ValueError(f"no lock file of version {VERSION}")
    hashes = {}
    for path, entry in found["files"].items():
        # A lock file that names anything outside the three folders would make prune delete it.
        if (
            not is_generated_path(path)
            or not isinstance(entry, dict)
            or not isinstance(entry.get("sha256"), str)
        ):
            raise ValueError(f"a bad entry: {path!r}")
        hashes[path] = entry["sha256"]
    return hashes
