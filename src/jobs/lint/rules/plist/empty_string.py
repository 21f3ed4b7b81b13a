"""P108: a key with an empty string."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import LIST_PATH_KEYS, PATH_KEYS, PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, key

_KEYS = ("Label", "Program", *PATH_KEYS, "UserName", "GroupName")


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """One finding for each empty key that must hold something."""
    for name in _KEYS:
        value = job.get(name)
        if value is not None and value.text is not None and not value.text.strip():
            yield Finding(
                value.place,
                f"{name} is empty",
                Fix(f"write its value, or remove {name}" if name != "Label" else "write the label"),
            )
    for name in LIST_PATH_KEYS:
        value = job.get(name)
        for item in value.items if value is not None else ():
            if item.text is not None and not item.text.strip():
                yield Finding(item.place, f"{name} holds an empty path", Fix("remove it"))
    if job.argv and job.get("Program") is None and not (job.argv[0].text or "").strip():
        yield Finding(
            job.argv[0].place,
            "the program in ProgramArguments is empty",
            Fix("write the full path of the program"),
        )


RULE = Rule(
    code="P108",
    name="empty-string",
    title="A key with an empty string",
    subject="plist",
    severity=Severity.ERROR,
    why="An empty label is refused; an empty program or path makes the start fail with status 78, before any output.",
    bad=job(key("StandardOutPath", "")),
    good=(job(key("StandardOutPath", "/usr/local/var/tidy.log")), job(argv=("/usr/local/bin/tidy", ""))),
    check=on_job(_check),
    exceptions="An argument may be empty.",
    sources=("launchd-842 core.c, jobmgr_label_test", "launchd.plist(5)"),
    example_path=AGENT_PATH,
)
