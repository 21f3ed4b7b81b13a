"""P112: a list that belongs to somebody else."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import is_launchd
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import DAEMON_PATH, job
from jobs.read.plist_value import PlistFile
from jobs.text import Place


def _check(file: PlistFile, context: Context) -> Iterator[Finding]:
    """An owner that launchd does not trust for the folder."""
    owner = context.disk.owner(file.path)
    if owner is None or not is_launchd(file):
        return
    user = re.match(r"(/Users/[^/]+)/Library/LaunchAgents/", file.path)
    place = Place(file.path, 1, 1, 1, 1)
    if re.match(r"/(?:System/)?Library/Launch(?:Agents|Daemons)/", file.path):
        if owner != 0:
            yield Finding(
                place,
                f"the file belongs to user {owner}, not to root; launchd refuses it",
                Fix(f"sudo chown root:wheel {file.path}"),
            )
    elif user:
        home = context.disk.owner(user.group(1))
        if home is not None and owner not in {home, 0}:
            yield Finding(
                place,
                f"the file belongs to user {owner}, its home to {home}; launchd refuses it",
                Fix(f"sudo chown {home} {file.path}"),
            )


RULE = Rule(
    code="P112",
    name="foreign-owner",
    title="The file belongs to somebody else",
    subject="plist",
    severity=Severity.ERROR,
    why="Lists in /Library must belong to root, those of a user to that user; launchd refuses others (error 122).",
    bad=job(),
    good=(),
    check=_check,
    sources=("launchd.plist(5), FILES", "launchd-842 launchctl.c, path_goodness_check"),
    example_path=DAEMON_PATH,
)
