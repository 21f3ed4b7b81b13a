"""`jobs doctor`: look for what kills jobs silently."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from jobs.cli.installed import MANIFEST_HELP
from jobs.errors import Exit

if TYPE_CHECKING:
    from jobs.doctor.check import Context, Finding
    from jobs.model.job import Manifest

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl doctor              all checks; the last one lets launchd run a probe job for a moment
  jobsctl doctor --no-probe   load nothing
"""


@app.command(epilog=EPILOG)
def doctor(
    manifest: Path | None = typer.Option(None, "--manifest", help=MANIFEST_HELP),
    probe: bool = typer.Option(
        True, "--probe/--no-probe", help="Let launchd run a probe job, then remove it."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Check what makes jobs die silently, each finding with its evidence and what to do."""
    from jobs.cli.installed import print_json
    from jobs.cli.manifest import require_manifest
    from jobs.diagnostics import Severity
    from jobs.doctor.checks import CHECKS, PROBE

    context = _context(require_manifest(manifest))
    worst = Severity.INFO
    report = []
    for check in CHECKS:
        if check.name == PROBE and not probe:
            continue
        findings = list(check.run(context))
        worst = max([worst, *(finding.severity for finding in findings)])
        report += [_record(check.name, finding) for finding in findings]
        if not as_json:
            _print(check.name, check.good, findings)
    if as_json:
        print_json(report)
    return Exit.OK if worst is Severity.INFO else Exit.FINDINGS


def _context(manifest: Manifest) -> Context:
    from jobs.cli.installed import site_of_manifest
    from jobs.cli.status import launchctl_or_none
    from jobs.doctor.check import Context
    from jobs.install.receipt import Archive
    from jobs.system.clock import now

    site = site_of_manifest(manifest)
    return Context(manifest, site, Archive(site.state).receipt(), launchctl_or_none(), now())


def _print(name: str, good: str, findings: list[Finding]) -> None:
    from jobs.cli.console import GREEN, SEVERITY_COLOUR, paint

    if not findings:
        print(f"{paint('ok', GREEN, sys.stdout):<8} {name}: {good}")
    for finding in findings:
        word = paint(finding.severity.word, SEVERITY_COLOUR[finding.severity], sys.stdout)
        who = f"{finding.job}: " if finding.job else ""
        print(
            f"{word:<8} {name}: {who}{finding.message}\n         seen: {finding.evidence}\n         fix: {finding.fix}"
        )


def _record(check: str, finding: Finding) -> dict[str, object]:
    return {
        "check": check,
        "severity": finding.severity.word,
        "job": finding.job or None,
        "message": finding.message,
        "evidence": finding.evidence,
        "fix": finding.fix,
    }
