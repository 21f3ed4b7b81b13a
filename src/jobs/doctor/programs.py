"""Whether each job's program is there, on the PATH that the job really has (exit 127, 126)."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from jobs.diagnostics import Severity
from jobs.doctor.check import Context, Finding, job_path, program_of, script_of
from jobs.model.job import Job, ShellLine

SHELL_WORDS = frozenset(
    [
        "if",
        "for",
        "while",
        "until",
        "case",
        "cd",
        "exec",
        "set",
        "export",
        "test",
        "[",
        "[[",
        ":",
        "true",
        "false",
        "echo",
        "printf",
        "eval",
        "trap",
        "umask",
        "ulimit",
        "wait",
        "exit",
        "read",
        ".",
        "source",
        "command",
        "unset",
        "shift",
        "return",
        "local",
        "alias",
        "type",
        "kill",
    ]
)
VERSIONED = re.compile(r"/(?:\.nvm/versions|\.pyenv/versions|\.rbenv/versions|Cellar)/[^:]*?\d+\.\d+")


def check_programs(context: Context) -> Iterator[Finding]:
    """Findings on programs that are missing, cannot be executed, or stand in a folder that an upgrade renames."""
    for job in context.manifest.jobs:
        yield from _one(context, job)


def _one(context: Context, job: Job) -> Iterator[Finding]:
    program = program_of(job)
    if program is None or (isinstance(job.run, ShellLine) and program in SHELL_WORDS):
        return
    path = job_path(context, job)
    script = script_of(context, job)
    if script is not None:
        yield from _file(job, Path(script))
        found: str | None = script
    else:
        found = shutil.which(program, path=path)
        if found is None:
            elsewhere = shutil.which(program, path=context.search_path)
            hint = (
                f"; your own shell finds {elsewhere}"
                if elsewhere
                else "; your own shell does not find it either"
            )
            folder = Path(elsewhere).parent if elsewhere else "its folder"
            yield Finding(
                f"{program!r} is not on the job's PATH: it will end with 127",
                f"PATH is {path}{hint}",
                f"add {folder} to project.path, or write the full path in run",
                job=job.name,
            )
    match = VERSIONED.search(found or "")
    if match is not None:
        yield Finding(
            f"{program!r} is found in a folder with a version in its name: the next upgrade takes it away",
            found or "",
            "link the program to a stable place, or look again after each upgrade",
            Severity.WARNING,
            job.name,
        )


def _file(job: Job, path: Path) -> Iterator[Finding]:
    if not path.exists():
        link = f" (a symlink to {path.readlink()})" if path.is_symlink() else ""
        yield Finding(
            f"its program is not there: {path}",
            f"no such file{link}",
            "correct run, or put the file there",
            job=job.name,
        )
    elif path.is_dir():
        yield Finding(f"its program is a folder: {path}", "a folder", "correct run", job=job.name)
    elif not os.access(path, os.X_OK):
        yield Finding(
            f"its program cannot be executed: {path}",
            f"mode {path.stat().st_mode & 0o7777:04o}: it will end with 126",
            f"chmod +x {path}",
            job=job.name,
        )
    else:
        yield from _first_line(job, path)


def _first_line(job: Job, path: Path) -> Iterator[Finding]:
    """Findings on a script's `#!` line: a missing interpreter shows as 'not found' though the script is there."""
    try:
        with path.open("rb") as stream:
            line = stream.readline(256)
    except OSError:
        return
    if not line.startswith(b"#!"):
        return
    if line.rstrip(b"\n").endswith(b"\r"):
        yield Finding(
            f"the first line of {path} ends with a carriage return: it will end with 127",
            repr(line.decode(errors="replace")),
            f"take the carriage returns out: tr -d '\\r' < {path} > new && mv new {path}",
            job=job.name,
        )
        return
    words = line[2:].decode(errors="replace").split()
    if words and words[0].startswith("/") and not Path(words[0]).exists():
        yield Finding(
            f"the interpreter of {path} is not there: {words[0]}",
            line.decode(errors="replace").strip(),
            "install it, or correct the first line",
            job=job.name,
        )
