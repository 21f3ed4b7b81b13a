"""The pages about schedules with the output that their commands have: `python -m tests.simulate.docs` writes them anew."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PAGES = (TOP / "docs" / "schedules.md", TOP / "docs" / "simulate.md")
ZONE = "Asia/Tokyo"
_MANIFEST = re.compile(r"```toml\n(.*?)```", re.DOTALL)
_COMMAND = re.compile(
    r"```console\n\$ (?P<zone>TZ=\S+ )?jobsctl (?P<words>[^\n]+)\n(?P<output>.*?)```", re.DOTALL
)


def refreshed(text: str) -> str:
    """The page with the output of each of its commands, on the page's own manifest."""
    found = _MANIFEST.search(text)
    assert found is not None
    with tempfile.TemporaryDirectory() as folder:
        manifest = Path(folder, "jobs.toml")
        manifest.write_text(found[1])

        def anew(command: re.Match[str]) -> str:
            zone = command["zone"] or ""
            output = _output(command["words"], manifest, zone.strip().removeprefix("TZ=") or ZONE)
            return f"```console\n$ {zone}jobsctl {command['words']}\n{output}```"

        return _COMMAND.sub(anew, text)


def commands(text: str) -> list[str]:
    """The commands of the page."""
    return [command["words"] for command in _COMMAND.finditer(text)]


def _output(words: str, manifest: Path, zone: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "jobs", *shlex.split(words)],
        env={
            "PYTHONPATH": str(TOP / "src"),
            "TZ": zone,
            "JOBS_MANIFEST": str(manifest),
            "COLUMNS": "100",
            "PATH": "/usr/bin:/bin",
        },
        cwd=manifest.parent,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(refreshed(page.read_text()))
