"""M001: generated files are stale."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.manifest_sample import manifest as sample
from jobs.lint.rule import Context, Finding, Rule
from jobs.model.job import Manifest
from jobs.text import Place


def check(manifest: Manifest, context: Context) -> Iterator[Finding]:
    """What the comparison with the compiled manifest, handed in, has shown."""
    stale = [each for each in context.output if each.by_hand is False]
    if stale:
        names = ", ".join(each.path for each in stale[:3]) + (" …" if len(stale) > 3 else "")
        yield Finding(
            Place(manifest.path, 1, 1, 1, 1),
            f"{len(stale)} generated file{'' if len(stale) == 1 else 's'} not as the manifest says: {names}",
            Fix("run `jobsctl build` and commit the result"),
        )


RULE = Rule(
    code="M001",
    name="stale-output",
    title="Generated files are stale",
    subject="manifest",
    severity=Severity.ERROR,
    why="What is installed comes from the generated files: a change of the manifest that was not built has no effect.",
    bad=sample('at = "09:30"'),
    good=(sample('at = "09:30"'),),
    exceptions="Judged where the manifest is linted as a whole, by comparing the output folder with a fresh build.",
    check=check,
)
