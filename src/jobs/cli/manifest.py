"""Finding the manifest, and stopping when it cannot be used."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from jobs.errors import ManifestError

if TYPE_CHECKING:
    from jobs.model.job import Manifest

NAME = "jobs.toml"
VARIABLE = "JOBS_MANIFEST"
OPTION_HELP = f"The manifest (default: ${VARIABLE}, or {NAME} in the current folder)."


def find_manifest(path: Path | None = None) -> Path:
    """The manifest's path: as given, or from the environment, or jobs.toml here. Raises ManifestError if it is not there."""
    named = os.environ.get(VARIABLE)
    chosen = path or Path(named or NAME)
    if chosen.is_dir():
        chosen = chosen / NAME
    if chosen.is_file():
        return chosen
    if path is None and not named:
        raise ManifestError(
            f"there is no {NAME} in {Path.cwd()}: name one with --manifest, or write one with `jobsctl init`"
        )
    origin = "" if path is not None else f" (from {VARIABLE})"
    raise ManifestError(f"there is no manifest {chosen}{origin}")


def require_manifest(path: Path | None = None) -> Manifest:
    """The manifest, found as `find_manifest` does. Raises ManifestError with every error that it has."""
    from jobs.decode import load

    found = find_manifest(path)
    loaded = load(found)
    if loaded.manifest is None:
        count = len(loaded.diagnostics)
        raise ManifestError(f"{found} has {count} error{'' if count == 1 else 's'}", loaded.diagnostics)
    return loaded.manifest
