"""P111: a list that others may write."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import is_launchd
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job
from jobs.read.plist_value import PlistFile
from jobs.text import Place


def _check(file: PlistFile, context: Context) -> Iterator[Finding]:
    """A mode with write permission for the group or for everybody."""
    mode = context.disk.mode(file.path)
    if mode is None or not mode & 0o022 or not is_launchd(file) or not file.path.endswith(".plist"):
        return
    who = " and ".join(word for bit, word in ((0o020, "the group"), (0o002, "everybody")) if mode & bit)
    yield Finding(
        Place(file.path, 1, 1, 1, 1),
        f"mode {mode & 0o777:04o}: {who} may write the file; launchd refuses it",
        Fix(f"chmod {mode & 0o755:o} {file.path}"),
    )


RULE = Rule(
    code="P111",
    name="writable-by-others",
    title="The file may be written by others",
    subject="plist",
    severity=Severity.ERROR,
    why="launchd refuses a list that group or others may write (error 122), which a umask of 002 or 000 makes by itself.",
    bad=job(),
    good=(),
    check=_check,
    exceptions="0644, 0600 and 0444 are all right.",
    sources=("launchctl(1): error 122", "launchd-842 launchctl.c, path_goodness_check"),
    example_path=AGENT_PATH,
)
