"""`jobs logs`: the log of a job."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from jobs.cli.installed import MANIFEST_HELP
from jobs.errors import Exit, MachineError

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl logs backup          the last 100 lines
  jobsctl logs backup -f       and what comes, until ^C
"""


@app.command(epilog=EPILOG)
def logs(
    name: str = typer.Argument(..., metavar="NAME", help="The job."),
    follow: bool = typer.Option(False, "--follow", "-f", help="Go on with what is appended."),
    count: int = typer.Option(100, "--lines", "-n", min=0, help="How many lines of the end."),
    manifest: Path | None = typer.Option(None, "--manifest", help=MANIFEST_HELP),
    as_json: bool = typer.Option(False, "--json", help="Print JSON: the path and the lines."),
) -> int:
    """Show the end of a job's log."""
    from jobs.cli.installed import check_names, print_json
    from jobs.cli.manifest import require_manifest
    from jobs.status.logs import follow as appended
    from jobs.status.logs import tail

    found = require_manifest(manifest)
    check_names([name], [job.name for job in found.jobs])
    job = found.job(name)
    path = Path(job.log if job is not None else "")
    try:
        coming = appended(path) if follow else None
        lines = tail(path, count)
    except OSError as error:
        raise MachineError(f"cannot read {path}: {error.strerror}") from error
    if as_json:
        print_json({"path": str(path), "lines": lines})
        return Exit.OK
    if not lines and not follow:
        print(f"{path} is empty or not there yet", file=sys.stderr)
    print("\n".join(lines), flush=True) if lines else None
    for text in coming or ():
        sys.stdout.write(text)
        sys.stdout.flush()
    return Exit.OK
