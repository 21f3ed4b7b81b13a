"""`jobs history`: the runs of a job."""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice
from pathlib import Path

import typer

from jobs.cli.installed import MANIFEST_HELP
from jobs.errors import Exit

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl history backup            the last 20 runs, newest first
  jobsctl history backup --all      with skipped and missed slots
  jobsctl history backup -n 100 --json
"""


@app.command(epilog=EPILOG)
def history(
    name: str = typer.Argument(..., metavar="NAME", help="The job."),
    count: int = typer.Option(20, "--count", "-n", min=1, help="How many entries."),
    everything: bool = typer.Option(False, "--all", help="Also what was skipped or missed."),
    manifest: Path | None = typer.Option(None, "--manifest", help=MANIFEST_HELP),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Show the runs of a job, newest first, with how they ended."""
    from jobs.cli.installed import check_names, print_json
    from jobs.cli.manifest import require_manifest
    from jobs.runtime.records import newest_first
    from jobs.status.history import history as entries

    found = require_manifest(manifest)
    check_names([name], [*(job.name for job in found.jobs), "catchup"])
    # A run is two records, and the lines between them can be skips: a bounded look back is enough.
    records = islice(newest_first(Path(found.project.state) / "runs" / f"{name}.jsonl"), count * 50)
    shown = list(islice(entries(records, skips=everything), count))
    if as_json:
        print_json(
            [
                {key: value for key, value in asdict(what).items() if value not in {None, ""}}
                for _, _, what in shown
            ]
        )
        return Exit.OK
    print("\n".join(line for _, line, _ in shown) or f"{name} has no records yet")
    return Exit.OK
