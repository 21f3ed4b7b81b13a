"""Questions to the double without a process for each: a test asks hundreds of them."""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path

from jobs.system.launchctl import Answer, Launchctl
from tests.launchctl import program

QUESTIONS = frozenset({"print", "print-disabled", "list", "enable", "disable"})
"""Verbs that start no process: the others are run as a program, for a job must not be a child of the tests."""


def ask(folder: Path, *words: str) -> Answer:
    """The answer of the double in a folder, from inside this process."""
    os.environ["LAUNCHCTL_DOUBLE"] = str(folder)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = program.main(list(words))
    return Answer(words, status, out.getvalue(), err.getvalue())


class QuickLaunchctl(Launchctl):
    """The double's program, its questions answered in this process."""

    def call(self, *words: str, limit_s: float | None = None) -> Answer:
        """The answer to one call."""
        if words[0] in QUESTIONS:
            return ask(Path(self.program).parent, *words)
        return super().call(*words, limit_s=limit_s)
