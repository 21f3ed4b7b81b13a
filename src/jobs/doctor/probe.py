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
from jobs.doctor.check import Context, Finding, job_path
from jobs.doctor.privacy import used_paths
from jobs.errors import JobsError
from jobs.install.launchd_steps import LaunchdSteps, Patience
from jobs.system.files import make_folder, write_atomic
from jobs.system.launchd_codes import Code

NAME = "doctor-probe"
DENIED = ("Operation not permitted", "Permission denied")
SCRIPT = """\
LC_ALL=C; export LC_ALL
look() {
	if [ -d "$1" ]; then found=$(ls -- "$1" 2>&1 >/dev/null); else found=$(head -c 1 -- "$1" 2>&1 >/dev/null); fi
	if [ $? -eq 0 ]; then echo "path ok"; else echo "path bad $found"; fi
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
        answers = run_probe(context, [path for _, _, path in questions], probe or Probe())
    except (JobsError, OSError) as error:
        yield Finding(
            "launchd could not run a probe job", str(error), "see the findings on launchd and the session"
        )
        return
    for (name, key, path), answer in zip(questions, answers, strict=False):
        if answer.startswith("path bad"):
            yield _finding(name, key, path, answer.removeprefix("path bad").strip())
    if len(answers) < len(questions):
        seen = f"{len(answers)} of {len(questions)} answers"
        yield Finding(
            "the probe job stopped before its end",
            seen,
            f"launchd hangs on reading {questions[len(answers)][2]}: an unmounted volume, or a prompt that nobody sees",
        )


def _finding(name: str, key: str, path: str, said: str) -> Finding:
    if "No such file" in said:
        return Finding(
            f"{key} is not there: {path}",
            f"a job of launchd says: {said}",
            "correct the path",
            Severity.WARNING,
            name,
        )
    if "Operation not permitted" in said:
        return Finding(
            f"{key} is there, and macOS denies it to launchd jobs: {path}",
            f"a job of launchd says: {said}",
            "give Full Disk Access to /bin/sh in System Settings > Privacy & Security, or move the file",
            job=name,
        )
    if "Permission denied" in said:
        return Finding(
            f"{key} may not be read by you: {path}",
            f"a job of launchd says: {said}",
            "change its mode or owner",
            job=name,
        )
    return Finding(
        f"{key} cannot be read: {path}",
        f"a job of launchd says: {said}",
        "look at the path",
        Severity.WARNING,
        name,
    )


def _questions(context: Context) -> list[tuple[str, str, str]]:
    """Job, key and path of everything that a job must be able to read. A log is made by launchd, so it is no question."""
    found: dict[str, tuple[str, str, str]] = {}
    for job in context.manifest.jobs:
        for key, path in used_paths(context, job):
            if key not in {"log", "watch"}:
                found.setdefault(path, (job.name, key, path))
    return list(found.values())


def run_probe(context: Context, paths: list[str], probe: Probe) -> list[str]:
    """One answer a path, from a job that launchd ran. Raises JobsError, OSError."""
    if context.launchctl is None:
        return []
    label = f"{context.site.prefix}.{NAME}"
    folder = context.site.state / "install"
    make_folder(folder, 0o700)
    plist, out = folder / f"{label}.plist", folder / f"probe-{os.getpid()}.out"
    steps = LaunchdSteps(context.launchctl, probe.patience)
    script = SCRIPT + "".join(f"look {shlex.quote(path)}\n" for path in paths) + "echo end\n"
    values: dict[str, object] = {
        "Label": label,
        "ProgramArguments": ["/bin/sh", "-c", script],
        "RunAtLoad": True,
        "StandardOutPath": str(out),
        "StandardErrorPath": str(out),
        "ExitTimeOut": 2,
        "EnvironmentVariables": {"PATH": job_path(context, context.manifest.jobs[0])}
        if context.manifest.jobs
        else {},
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
        return [line for line in _lines(out) if line.startswith("path ")]
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
