"""The same program started from elsewhere: a second agent, or a line in the crontab."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from jobs.diagnostics import Severity
from jobs.doctor.check import Context, Finding, run_quietly, script_of
from jobs.install.wanted import plist_values


def _programs(context: Context) -> dict[str, str]:
    """Path → job, for every program that belongs to one job: its script and its wrapper."""
    found = {}
    for job in context.manifest.jobs:
        script = script_of(context, job)
        if script is not None:
            found[script] = job.name
        found[str(context.site.output / "bin" / job.name)] = job.name
    return found


def check_agents(context: Context) -> Iterator[Finding]:
    """Findings on plists that are not ours and start a program of one of our jobs (openusage#876, trusty-tools#2938)."""
    programs = _programs(context)
    own = {entry.path for entry in context.receipt.jobs.values()}
    folders = dict.fromkeys([context.home / "Library" / "LaunchAgents", *context.agent_folders])
    for folder in folders:
        for path in _plists(folder):
            if str(path) in own:
                continue
            try:
                values = plist_values(path.read_bytes())
            except OSError:
                continue
            for program, name in _started(values, programs):
                label = values.get("Label")
                yield Finding(
                    f"another agent starts the same program: {label}",
                    f"{path} starts {program}",
                    f"if it is an old one: launchctl bootout {context.site.domain}/{label}; then delete {path}",
                    Severity.WARNING,
                    name,
                )


def _plists(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.name.endswith(".plist"))
    except OSError:
        return []


def _started(values: object, programs: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The programs of ours that a plist starts, directly or in a shell line."""
    if not isinstance(values, dict):
        return
    arguments = values.get("ProgramArguments")
    words = [values.get("Program"), *(arguments if isinstance(arguments, list) else [])]
    texts = [word for word in words if isinstance(word, str)]
    for program, name in programs.items():
        if any(_mentions(text, program) for text in texts):
            yield program, name


def _mentions(text: str, program: str) -> bool:
    """Whether a text names a path as a whole: `/x/run` is not in `/x/run-all`."""
    at = text.find(program)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(program) : at + len(program) + 1]
        if (not before or before in " \t\"'=;&|(`") and (not after or after in " \t\"';&|)`><"):
            return True
        at = text.find(program, at + 1)
    return False


def check_crontab(context: Context) -> Iterator[Finding]:
    """Findings on crontab lines that run a job's script (aidevops#1861). Quiet when the crontab may not be read."""
    crontab = shutil.which("crontab", path=context.search_path)
    if crontab is None:
        return
    status, text = run_quietly([crontab, "-l"])
    if status != 0:
        return
    programs = _programs(context)
    home, root = context.manifest.project.home, context.manifest.project.root
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        spelled = line.replace("$HOME", home).replace("${HOME}", home).replace("~/", f"{home}/")
        for program, name in programs.items():
            relative = program.removeprefix(f"{root}/")
            if _mentions(spelled, program) or (
                root in spelled and relative != program and _mentions(spelled, relative)
            ):
                yield Finding(
                    "the crontab still runs its script: it runs twice",
                    f"crontab line {number}: {line.strip()}",
                    "crontab -e, and delete that line",
                    Severity.WARNING,
                    name,
                )
