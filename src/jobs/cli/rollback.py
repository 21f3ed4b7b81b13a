"""`jobs rollback`: go back to a set that was installed before."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import typer

from jobs.cli.installed import MANIFEST_HELP, STATE_HELP
from jobs.errors import Exit

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl rollback --list    the stored sets
  jobsctl rollback           one step back: generated files and jobs; jobs.toml stays as it is
  jobsctl rollback 2         two steps back
"""


@app.command(epilog=EPILOG)
def rollback(
    steps: int = typer.Argument(1, min=1, metavar="[N]", help="How many installed sets to go back."),
    show: bool = typer.Option(False, "--list", help="List the stored sets."),
    manifest: Path | None = typer.Option(None, "--manifest", help=MANIFEST_HELP),
    state: Path | None = typer.Option(None, "--state", help=STATE_HELP),
    dry_run: bool = typer.Option(
        False, "--dry-run", "-n", help="Print the plan and its launchctl lines only."
    ),
    now: bool = typer.Option(False, "--now", help="Stop running jobs instead of waiting for their end."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Install an earlier set of jobs again. The next `jobsctl install` follows the manifest."""
    from jobs.cli.installed import open_installed, print_json, told_when_interrupted
    from jobs.install.describe import failure_lines, left_lines, plan_lines, records, verdict
    from jobs.install.operation import Options
    from jobs.install.rollback import earlier_sets, pick, restore_files

    operation = open_installed(manifest, state.expanduser() if state else None, Options(now=now))
    sets = operation.archive.sets()
    if show:
        rows = [
            {"steps": number, "set": one.number, "installed": one.epoch, "jobs": len(one.jobs)}
            for number, one in enumerate(earlier_sets(sets, operation.receipt.number), start=1)
        ]
        if as_json:
            print_json(rows)
        for row in [] if as_json else rows:
            moment = time.strftime("%Y-%m-%d %H:%M", time.localtime(row["installed"]))
            print(f"{row['steps']:>3}  set {row['set']}, installed {moment}, {row['jobs']} jobs")
        return Exit.OK
    chosen = pick(sets, operation.receipt.number, steps)
    files, wanted = operation.archive.load_set(chosen)
    if dry_run:
        plan = operation.plan(wanted)
        lines = plan_lines(plan, commands=True)
        print_json({"actions": records(plan, ())}) if as_json else print(
            "\n".join(lines or ["nothing to do"])
        )
        return Exit.FINDINGS if plan.left else Exit.OK
    with operation.locked():
        left = restore_files(operation.site.output, files, operation.archive)
        plan = operation.plan(wanted)
        operation.receipt.number = chosen.number
        with told_when_interrupted("install"):
            result = operation.apply(plan)
    bad = bool(result.failed or plan.left or left)
    if as_json:
        print_json(
            {"set": chosen.number, "actions": records(plan, result.done), "verdict": verdict(plan, result)}
        )
        return Exit.FINDINGS if bad else Exit.OK
    for change in left:
        print(f"left alone: {operation.site.output / change.path}: {change.reason}", file=sys.stderr)
    for line in [*left_lines(plan), *failure_lines(result)]:
        print(line, file=sys.stderr)
    print(f"back to set {chosen.number}: {verdict(plan, result)}")
    return Exit.FINDINGS if bad else Exit.OK
