"""A probe job, run by launchd itself: what it sees is what the jobs see. It is removed again in any case.

Only such a job can tell "denied" from "absent": a terminal has rights of its own (cc-reaper#21).
"""

from __future__ import annotations

import contextlib
import os
import plistlib
import shlex
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from jobs.diagnostics import Severity
from jobs.doctor.check import Context, Finding, job_path, program_of
from jobs.doctor.privacy import used_paths
from jobs.errors import JobsError
from jobs.install.launchd_steps import LaunchdSteps, Patience
from jobs.system.files import make_folder, write_atomic
from jobs.system.launchd_codes import Code

NAME = "doctor-probe"
SCRIPT = """\
LC_ALL=C; export LC_ALL
look() {
	if [ -d "$1" ]; then found=$(ls -- "$1" 2>&1 >/dev/null); else found=$(head -c 1 -- "$1" 2>&1 >/dev/null); fi
	if [ $? -eq 0 ]; then echo "seen ok"; else echo "seen bad $found"; fi
}
seek() {
	if (PATH=$1; command -v "$2") >/dev/null 2>&1; then echo "seen ok"; else echo "seen bad not found on $1"; fi
}
"""


@dataclass(frozen=True, slots=True)
class Probe:
    """How the probe is run and waited for."""

    patience: Patience = field(default_factory=Patience)
    limit_s: float = 15.0
    wall: Callable[[], float] = field(default=time.time)


def check_probe(context: Context, probe: Probe | None = None) -> Iterator[Finding]:
    """Findings of a job that launchd ran just now: which paths of the manifest it cannot read, and why."""
    if context.launchctl is None:
        return
    questions = _questions(context)
    try:
        answers = run_probe(context, [question.line for question in questions], probe or Probe())
    except (JobsError, OSError) as error:
        yield Finding(
            "launchd could not run a probe job", str(error), "see the findings on launchd and the session"
        )
        return
    for question, answer in zip(questions, answers, strict=False):
        if answer.startswith("seen bad"):
            yield _finding(question, answer.removeprefix("seen bad").strip())
    if len(answers) < len(questions):
        seen = f"{len(answers)} of {len(questions)} answers"
        yield Finding(
            "the probe job stopped before its end",
            seen,
            f"launchd hangs on {questions[len(answers)].what}: an unmounted volume, or a prompt that nobody sees",
        )


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that the probe looks at. `line` is the shell line that does it."""

    job: str
    key: str
    what: str  # a path, or the name of a program
    line: str


def _finding(question: Question, said: str) -> Finding:
    """What an answer means: the texts are those of strerror, in the C locale."""
    evidence, what, key, job = f"a job of launchd says: {said}", question.what, question.key, question.job
    if "No such file" in said:
        return Finding(f"{key} is not there: {what}", evidence, "correct the path", Severity.WARNING, job)
    if "Operation not permitted" in said:
        return Finding(
            f"{key} is there, and macOS denies it to launchd jobs: {what}",
            evidence,
            "give Full Disk Access to /bin/sh in System Settings > Privacy & Security, or move the file",
            job=job,
        )
    if "Permission denied" in said:
        return Finding(f"{key} may not be read by you: {what}", evidence, "change its mode or owner", job=job)
    if "not found on" in said:
        return Finding(
            f"{what!r} is not found by a job of launchd: exit 127",
            evidence,
            "add its folder to project.path",
            job=job,
        )
    return Finding(f"{key} cannot be read: {what}", evidence, "look at the path", Severity.WARNING, job)


def _questions(context: Context) -> list[Question]:
    """Everything that a job must be able to read or find. A log is made by launchd, so it is no question."""
    found: dict[str, Question] = {}
    for job in context.manifest.jobs:
        for key, path in used_paths(context, job):
            if key not in {"log", "watch"}:
                found.setdefault(path, Question(job.name, key, path, f"look {shlex.quote(path)}"))
        program = program_of(job)
        if program is not None and "/" not in program:
            path = job_path(context, job)
            line = f"seek {shlex.quote(path)} {shlex.quote(program)}"
            found.setdefault(line, Question(job.name, "run", program, line))
    return list(found.values())


def run_probe(context: Context, questions: list[str], probe: Probe) -> list[str]:
    """One answer a question (a shell line), from a job that launchd ran. Raises JobsError, OSError."""
    if context.launchctl is None:
        return []
    label = f"{context.site.prefix}.{NAME}"
    folder = context.site.state / "install"
    make_folder(folder, 0o700)
    plist, out = folder / f"{label}.plist", folder / f"probe-{os.getpid()}.out"
    steps = LaunchdSteps(context.launchctl, probe.patience)
    script = SCRIPT + "\n".join([*questions, "echo end"])
    values: dict[str, object] = {
        "Label": label,
        "ProgramArguments": ["/bin/sh", "-c", script],
        "RunAtLoad": True,
        "StandardOutPath": str(out),
        "StandardErrorPath": str(out),
        "ExitTimeOut": 2,
    }
    if context.site.domain.startswith("user/"):
        values["LimitLoadToSessionType"] = ["Aqua", "Background"]
    target = context.site.target(label)
    try:
        if context.launchctl.service(target) is not None:
            steps.unload(target, 2)  # left by a doctor that was killed
        write_atomic(plist, plistlib.dumps(values), 0o644)
        steps.load(context.site.domain, label, plist, drained=True)
        end = probe.patience.clock() + probe.limit_s
        while "end" not in _lines(out) and probe.patience.clock() < end:
            probe.patience.sleep(probe.patience.poll_s)
        return [line for line in _lines(out) if line.startswith("seen ")]
    finally:
        with contextlib.suppress(JobsError):
            if context.launchctl.call("print", target).status == Code.OK:
                steps.unload(target, 2)
        for path in (plist, out):
            path.unlink(missing_ok=True)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return []
