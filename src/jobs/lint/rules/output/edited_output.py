"""M002: generated file edited by hand."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.manifest_sample import manifest as sample
from jobs.lint.rule import Context, Finding, Rule
from jobs.model.job import Manifest
from jobs.text import Place


def check(_manifest: Manifest, context: Context) -> Iterator[Finding]:
    """What the comparison with the compiled manifest, handed in, has shown."""
    stale = [each for each in context.output if each.by_hand is True]
    if stale:
        for each in stale:
            yield Finding(
                Place(each.path, 1, 1, 1, 1),
                f"{each.path} was edited by hand: the next build refuses to replace it",
                Fix("move the change into jobs.toml and run `jobs build --force`"),
            )


RULE = Rule(
    code="M002",
    name="edited-output",
    title="Generated file edited by hand",
    subject="manifest",
    severity=Severity.ERROR,
    why="A generated file says the same as the manifest. A change in it is lost with the next build, or stops it.",
    bad=sample('at = "09:30"'),
    good=(sample('at = "09:30"'),),
    exceptions="Judged where the manifest is linted as a whole, by comparing the output folder with a fresh build.",
    check=check,
)
