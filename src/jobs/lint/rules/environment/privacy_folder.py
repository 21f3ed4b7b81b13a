"""E105: folders that need a privacy right."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, key
from jobs.lint.well_known_paths import PRIVATE
from jobs.text import Place


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Each protected folder once, with the keys that name it."""
    seen: dict[str, tuple[Place, list[str]]] = {}
    for entry in job.root.entries:
        if entry.key in {"AssociatedBundleIdentifiers", "Label"}:
            continue
        for value in entry.value.strings():
            for found in PRIVATE.finditer(value.text or ""):
                _place, keys = seen.setdefault(found.group("folder"), (value.place, []))
                if entry.key not in keys:
                    keys.append(entry.key)
    for folder, (place, keys) in seen.items():
        first = job.executable or "the first program"
        yield Finding(
            place,
            f"{folder} in {', '.join(keys)}: {first} needs a privacy right to read it, and no window asks for one",
            Fix(f"move it out of {folder}, or give {first} Full Disk Access"),
        )


RULE = Rule(
    code="E105",
    name="privacy-folder",
    title="A folder that needs a privacy right",
    subject="plist",
    severity=Severity.WARNING,
    why=(
        "macOS guards Documents, Desktop, Downloads, iCloud Drive and cloud folders. A job of launchd has no app that could ask: it "
        "reads 'Operation not permitted', or ends with 126 or 78. From a terminal it works."
    ),
    bad=job(key("WorkingDirectory", "/Users/kim/Documents/work")),
    good=(
        job(key("WorkingDirectory", "/Users/kim/work")),
        job(key("WorkingDirectory", "/usr/local/Documents")),
        job(key("WorkingDirectory", "/Users/kim/Dropbox/in")),
    ),
    check=on_job(_check),
    exceptions="Folders of the same names elsewhere.",
    sources=("launchd.plist(5), CAVEATS", "Apple Platform Security, controlling app access to files"),
    example_path=AGENT_PATH,
)
