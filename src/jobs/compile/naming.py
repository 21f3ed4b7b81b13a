"""Where each generated file goes, and what it is called. Paths are relative to the output folder."""

from __future__ import annotations

from jobs.model.job import Project

LOCK_FILE = "jobs.lock.json"
FOLDERS = ("bin", "launchd", "lib")
CATCHUP = "catchup"


def plist_path(label: str) -> str:
    """The path of a job's plist; launchd wants file name and Label to agree."""
    return f"launchd/{label}.plist"


def wrapper_path(name: str) -> str:
    """The path of a job's wrapper: its last part is what Login Items shows."""
    return f"bin/{name}"


def program(project: Project, name: str) -> str:
    """The absolute path of a wrapper on the Mac that runs the jobs."""
    return f"{project.output_dir}/{wrapper_path(name)}"


def catchup_label(project: Project) -> str:
    """The label of the catch-up job."""
    return f"{project.prefix}.{CATCHUP}"


def mode_of(path: str) -> int:
    """The mode of a generated file. launchd refuses a plist that others may write (basecamp/pow#40)."""
    return 0o755 if path.startswith("bin/") else 0o644


def is_generated_path(path: str) -> bool:
    """Whether a path can be one of ours: a plain name in one of FOLDERS. What a lock file says is checked by this."""
    folder, slash, name = path.partition("/")
    return bool(slash) and folder in FOLDERS and bool(name) and "/" not in name and name not in {".", ".."}
