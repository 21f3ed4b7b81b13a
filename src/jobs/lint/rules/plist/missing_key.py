"""P107: no Label, or nothing to start."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, LABEL, job


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """What launchd asks of every job and this one lacks."""
    keys = {entry.key.strip().lower() for entry in job.root.entries}
    if job.file.holes or any(
        fault.kind in {"value-without-key", "key-without-value"} for fault in job.file.faults
    ):
        return
    if "label" not in keys:
        yield Finding(
            job.root.place,
            "no Label; launchd refuses the job",
            Fix("write <key>Label</key><string>com.example.name</string>"),
        )
    if not keys & {"program", "programarguments", "bundleprogram"}:
        yield Finding(
            job.root.place,
            "neither Program nor ProgramArguments; launchd refuses the job",
            Fix("write ProgramArguments"),
        )
    arguments = job.get("ProgramArguments")
    if (
        arguments is not None
        and arguments.kind == "array"
        and not arguments.items
        and job.get("Program") is None
    ):
        yield Finding(
            arguments.place,
            "ProgramArguments is empty; there is nothing to start",
            Fix("write the program and its arguments"),
        )


RULE = Rule(
    code="P107",
    name="missing-key",
    title="No label, or nothing to start",
    subject="plist",
    severity=Severity.ERROR,
    why="Every job needs a Label, and Program or ProgramArguments. Without them launchctl answers 110 or 111.",
    bad=job().replace(f"<key>Label</key><string>{LABEL}</string>", ""),
    good=(
        job(),
        job().replace(
            "<key>Label</key>", "<key>Program</key><string>/usr/local/bin/tidy</string><key>Label</key>"
        ),
    ),
    check=on_job(_check),
    sources=("launchd.plist(5), Label, Program, ProgramArguments", "launchctl(1): errors 110 and 111"),
    example_path=AGENT_PATH,
)
