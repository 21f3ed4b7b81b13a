"""What /usr/bin/env is asked to start."""

from __future__ import annotations

import re
from dataclasses import dataclass

from jobs.lint.plist_job import PlistJob
from jobs.read.plist_value import PlistValue


@dataclass(frozen=True, slots=True)
class EnvCall:
    """The program behind env: its name, where it stands, and the PATH that env itself sets, if it does."""

    name: str
    value: PlistValue
    path: tuple[str, ...] = ()


def env_call(job: PlistJob) -> EnvCall | None:
    """What a job that starts env makes it start, or None."""
    if job.executable not in {"/usr/bin/env", "env"}:
        return None
    path: tuple[str, ...] = ()
    words = iter(job.arguments)
    for argument in words:
        text = job.literal(argument)
        if text is None:
            return None
        if re.match(r"[A-Za-z_]\w*=", text):
            name, _, value = text.partition("=")
            path = tuple(part for part in value.split(":") if part) if name == "PATH" else path
        elif text in {"-u", "-P", "-C"}:
            next(words, None)
        elif text.startswith("-S"):
            return None
        elif not text.startswith("-"):
            bare = text.split()[0] if text.split() else ""
            return EnvCall(bare, argument, path) if bare and "$" not in bare and "{" not in bare else None
    return None
