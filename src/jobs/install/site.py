"""Where a project is installed: launchd's domain, the folder of the plists, the state folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jobs.errors import UsageError
from jobs.model.job import Project


@dataclass(frozen=True, slots=True)
class Site:
    """The places of one project on this machine. `domain` is a target prefix: `gui/501`, `user/501`, `system`."""

    project: str
    prefix: str
    domain: str
    folder: Path  # where launchd looks for plists at login or boot
    state: Path
    logs: Path
    output: Path  # the generated files that the plists point to

    def target(self, label: str) -> str:
        """The name that launchd has for a job. Raises ValueError for an empty label: that target would be the whole domain."""
        if not label:
            raise ValueError("an empty label names the whole domain")
        return f"{self.domain}/{label}"

    def plist(self, label: str) -> Path:
        """Where the job's plist is installed."""
        return self.folder / f"{label}.plist"


@dataclass(frozen=True, slots=True)
class Person:
    """Who runs the program."""

    uid: int
    home: str
    home_owner: int | None  # None: the folder is not there
    sudo_uid: int | None = None


def running_person(environment: Mapping[str, str] | None = None) -> Person:
    """The user of this process: HOME, or without it the home of the user database."""
    environment = os.environ if environment is None else environment
    uid = os.getuid()
    home = environment.get("HOME") or _database_home(uid)
    try:
        owner: int | None = Path(home).stat().st_uid
    except OSError:
        owner = None
    sudo = environment.get("SUDO_UID", "")
    return Person(uid, home, owner, int(sudo) if sudo.isdigit() else None)


def _database_home(uid: int) -> str:
    import pwd

    try:
        return pwd.getpwuid(uid).pw_dir
    except KeyError:
        return "/"


def site_of(project: Project, person: Person) -> Site:
    """The places of a project. Raises UsageError when this user cannot be the one who runs its jobs."""
    state, logs, output = Path(project.state), Path(project.logs), Path(project.output_dir)
    if project.domain == "system":
        if person.uid != 0:
            raise UsageError('domain = "system" is root\'s: run it with sudo')
        return Site(
            project.name, project.prefix, "system", Path("/Library/LaunchDaemons"), state, logs, output
        )
    if person.uid == 0 and (person.sudo_uid or (person.home_owner or 0) != 0):
        raise UsageError(
            f"this runs as root, but the jobs belong to {project.user}: {project.domain}/0 is not their session; "
            "run it without sudo"
        )
    if os.path.realpath(project.home) != os.path.realpath(person.home):
        raise UsageError(
            f"the manifest is for the home {project.home}, and yours is {person.home}: "
            "install as that user, or change project.home"
        )
    folder = Path(project.home) / "Library" / "LaunchAgents"
    return Site(project.name, project.prefix, f"{project.domain}/{person.uid}", folder, state, logs, output)
