"""E106: paths on another volume."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, key
from jobs.lint.well_known_paths import VOLUME
from jobs.text import Place


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Each volume once, with the keys that name it; a watch on one is meant to wait for it."""
    seen: dict[str, tuple[Place, list[str]]] = {}
    for entry in job.root.entries:
        if entry.key in {"WatchPaths", "QueueDirectories", "KeepAlive"}:
            continue
        for value in entry.value.strings():
            found = VOLUME.search(job.literal(value) or "")
            if found is None:
                continue
            _place, keys = seen.setdefault(found.group(), (value.place, []))
            if entry.key not in keys:
                keys.append(entry.key)
    for volume, (place, keys) in seen.items():
        yield Finding(
            place,
            f"{volume} in {', '.join(keys)} is an external volume: needs a privacy right, may be absent",
            Fix(
                "keep the program and its log on the system volume, and test in the job that the volume can be read"
            ),
            Severity.INFO if job.is_true("StartOnMount") else None,
        )


RULE = Rule(
    code="E106",
    name="external-volume",
    title="A path on another volume",
    subject="plist",
    severity=Severity.WARNING,
    why="A volume may not be mounted yet at login, and launchd's jobs need a privacy right for it: the job hangs or ends with 78.",
    bad=job(key("WorkingDirectory", "/Volumes/Ext/data")),
    good=(
        job(key("WorkingDirectory", "/Users/kim/data")),
        job(key("WorkingDirectory", "/Volumes/Macintosh HD/data")),
    ),
    check=on_job(_check),
    exceptions="WatchPaths and QueueDirectories. With StartOnMount it is information.",
    sources=("launchd.plist(5), CAVEATS", "Apple Platform Security, removable volumes"),
    example_path=AGENT_PATH,
)
