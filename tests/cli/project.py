"""A project folder with a manifest, and the program called in it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from jobs.cli.app import main

TOP = Path(__file__).resolve().parents[2]


@dataclass
class Project:
    """`root` of the manifest is the folder itself unless `text` says otherwise."""

    folder: Path

    def write(self, jobs: str, *, root: str | None = None, output: str = "generated") -> None:
        """Write a manifest with these `[jobs.NAME]` tables."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        (self.folder / "jobs.toml").write_text(
            "version = 1\n[project]\n"
            'name = "test"\nprefix = "com.example"\n'
            f"root = {json.dumps(root or str(self.folder))}\nhome = {json.dumps(str(home))}\n"
            f'path = ["/usr/bin", "/bin"]\noutput = {json.dumps(output)}\n'
            f'logs = "~/logs"\nstate = "~/state"\n{jobs}'
        )

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "jobs", *words]

    def environment(self, **more: str) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder / "home"),
            "PYTHONPATH": str(TOP / "src"),
            **more,
        }

    def call(self, *words: str, cwd: Path | None = None) -> Done:
        """Call the program in this process."""
        out, err = io.StringIO(), io.StringIO()
        with (
            mock.patch.dict(os.environ, self.environment(), clear=True),
            contextlib.chdir(cwd or self.folder),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            status = main(words)
        assert "Traceback" not in err.getvalue(), err.getvalue()
        return Done(status, out.getvalue(), err.getvalue())

    def start(self, *words: str, env: dict[str, str] | None = None, **keys: Any) -> Done:
        """Run the program in a process of its own; `keys` are those of subprocess.run."""
        done = subprocess.run(
            self.command(*words),
            cwd=self.folder,
            env=self.environment(**(env or {})),
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            **keys,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Done(done.returncode, done.stdout, done.stderr)

    def tree(self, folder: str = "generated") -> dict[str, tuple[int, int, bytes]]:
        """Everything below a folder: path → mode, inode, content."""
        base = self.folder / folder
        return {
            str(path.relative_to(base)): (
                path.lstat().st_mode & 0o7777,
                path.lstat().st_ino,
                path.read_bytes(),
            )
            for path in sorted(base.rglob("*"))
            if path.is_file()
        }


@dataclass(frozen=True)
class Done:
    """How a call ended."""

    status: int
    out: str
    err: str


def daily(name: str, run: str = "true") -> str:
    """A job at 09:30."""
    return f'[jobs.{name}]\nrun = {json.dumps(run)}\nat = "09:30"\n'
