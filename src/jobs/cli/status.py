"""`jobs status`: one table of what is true."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from jobs.cli.installed import MANIFEST_HELP
from jobs.errors import Exit

if TYPE_CHECKING:
    from jobs.model.job import Manifest
    from jobs.status.snapshot import Known
    from jobs.system.launchctl import Launchctl

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl status            every job; exit 1 when manifest, files and launchd do not say the same
  jobsctl status backup     one job
  jobsctl status --json     for programs
"""


@app.command(epilog=EPILOG)
def status(
    names: list[str] = typer.Argument(None, metavar="[NAME]...", help="Jobs; default: all."),
    manifest: Path | None = typer.Option(None, "--manifest", help=MANIFEST_HELP),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Show state, last run, next slot, missed slots, guard, lock and drift of every job."""
    from jobs.cli.installed import check_names, print_json, site_of_manifest
    from jobs.status.gather import Reader, all_jobs
    from jobs.status.rows import make_row
    from jobs.status.table import record, table
    from jobs.system.clock import local_zone, now

    known = known_manifest(manifest)
    found = known.manifest
    check_names(names or [], [job.name for job in all_jobs(found)])
    moment, zone = now(), local_zone()
    reader = Reader(site_of_manifest(found), launchctl_or_none(), moment)
    facts = reader.facts(found, known.wanted, names or None)
    rows = [make_row(one, moment, zone) for one in facts]
    strangers = [] if names else reader.strangers(found)
    drifted = bool(strangers) or any(row.drift for row in rows)
    if as_json:
        print_json(
            {
                "jobs": [record(row) for row in rows],
                "not_in_manifest": strangers,
                "launchd": reader.domain_error,
            }
        )
        return Exit.FINDINGS if drifted else Exit.OK
    if reader.domain_error:
        print(f"launchd is not asked: {reader.domain_error}", file=sys.stderr)
    print("\n".join(table(rows, moment)))
    for name in strangers:
        print(f"drift: {name} is installed and no longer in the manifest: jobsctl install")
    return Exit.FINDINGS if drifted else Exit.OK


def known_manifest(option: Path | None) -> Known:
    """The manifest and the digests of its plists: from the snapshot of the last call when the file is the same.

    Raises UsageError, ManifestError.
    """
    from jobs.cli.manifest import find_manifest, require_manifest
    from jobs.install.site import running_person
    from jobs.status import snapshot

    path = find_manifest(option)
    place = snapshot.place(path, running_person().home)
    try:
        text = path.read_bytes()
    except OSError:
        text = b""
    known = snapshot.load(place, text) if text else None
    if known is None:
        manifest = require_manifest(path)
        known = snapshot.Known(manifest, wanted_digests(manifest))
        if text:
            snapshot.save(place, text, manifest, known.wanted)
    return known


def launchctl_or_none() -> Launchctl | None:
    """This machine's launchctl, or None where there is none: records can be read anywhere."""
    from jobs.errors import UsageError
    from jobs.system.launchctl import find

    try:
        return find()
    except UsageError:
        return None


def wanted_digests(manifest: Manifest) -> dict[str, str]:
    """Label → digest of the plist that the manifest gives."""
    from jobs.compile.plan import compile_manifest
    from jobs.install.wanted import wanted_jobs

    return {job.label: job.digest for job in wanted_jobs(manifest, compile_manifest(manifest))}
