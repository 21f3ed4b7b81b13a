"""`jobs add`: one more job in an existing manifest."""

from __future__ import annotations

from codecs import BOM_UTF8
from pathlib import Path
from typing import Annotated, Any

import typer

from jobs.errors import Exit, ManifestError, UsageError

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl add digest --run scripts/digest.sh --at "mon-fri 07:00" --guard claude
  jobsctl add sales --cron "*/15 9-17 * * 1-5" -- bin/sales --totals
"""


@app.command(epilog=EPILOG)
def add(
    name: Annotated[str, typer.Argument(help="Name of the job.")],
    command: Annotated[list[str] | None, typer.Argument(help="Program and arguments, behind `--`.")] = None,
    run: Annotated[
        str | None, typer.Option(help="A line for /bin/sh -c, instead of a command behind `--`.")
    ] = None,
    at: Annotated[
        list[str] | None, typer.Option(help='A time, such as "mon-fri 18:30"; may be repeated.')
    ] = None,
    cron: Annotated[str | None, typer.Option(help="Times in cron's form.")] = None,
    every: Annotated[str | None, typer.Option(help='An interval, such as "30m".')] = None,
    guard: Annotated[str | None, typer.Option(help="The breaker to ask.")] = None,
    once: Annotated[
        str | None, typer.Option(help="At most one run per slot, hour, day, week or month.")
    ] = None,
    timeout: Annotated[str | None, typer.Option(help='A time limit, such as "45m".')] = None,
    about: Annotated[str | None, typer.Option(help="What the job is for.")] = None,
    manifest: Annotated[
        Path | None, typer.Option(help="The manifest. Default: jobs.toml here or above.")
    ] = None,
) -> int:
    """Add a job to jobs.toml. Comments, blank lines and line ends of the file stay as they are."""
    from jobs.cli.manifest import find_manifest
    from jobs.decode import load, load_text
    from jobs.manifest_text import with_job
    from jobs.system.files import write_atomic
    from jobs.text import SourceFile

    if (run is None) == (not command):
        raise UsageError("say what to run, once: --run 'LINE', or a command behind `--`")
    path = find_manifest(manifest)
    loaded = load(path)
    if loaded.manifest is None:
        raise ManifestError(f"{path} has mistakes already: mend them first", loaded.diagnostics)
    if loaded.manifest.job(name) is not None:
        raise UsageError(f"{path} has a job {name} already: edit it there")
    keys: dict[str, Any] = {
        "about": about,
        "run": command or run,
        "at": at[0] if at and len(at) == 1 else at,
        "cron": cron,
        "every": every,
        "guard": guard,
        "once": once,
        "timeout": timeout,
    }
    text = with_job(loaded.source.text, name, {key: value for key, value in keys.items() if value})
    result = load_text(SourceFile(str(path), text))
    if result.manifest is None:
        raise ManifestError("the job was not added", result.diagnostics)
    try:
        # The source's text has no byte order mark; a file that has one keeps it.
        with path.open("rb") as stream:
            mark = BOM_UTF8 if stream.read(3) == BOM_UTF8 else b""
        write_atomic(path.resolve(), mark + text.encode(), path.stat().st_mode & 0o7777)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    print(f"added {name} to {path}; next: `jobsctl build`")
    return Exit.OK
