"""`jobs disable`: switch jobs off for good."""

from __future__ import annotations

from pathlib import Path

import typer

from jobs.cli.installed import MANIFEST_HELP, STATE_HELP

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Example:
  jobsctl disable backup     stays off over logins and installs, until `jobsctl enable backup`
"""


@app.command(epilog=EPILOG)
def disable(
    names: list[str] = typer.Argument(..., metavar="NAME...", help="Installed jobs."),
    manifest: Path | None = typer.Option(None, "--manifest", help=MANIFEST_HELP),
    state: Path | None = typer.Option(None, "--state", help=STATE_HELP),
    now: bool = typer.Option(False, "--now", help="Stop a running job instead of waiting for its end."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Switch jobs off until `jobsctl enable`: over logins, restarts and installs."""
    from jobs.cli.installed import switch_jobs
    from jobs.install.operation import Options
    from jobs.install.switch import disable as act

    return switch_jobs(names, manifest, state, Options(now=now), act, as_json=as_json)
