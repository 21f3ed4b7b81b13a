"""`jobs install`: make launchd run exactly what the manifest says."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from jobs.cli.installed import MANIFEST_HELP
from jobs.errors import Exit, MachineError, ManifestError

if TYPE_CHECKING:
    from jobs.install.action import Plan
    from jobs.install.apply import Result
    from jobs.model.job import Manifest

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl install --dry-run        the plan, with the very launchctl lines; nothing is changed
  jobsctl install                  what is unchanged is not touched
  jobsctl install --force backup   take over a plist that somebody else wrote, and keep a copy
"""


@app.command(epilog=EPILOG)
def install(
    manifest: Path | None = typer.Option(None, "--manifest", help=MANIFEST_HELP),
    dry_run: bool = typer.Option(
        False, "--dry-run", "-n", help="Print the plan and its launchctl lines only."
    ),
    now: bool = typer.Option(False, "--now", help="Stop running jobs instead of waiting for their end."),
    all_or_nothing: bool = typer.Option(False, "--all-or-nothing", help="If one job fails, put all back."),
    force: list[str] = typer.Option(
        [], "--force", metavar="NAME", help="Take over this job's foreign plist."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Load the manifest's jobs into launchd, and take out those that left it."""
    from jobs.cli.installed import (
        check_names,
        operation_on,
        print_json,
        site_of_manifest,
        told_when_interrupted,
    )
    from jobs.cli.manifest import find_manifest, require_manifest
    from jobs.compile.plan import compile_manifest
    from jobs.install.describe import plan_lines, records
    from jobs.install.operation import Options
    from jobs.install.wanted import wanted_jobs

    found = require_manifest(manifest)
    operation = operation_on(site_of_manifest(found), Options(force, now, all_or_nothing))
    files = compile_manifest(found)
    wanted = wanted_jobs(found, files)
    installed = [entry.name for entry in operation.receipt.jobs.values()]
    check_names(force, [*(job.name for job in wanted), *(job.label for job in wanted), *installed])
    _check_build(files, operation.site.output)
    _check_lint(find_manifest(manifest), found)
    if dry_run:
        plan = operation.plan(wanted)
        if as_json:
            print_json({"actions": records(plan, ())})
        else:
            print("\n".join(plan_lines(plan, commands=True) or ["nothing to do"]))
        return Exit.FINDINGS if plan.left else Exit.OK
    with operation.locked():
        plan = operation.plan(wanted)
        if not as_json:
            print("\n".join(plan_lines(plan, commands=False)), flush=True)
        with told_when_interrupted("install"):
            result = operation.install(plan, wanted, files, _folders(found))
    return _report(plan, result, as_json=as_json)


def _folders(manifest: Manifest) -> list[Path]:
    """The folders that launchd and the wrappers need; a missing log folder ends a job with 78 before it starts."""
    folders = {Path(manifest.project.logs), *(Path(job.log).parent for job in manifest.jobs if job.log)}
    return sorted(folders)


def _check_build(files: Mapping[str, bytes], output: Path) -> None:
    """Nothing, or MachineError when the generated files that the plists point to are not those of the manifest."""
    from jobs.compile.changes import is_stale, plan_changes
    from jobs.system.output import known_hashes, read_output

    known: Mapping[str, set[str]] = {}
    with contextlib.suppress(ValueError):
        known = known_hashes(output)
    found = read_output(output, {**files, **known})
    changes = plan_changes(files, found, known, force=True)
    stale = [change.path for change in changes if is_stale(change, found)]
    if stale:
        more = f" and {len(stale) - 3} more" if len(stale) > 3 else ""
        names = ", ".join(stale[:3])
        raise MachineError(f"the build in {output} is stale ({names}{more}): run `jobsctl build` first")


def _check_lint(path: Path, manifest: Manifest) -> None:
    """Nothing, or ManifestError with the errors that lint finds in the manifest, its files and its scripts."""
    from jobs.cli.lint import collect
    from jobs.diagnostics import Severity
    from jobs.lint.engine import Selection

    settings = manifest.lint
    found = collect([], path, follow=True).findings(Selection(settings.select, settings.ignore))
    errors = [one for one in found if one.severity is Severity.ERROR]
    if errors:
        count = f"{len(errors)} error{'s' if len(errors) > 1 else ''}"
        raise ManifestError(f"lint finds {count}: nothing was installed", errors)


def _report(plan: Plan, result: Result, *, as_json: bool) -> int:
    from jobs.cli.installed import print_json
    from jobs.install.describe import failure_lines, left_lines, records, verdict

    bad = bool(result.failed or plan.left)
    if as_json:
        kept = [str(path) for path in result.kept_copies]
        print_json(
            {"actions": records(plan, result.done), "kept_copies": kept, "verdict": verdict(plan, result)}
        )
        return Exit.FINDINGS if bad else Exit.OK
    _print_err(f"a copy of what was there is kept: {path}" for path in result.kept_copies)
    _print_err(left_lines(plan))
    _print_err(failure_lines(result))
    if result.undone:
        _print_err(["all jobs were put back as they were"])
    sys.stderr.flush()
    print(verdict(plan, result))
    return Exit.FINDINGS if bad else Exit.OK


def _print_err(lines: Iterable[str]) -> None:
    for line in lines:
        print(line, file=sys.stderr)
