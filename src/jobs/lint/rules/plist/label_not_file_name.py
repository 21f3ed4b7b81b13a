"""P109: the label is not the file's name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from jobs.diagnostics import Fix, Severity
from jobs.lint.placeholder import PLACEHOLDER
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """A label that differs from the name of a file that launchd can load."""
    value = job.get("Label")
    label = job.literal(value)
    name = PurePosixPath(job.file.path).name
    if value is None or not label or not label.strip() or not name.endswith(".plist"):
        return
    if "$" in label or PLACEHOLDER.search(label) or re.search(r"[{}<>@%$]", name):
        return
    stem = name.removesuffix(".plist")
    if stem == label or (job.role is None and label.endswith(f".{stem}")):
        return
    # A file such as launchd.plist in a repository is renamed when it is installed, as a rule.
    severity = Severity.INFO if job.role is None and stem.count(".") < 2 else None
    words = f'Label is "{label}", the file is "{name}"'
    yield Finding(value.place, words, Fix(f"rename the file to {label}.plist, or write {stem}"), severity)


RULE = Rule(
    code="P109",
    name="label-not-file-name",
    title="The label is not the name of the file",
    subject="plist",
    severity=Severity.WARNING,
    why=(
        "launchd does not ask for it, people and scripts do: bootout and removal by name then look for the wrong file, and a "
        "second copy of a job under another label goes unseen."
    ),
    bad=job().replace("com.example.tidy", "com.example.tidyy"),
    good=(job(),),
    check=on_job(_check),
    exceptions="Templates. Outside of a LaunchAgents or LaunchDaemons folder a short name that ends the label is right, and one that is no label is information.",
    sources=("launchd.plist(5), FILES", "launchd.plist(5), Label"),
    example_path=AGENT_PATH,
)
