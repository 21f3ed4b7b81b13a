"""`docs/simulate.md` with the output that its commands have: `python -m tests.simulate.docs` writes it anew."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PAGE = TOP / "docs" / "simulate.md"
ZONE = "Asia/Tokyo"
_MANIFEST = re.compile(r"```toml\n(.*?)```", re.DOTALL)
_COMMAND = re.compile(r"```console\n\$ jobsctl (?P<words>[^\n]+)\n(?P<output>.*?)```", re.DOTALL)


def refreshed(text: str) -> str:
    """The page with the output of each of its commands, on the page's own manifest."""
    found = _MANIFEST.search(text)
    assert found is not None
    with tempfile.TemporaryDirectory() as folder:
        manifest = Path(folder, "jobs.toml")
        manifest.write_text(found[1])
        return _COMMAND.sub(
            lambda command: (
                f"```console\n$ jobsctl {command['words']}\n{_output(command['words'], manifest)}```"
            ),
            text,
        )


def commands(text: str) -> list[str]:
    """The commands of the page."""
    return [command["words"] for command in _COMMAND.finditer(text)]


def _output(words: str, manifest: Path) -> str:
    return subprocess.run(
        [sys.executable, "-m", "jobs", *words.split()],
        env={
            "PYTHONPATH": str(TOP / "src"),
            "TZ": ZONE,
            "JOBS_MANIFEST": str(manifest),
            "PATH": "/usr/bin:/bin",
        },
        capture_output=True,
        text=True,
        check=True,
    ).stdout


if __name__ == "__main__":
    PAGE.write_text(refreshed(PAGE.read_text()))
