"""Programs that tests need beyond Python: absent ones skip a test, or fail it where everything has to be there."""

from __future__ import annotations

import os
import shutil

import pytest


def require_tool(name: str) -> str:
    """The path of a program. Absent: the test is skipped, or fails under JOBS_TEST_REQUIRE_ALL=1 (set in CI)."""
    path = shutil.which(name)
    if path is None:
        if os.environ.get("JOBS_TEST_REQUIRE_ALL") == "1":
            pytest.fail(f"{name} is not installed")
        pytest.skip(f"{name} is not installed")
    return path


SHELLS: dict[str, list[str]] = {
    "sh": ["sh"],
    "dash": ["dash"],
    "bash": ["bash", "--posix"],
    "busybox": ["busybox", "sh"],
    "zsh": ["zsh", "--emulate", "sh"],
    "mksh": ["mksh"],
    "yash": ["yash"],
}
"""The shells under which the wrappers have to work, by the id of their tests. posh lacks `test -O`."""

BYTE_SHELLS = sorted(set(SHELLS) - {"yash"})
"""Those that read any text in any locale: yash refuses a script with characters that its locale lacks."""


def shell_command(name: str) -> list[str]:
    """The words that start a shell of SHELLS on a script; skips as `require_tool` does."""
    words = SHELLS[name]
    return [require_tool(words[0]), *words[1:]]
