"""`jobs why`: what happened at the last slot."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import typer

from jobs.cli.installed import MANIFEST_HELP
from jobs.errors import Exit

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Example:
  jobsctl why backup     one paragraph: the last slot, what came of it, and why
"""
RECORDS = 2000


@app.command(epilog=EPILOG)
def why(
    name: str = typer.Argument(..., metavar="NAME", help="The job."),
    manifest: Path | None = typer.Option(None, "--manifest", help=MANIFEST_HELP),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Tell in one paragraph what happened at a job's last slot, and why."""
    from jobs.cli.installed import check_names, print_json, site_of_manifest
    from jobs.cli.manifest import require_manifest
    from jobs.cli.status import launchctl_or_none, wanted_digests
    from jobs.runtime.records import newest_first
    from jobs.status.gather import Reader
    from jobs.status.rows import make_row
    from jobs.status.table import record
    from jobs.status.why import why as paragraph
    from jobs.system.clock import local_zone, now

    found = require_manifest(manifest)
    check_names([name], [job.name for job in found.jobs])
    moment, zone = now(), local_zone()
    (facts,) = Reader(site_of_manifest(found), launchctl_or_none(), moment).facts(
        found, wanted_digests(found), [name]
    )
    records = list(islice(newest_first(Path(found.project.state) / "runs" / f"{name}.jsonl"), RECORDS))
    text = paragraph(facts, records, _log_end(Path(facts.job.log)), moment, zone)
    print_json({"why": text} | record(make_row(facts, moment, zone))) if as_json else print(text)
    return Exit.OK


def _log_end(path: Path) -> list[str]:
    from jobs.status.logs import tail

    try:
        return tail(path, 20)
    except OSError:
        return []
