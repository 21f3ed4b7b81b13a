"""P009: a file that holds no dictionary for launchd."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Severity
from jobs.lint.plist_job import is_launchd, on_faults
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job
from jobs.read.plist_value import PlistFile

_told = on_faults("root", "not-plist", "binary", "entity-declared", "limit")


def _check(file: PlistFile, context: Context) -> Iterator[Finding]:
    """What keeps launchd from finding a dictionary in the file."""
    yield from _told(file, context)
    root = file.root
    if root is not None and root.kind != "dictionary" and is_launchd(file):
        yield Finding(root.place, f"the list holds {_a(root.kind)}; launchd wants one dictionary")


def _a(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


RULE = Rule(
    code="P009",
    name="wrong-root",
    title="The file holds no dictionary that launchd can read",
    subject="plist",
    severity=Severity.ERROR,
    why="launchd reads a property list in XML or binary form whose root is one dictionary. Anything else is no job.",
    bad='{"Label": "com.example.tidy", "ProgramArguments": ["/usr/local/bin/tidy"]}\n',
    good=(job(),),
    check=_check,
    sources=("launchd.plist(5), DESCRIPTION", "launchctl(1): error 109, Invalid property list"),
    example_path=AGENT_PATH,
)
