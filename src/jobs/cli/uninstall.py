"""`jobs uninstall`: take installed jobs out of launchd, by the receipt."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from jobs.cli.installed import MANIFEST_HELP, STATE_HELP
from jobs.errors import Exit

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl uninstall                all jobs of the project; records and claims stay in the state folder
  jobsctl uninstall backup         one job, also when it is no longer in the manifest
  jobsctl uninstall --state "~/Library/Application Support/one-ceo"   when the manifest is gone
"""


@app.command(epilog=EPILOG)
def uninstall(
    names: list[str] = typer.Argument(
        None, metavar="[NAME]...", help="Jobs; default: all that are installed."
    ),
    manifest: Path | None = typer.Option(None, "--manifest", help=MANIFEST_HELP),
    state: Path | None = typer.Option(None, "--state", help=STATE_HELP),
    dry_run: bool = typer.Option(
        False, "--dry-run", "-n", help="Print the plan and its launchctl lines only."
    ),
    now: bool = typer.Option(False, "--now", help="Stop running jobs instead of waiting for their end."),
    force: list[str] = typer.Option(
        [], "--force", metavar="NAME", help="Remove a hand-edited plist too; a copy is kept."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Boot installed jobs out of launchd and delete their plists."""
    from jobs.cli.installed import open_installed, print_json, told_when_interrupted
    from jobs.install.describe import failure_lines, left_lines, plan_lines, records, removal_verdict
    from jobs.install.operation import Options
    from jobs.install.switch import labels_of

    operation = open_installed(manifest, state.expanduser() if state else None, Options(force, now))
    labels = labels_of(operation, names) if names else None
    if dry_run:
        plan = operation.plan_removal(labels)
        if as_json:
            print_json({"actions": records(plan, ())})
        else:
            print("\n".join(plan_lines(plan, commands=True) or ["nothing is installed"]))
        return Exit.FINDINGS if plan.left else Exit.OK
    with operation.locked():
        plan = operation.plan_removal(labels)
        with told_when_interrupted("uninstall"):
            result = operation.apply(plan)
    bad = bool(result.failed or plan.left)
    if as_json:
        print_json({"actions": records(plan, result.done), "verdict": removal_verdict(plan, result)})
    else:
        for line in [*left_lines(plan), *failure_lines(result)]:
            print(line, file=sys.stderr)
        print(removal_verdict(plan, result))
    return Exit.FINDINGS if bad else Exit.OK
