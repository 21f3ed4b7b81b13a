"""`jobs enable`: switch jobs on again."""

from __future__ import annotations

from pathlib import Path

import typer

from jobs.cli.installed import MANIFEST_HELP, STATE_HELP

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Example:
  jobsctl enable backup     also lifts an override that somebody else set
"""


@app.command(epilog=EPILOG)
def enable(
    names: list[str] = typer.Argument(..., metavar="NAME...", help="Installed jobs."),
    manifest: Path | None = typer.Option(None, "--manifest", help=MANIFEST_HELP),
    state: Path | None = typer.Option(None, "--state", help=STATE_HELP),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Switch jobs on again and load them."""
    from jobs.cli.installed import switch_jobs
    from jobs.install.operation import Options
    from jobs.install.switch import enable as act

    return switch_jobs(names, manifest, state, Options(), act, as_json=as_json)
