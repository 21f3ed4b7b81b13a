"""P110: a label that launchd refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import job


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """A label with control characters, a reserved front, or characters that break a service target."""
    value = job.get("Label")
    label = job.literal(value)
    if value is None or not label or not label.strip():
        return
    low = label.lower()
    if re.search(r"[\x00-\x1f\x7f]", label):
        yield Finding(
            value.place,
            "Label holds a line break or another control character; launchd refuses it",
            Fix(f"write {label.strip()}"),
        )
    elif low.startswith(("com.apple.launchd", "com.apple.launchctl")):
        yield Finding(
            value.place,
            f'Label "{label}" begins with a reserved name; launchd refuses it',
            Fix("write a name of your own"),
        )
    elif label != label.strip() or "/" in label or " " in label:
        yield Finding(
            value.place,
            f'Label "{label}" holds a blank or a slash; targets such as gui/501/LABEL break on it',
            Fix("write letters, digits, dots, dashes and underscores"),
            Severity.WARNING,
        )


RULE = Rule(
    code="P110",
    name="bad-label",
    title="A label that launchd or launchctl does not take",
    subject="plist",
    severity=Severity.ERROR,
    why="launchd refuses control characters and the names of its own services; launchctl splits a target at its slashes.",
    bad=job().replace("com.example.tidy", "com.apple.launchd.tidy"),
    good=(job(), job().replace("com.example.tidy", "com.apple.tidy")),
    check=on_job(_check),
    sources=("launchd-842 core.c, jobmgr_label_test", "launchctl(1), service-target"),
    example_path="/Users/kim/Library/LaunchAgents/com.apple.launchd.tidy.plist",
)
