"""The receipt: what was installed, with hashes; and the store of every content and set that ever was.

It lies under `state/install/`: `receipt.json`, `objects/SHA256` (contents), `sets/NNNN.json` (path → SHA256),
`kept/` (copies of files that were taken over). A content that stands in `objects` is one that this tool wrote: that,
and nothing in the file itself, is how it knows its own files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from jobs.errors import MachineError
from jobs.install.site import Site
from jobs.install.wanted import Wanted, digest
from jobs.system.files import make_folder, write_atomic

VERSION = 1
SETS_KEPT = 20


@dataclass(frozen=True, slots=True)
class Entry:
    """One installed job.

    `digest` is the plist that was installed, `pending` the one that an unfinished install was about to write.
    `seen` is what launchd told about the job right after it had loaded this plist.
    """

    name: str
    domain: str
    path: str
    digest: str
    pending: str = ""
    seen: str = ""
    held: bool = False  # switched off with `jobs disable`
    schedule: str = ""


@dataclass(slots=True)
class Receipt:
    """Label → entry. `number` is the stored set that is installed, 0 before the first.

    `site` is where the project was installed last, for the time when its manifest is gone.
    """

    jobs: dict[str, Entry] = field(default_factory=dict)
    number: int = 0
    site: Site | None = None

    def change(self, label: str, **changes: Any) -> None:
        """Replace some fields of an entry."""
        self.jobs[label] = replace(self.jobs[label], **changes)


@dataclass(frozen=True, slots=True)
class StoredSet:
    """A set of generated files that was installed once. `jobs` are its plists with what the manifest said of them."""

    number: int
    epoch: int
    files: Mapping[str, str]  # path under the output folder → SHA-256
    jobs: tuple[Mapping[str, Any], ...]  # Wanted without its data


def _read_site(found: Mapping[str, str] | None) -> Site | None:
    if found is None:
        return None
    folders = {key: Path(found[key]) for key in ("folder", "state", "logs", "output")}
    return Site(project=found["project"], prefix=found["prefix"], domain=found["domain"], **folders)


class Archive:
    """The folder `state/install`."""

    def __init__(self, state: Path) -> None:
        self.folder = state / "install"

    def make(self) -> None:
        """Make the folders. Raises OSError."""
        for name in ("objects", "sets"):
            make_folder(self.folder / name, 0o700)

    def receipt(self) -> Receipt:
        """The receipt; an empty one before the first install. Raises MachineError for one that cannot be read."""
        path = self.folder / "receipt.json"
        try:
            found = json.loads(path.read_bytes())
            if found["version"] != VERSION:
                raise MachineError(f"{path} was written by another version of jobs ({found['version']})")
            jobs = {label: Entry(**entry) for label, entry in found["jobs"].items()}
            return Receipt(jobs, int(found["set"]), _read_site(found.get("site")))
        except FileNotFoundError:
            return Receipt()
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise MachineError(
                f"{path} is damaged: move it away; the next install takes over the files that it wrote itself"
            ) from error

    def save(self, receipt: Receipt) -> None:
        """Write the receipt. Raises OSError."""
        jobs = {label: asdict(receipt.jobs[label]) for label in sorted(receipt.jobs)}
        site = {key: str(value) for key, value in asdict(receipt.site).items()} if receipt.site else None
        text = json.dumps({"version": VERSION, "set": receipt.number, "site": site, "jobs": jobs}, indent=1)
        write_atomic(self.folder / "receipt.json", text.encode() + b"\n", 0o600)

    def knows(self, sha: str) -> bool:
        """Whether this tool has written a content."""
        return bool(sha) and (self.folder / "objects" / sha).is_file()

    def keep(self, data: bytes) -> str:
        """Store a content; its SHA-256. Raises OSError."""
        sha = digest(data)
        path = self.folder / "objects" / sha
        if not path.is_file():
            # Not flushed, thousands of times: what a power cut damages no longer has its hash, and is not used then.
            write_atomic(path, data, 0o600, sync=False)
        return sha

    def content(self, sha: str) -> bytes | None:
        """A stored content, or None for one that is gone or damaged."""
        try:
            data = (self.folder / "objects" / sha).read_bytes() if sha else b""
        except FileNotFoundError:
            return None
        return data if digest(data) == sha else None

    def set_aside(self, label: str, data: bytes | None, link: str | None) -> Path:
        """Keep a copy of a foreign file or symlink that is about to be replaced; where it lies.

        Raises MachineError for what cannot be copied, OSError.
        """
        if data is None and link is None:
            raise MachineError("what is there cannot be read, so no copy can be kept: move it away yourself")
        path = (
            self.folder
            / "kept"
            / f"{label}.plist.{digest(data if data is not None else str(link).encode())[:12]}"
        )
        make_folder(path.parent, 0o700)
        if data is not None:
            write_atomic(path, data, 0o600)
        elif not path.is_symlink():
            path.symlink_to(str(link))
        return path

    def sets(self) -> tuple[StoredSet, ...]:
        """All stored sets, oldest first; a damaged one is left out."""
        found = []
        for path in sorted((self.folder / "sets").glob("*.json")):
            try:
                read = json.loads(path.read_bytes())
                found.append(StoredSet(read["number"], read["epoch"], read["files"], tuple(read["jobs"])))
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return tuple(found)

    def store_set(self, files: Mapping[str, bytes], jobs: tuple[Wanted, ...], epoch: int) -> int:
        """Store what is being installed, unless it equals the newest set; its number. Raises OSError."""
        hashes = {path: self.keep(files[path]) for path in sorted(files)}
        rows = tuple(
            {
                "label": job.label,
                "name": job.name,
                "enabled": job.enabled,
                "daemon": job.daemon,
                "schedule": job.schedule,
            }
            for job in jobs
        )
        sets = self.sets()
        same = next((old for old in reversed(sets) if dict(old.files) == hashes and old.jobs == rows), None)
        if same is not None and same is sets[-1]:
            return same.number
        number = sets[-1].number + 1 if sets else 1
        text = json.dumps({"number": number, "epoch": epoch, "files": hashes, "jobs": rows}, indent=1)
        write_atomic(self.folder / "sets" / f"{number:04}.json", text.encode() + b"\n", 0o600)
        for old in sets[: max(0, len(sets) + 1 - SETS_KEPT)]:
            (self.folder / "sets" / f"{old.number:04}.json").unlink(missing_ok=True)
        return number

    def load_set(self, stored: StoredSet) -> tuple[dict[str, bytes], tuple[Wanted, ...]]:
        """The files and jobs of a stored set. Raises MachineError when a content is gone."""
        files = {}
        for path, sha in stored.files.items():
            data = self.content(sha)
            if data is None:
                raise MachineError(f"set {stored.number} is not complete: the content of {path} is gone")
            files[path] = data
        jobs = tuple(Wanted(data=files[f"launchd/{row['label']}.plist"], **row) for row in stored.jobs)
        return files, jobs
