"""`jobs restart`: stop jobs and start them again."""

from __future__ import annotations

from pathlib import Path

import typer

from jobs.cli.installed import MANIFEST_HELP, STATE_HELP

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Example:
  jobsctl restart server     a job on a schedule is run now by `jobsctl run`, not by this
"""


@app.command(epilog=EPILOG)
def restart(
    names: list[str] = typer.Argument(..., metavar="NAME...", help="Installed jobs."),
    manifest: Path | None = typer.Option(None, "--manifest", help=MANIFEST_HELP),
    state: Path | None = typer.Option(None, "--state", help=STATE_HELP),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Stop jobs where they run and start them again."""
    from jobs.cli.installed import switch_jobs
    from jobs.install.operation import Options
    from jobs.install.switch import restart as act

    return switch_jobs(names, manifest, state, Options(), act, as_json=as_json)
