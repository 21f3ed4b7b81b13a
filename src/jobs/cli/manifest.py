"""Finding the manifest, and stopping with all its mistakes when it cannot be used."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from jobs.errors import ManifestError, UsageError

if TYPE_CHECKING:
    from jobs.model.job import Manifest

FILE_NAME = "jobs.toml"
VARIABLE = "JOBS_MANIFEST"


def find_manifest(given: Path | None) -> Path:
    """The manifest to use: the one given, else JOBS_MANIFEST, else jobs.toml here or in a folder above.

    Raises UsageError when there is none.
    """
    if given is not None:
        return given / FILE_NAME if given.is_dir() else given
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / FILE_NAME).is_file():
            # Relative where it can be: messages name the file as the user would.
            return Path(FILE_NAME) if folder == here else folder / FILE_NAME
    raise UsageError(
        f"there is no {FILE_NAME} here or above: `jobsctl init` writes one, --manifest FILE names another"
    )


def require_manifest(given: Path | None) -> Manifest:
    """The manifest, read and decoded. Raises UsageError without a file, ManifestError with all mistakes of a bad one."""
    from jobs.decode import load

    path = find_manifest(given)
    loaded = load(path)
    if loaded.manifest is None:
        count = len(loaded.diagnostics)
        raise ManifestError(f"{path} has {count} mistake{'s' if count != 1 else ''}", loaded.diagnostics)
    return loaded.manifest
