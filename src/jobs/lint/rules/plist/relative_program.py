"""P126: a program without its full path."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.placeholder import placeholder_in
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, environment, job, key
from jobs.model.macos_programs import STANDARD_PROGRAMS


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """A program that launchd does not find, or finds by luck."""
    program, text = job.program, job.executable.strip()
    if (
        program is None
        or not text
        or text[0] in "/~$`\"'\\"
        or " " in text
        or placeholder_in(text)
        or job.get("BundleProgram")
    ):
        return
    own = job.get("Program") is not None
    if "/" in text or own:
        name = "Program" if own else "ProgramArguments"
        yield Finding(
            program.place,
            f'{name} "{text}" is not a full path; launchd does not look in WorkingDirectory',
            Fix("write the full path"),
        )
    elif text in STANDARD_PROGRAMS:
        full = STANDARD_PROGRAMS[text]
        yield Finding(
            program.place,
            f'"{text}" is found as {full}, by launchd\'s own search path',
            Fix(f"write {full}"),
            Severity.INFO,
        )
    else:
        words = " ".join(argument.text or "" for argument in job.argv)
        yield Finding(
            program.place,
            f'"{text}" is not on launchd\'s search path (/usr/bin:/bin:/usr/sbin:/sbin); PATH in the list does not count for it',
            Fix(f"write the full path, or /bin/sh -c 'exec {words[:80]}'"),
        )


RULE = Rule(
    code="P126",
    name="relative-program",
    title="A program without its full path",
    subject="plist",
    severity=Severity.ERROR,
    why=(
        "launchd looks for a bare name in its own four folders only, not in the PATH that the list sets. A relative path is "
        "looked for from nowhere. Either way the start fails with status 78."
    ),
    bad=job(environment(PATH="/opt/homebrew/bin:/usr/bin:/bin"), argv=("mytool", "run")),
    good=(
        job(argv=("/opt/homebrew/bin/mytool", "run")),
        job(key("Program", "/usr/local/bin/tidy"), argv=("tidy", "run")),
    ),
    check=on_job(_check),
    exceptions="A bare name that macOS itself has in those folders is told as information. With Program, the first argument is only a name.",
    sources=("launchd.plist(5), Program and ProgramArguments",),
    example_path=AGENT_PATH,
)
