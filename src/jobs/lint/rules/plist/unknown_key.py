"""P101: a key that launchd does not know."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.plist_keys import Seen, seen, siblings
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, key, number

_MEANT = {
    "user": "UserName", "group": "GroupName", "environment": "EnvironmentVariables", "env": "EnvironmentVariables",
    "command": "ProgramArguments", "args": "ProgramArguments", "arguments": "ProgramArguments", "interval": "StartInterval",
    "schedule": "StartCalendarInterval", "calendarinterval": "StartCalendarInterval", "cwd": "WorkingDirectory",
    "workingdir": "WorkingDirectory", "stdoutpath": "StandardOutPath", "stderrpath": "StandardErrorPath",
    "standardoutputpath": "StandardOutPath", "standarderrpath": "StandardErrorPath", "runonload": "RunAtLoad",
    "startatload": "RunAtLoad", "name": "Label", "priority": "Nice", "watchpath": "WatchPaths", "umaskvalue": "Umask",
}  # fmt: skip

_NOTES = {"comment", "comments", "description", "note", "notes", "author", "version", "title", "about"}


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Every key that is not in the table."""
    apple = (job.literal(job.get("Label")) or "").startswith("com.apple.")
    for one in seen(job.root):
        if one.known is not None or (job.file.filler is not None and job.file.filler.search(one.entry.key)):
            continue
        found = _finding(one)
        if not apple or found.severity is None:  # Apple's own jobs have keys that nobody else knows
            yield found


def _finding(one: Seen) -> Finding:
    last = one.entry.key
    beside = siblings(one.name)
    same = [name for name in beside if name.lower() == last.strip().lower()]
    close = same or get_close_matches(last, beside, n=1, cutoff=0.78)
    meant = close[0] if close else _MEANT.get(last.lower()) if "." not in one.name else None
    if same and last != last.strip():
        words = f'key "{last}" has blanks around it; launchd ignores the key'
    elif same:
        words = f'key "{one.shown}" is spelt {same[0]}: upper and lower case count'
    else:
        words = f'unknown key "{one.shown}"; launchd ignores it'
    if meant is None and last.strip("_").lower() in _NOTES:
        return Finding(one.entry.key_place, words, Fix("make it an XML comment"), Severity.INFO)
    if meant is None:
        return Finding(
            one.entry.key_place, words, Fix("remove it, or move it into a comment"), Severity.WARNING
        )
    return Finding(one.entry.key_place, words, Fix(f"write {meant}"))


RULE = Rule(
    code="P101",
    name="unknown-key",
    title="A key that launchd does not know",
    subject="plist",
    severity=Severity.ERROR,
    why=(
        "launchd loads a job with an unknown or misspelt key and ignores the key without a word: no log file, no schedule, no "
        "environment, and nothing tells why."
    ),
    bad=job(key("StandardErrPath", "/usr/local/var/tidy.log")),
    good=(job(key("StandardErrorPath", "/usr/local/var/tidy.log")), job(number("Nice", 10))),
    check=on_job(_check),
    exceptions="A key that is like none of launchd's is a warning, one that holds a note for people is information; Apple's own jobs have more keys.",
    sources=(
        "launchd.plist(5)",
        "launchd-842 core.c, job_import_*: unknown keys are logged and the job is loaded",
    ),
    example_path=AGENT_PATH,
)
