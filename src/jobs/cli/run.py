"""`jobs run NAME`: one job, now, as launchd would start it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from jobs.errors import MachineError, UsageError

if TYPE_CHECKING:
    from jobs.model.job import Job, Manifest

app = typer.Typer(add_completion=False, rich_markup_mode=None)

PRIVATE = ".jobs-here"

EPILOG = """\b
Examples:
  jobsctl run note-post           under the lock, the guard and the once rule, as at its time
  jobsctl run note-post --force   even if it has run today, or its guard is open; never beside a running one
  jobsctl run note-post --here    on a machine that is not the manifest's Mac

The exit status is the job's; 75 quota, 124 time-out, 143 stopped, and 0 also for a run that was skipped.
"""


@app.command(
    epilog=EPILOG,
    help="Run one job now as launchd would: with the bare environment, from /, in a session of its own. Shows its log "
    "while it runs; ^C stops it the way launchd does.",
)
def run(
    name: str = typer.Argument(metavar="NAME", help="The job's name in the manifest."),
    manifest: Path | None = typer.Option(
        None, help="The manifest. Default: jobs.toml, here or in a folder above."
    ),
    force: bool = typer.Option(False, "--force", help="Pass over the guard and over what has run already."),
    here: bool = typer.Option(
        False, "--here", help="Put the manifest's folder for its root and your home for its home."
    ),
    state: Path | None = typer.Option(
        None,
        help=f"With --here: the folder for logs, state and files. Default: {PRIVATE} beside the manifest.",
    ),
) -> int:
    """The exit status of the wrapper."""
    from jobs.cli.manifest import require_manifest

    loaded = require_manifest(manifest)
    if state is not None and not here:
        raise UsageError("--state is for --here: otherwise the manifest says where the state is")
    job = _job(loaded, name)
    if here:
        loaded = _build_here(loaded, state)
        job = _job(loaded, name)
    else:
        _require_build(loaded, job)
    return _start(loaded, job, force)


def _job(manifest: Manifest, name: str) -> Job:
    job = manifest.job(name)
    if job is not None:
        return job
    from difflib import get_close_matches

    names = [job.name for job in manifest.jobs]
    near = get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"its jobs are {', '.join(names)}"
    raise UsageError(f"{manifest.path} has no job {name!r}: {hint}")


def _require_build(manifest: Manifest, job: Job) -> None:
    """Raise UsageError when what launchd would start here is not what the manifest says."""
    from jobs.compile.naming import mode_of
    from jobs.compile.plan import compile_job
    from jobs.compile.wrapper import library_files
    from jobs.system.output import read_output

    project = manifest.project
    if not Path(project.root).is_dir():
        raise UsageError(
            f"the manifest's root, {project.root}, is not on this machine: to try the job here all the same, "
            f"`jobsctl run {job.name} --here`"
        )
    files = {file.path: file.data for file in compile_job(manifest, job)} | library_files()
    found = read_output(Path(project.output_dir), files)
    for path, data in files.items():
        was = found.get(path)
        if was is None:
            raise UsageError(f"{project.output_dir}/{path} is not there yet: run `jobsctl build` first")
        if was.data != data or (mode_of(path) ^ was.mode) & 0o100:
            raise UsageError(f"{project.output_dir}/{path} is stale: run `jobsctl build` first")


def _build_here(manifest: Manifest, state: Path | None) -> Manifest:
    """The manifest moved to this machine, with its files built in a private folder that git ignores."""
    import os
    import pwd

    from jobs.compile.plan import compile_manifest
    from jobs.compile.relocate import relocate
    from jobs.install.operation import write_tool
    from jobs.system.files import make_folder, write_atomic
    from jobs.system.output import replace_output

    root = Path(manifest.path).absolute().parent
    private = state.absolute() if state is not None else root / PRIVATE
    user = pwd.getpwuid(os.getuid())
    moved = relocate(
        manifest,
        root=str(root),
        home=os.environ.get("HOME") or user.pw_dir,
        user=user.pw_name,
        private=str(private),
    )
    try:
        make_folder(private / "state", 0o700)
        write_atomic(private / ".gitignore", b"*\n", 0o644)
        write_tool(private / "state")  # who judges the output of a guarded job
    except OSError as error:
        raise MachineError(f"cannot write to {private}: {error.strerror}") from error
    replace_output(private / "generated", compile_manifest(moved))
    return moved


def _start(manifest: Manifest, job: Job, force: bool) -> int:
    from jobs.compile.naming import program
    from jobs.compile.plist import environment
    from jobs.system.process import launchd_environment, run_followed

    own = environment(manifest.project, job.env) | {"JOBS_TRIGGER": "manual"}
    if force:
        own["JOBS_FORCE"] = "1"
    sys.stdout.flush()
    status = run_followed(
        Path(program(manifest.project, job.name)),
        launchd_environment(job.label, own),
        Path(job.log),
        sys.stdout.buffer,
    )
    print(f"{job.name}: exit status {status}; log: {job.log}", file=sys.stderr)
    return status
