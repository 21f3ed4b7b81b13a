"""The linter against shellcheck on the same scripts, its start, and how its cost grows."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from jobs.lint.rules import codes, rule
from tests.bench.rows import Row, compare

TOP = Path(__file__).resolve().parents[2]
SMALL = """\
version = 1
[project]
name = "small"
prefix = "com.example"
root = "/Users/kim/work"
home = "/Users/kim"
[jobs.a]
run = ["/bin/echo", "x"]
at = "12:15"
"""
SYSTEM = ("/usr/bin", "/usr/sbin", "/etc", "/usr/lib/git-core", "/usr/share", "/var/lib/dpkg/info")


def _run(*words: str, folder: str) -> Callable[[], object]:
    # As installed: with compiled modules, which a checkout may lack where nothing may be written.
    environment = {**os.environ, "PYTHONPATH": str(TOP / "src"), "PYTHONPYCACHEPREFIX": f"{folder}/.pyc"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return lambda: subprocess.run(
        list(words), env=environment, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def _jobs(*words: str, folder: str) -> Callable[[], object]:
    return _run(sys.executable, "-m", "jobs", *words, folder=folder)


def scripts() -> list[bytes]:
    """Shell scripts: this machine's own, then the rules' examples until there are enough."""
    found: dict[bytes, None] = {}
    for top in SYSTEM:
        for path in sorted(Path(top).rglob("*")):
            try:
                if path.is_symlink() or not path.is_file() or path.stat().st_size > 60_000:
                    continue
                text = path.read_bytes()
            except OSError:
                continue
            first = text.partition(b"\n")[0]
            if first.startswith(b"#!") and first.split(b"/")[-1].split(b" ")[0] in (b"sh", b"bash"):
                found[text] = None
    for code in codes():
        of = rule(code)
        if of.subject == "script":
            found |= dict.fromkeys(text.encode() for text in (of.bad, *of.good))
    return list(found)


def _fill(folder: Path, number: int) -> list[str]:
    """A folder with so many scripts of all sizes, and their paths."""
    known = scripts()
    step = max(1, len(known) // number)
    chosen = itertools.islice(itertools.cycle(known[::step]), number)
    folder.mkdir()
    paths = []
    for index, text in enumerate(chosen):
        path = folder / f"{index:05}.sh"
        path.write_bytes(text + b"\n# %d\n" % index)
        paths.append(str(path))
    return paths


def bench_against_shellcheck() -> Iterator[Row]:
    """The same scripts, every rule of both."""
    if shutil.which("shellcheck") is None:
        return
    with tempfile.TemporaryDirectory() as top:
        for number, aim, rounds in ((100, 1 / 5, 5), (1000, 1 / 10, 3)):
            folder = Path(top, str(number))
            paths = _fill(folder, number)
            yield compare(
                f"jobs lint, {number} scripts",
                _jobs("lint", str(folder), folder=top),
                "shellcheck",
                _run("shellcheck", *paths, folder=top),
                most=aim,
                rounds=rounds,
            )


def bench_start() -> Iterator[Row]:
    """One small manifest, and the list of rules, against Python itself."""
    with tempfile.TemporaryDirectory() as top:
        manifest = Path(top, "jobs.toml")
        manifest.write_text(SMALL)
        bare = _run(sys.executable, "-c", "pass", folder=top)
        small = _jobs("lint", "--manifest", str(manifest), folder=top)
        yield compare("jobs lint, one small manifest", small, "python -c pass", bare, most=10)
        yield compare("jobs rules", _jobs("rules", folder=top), "python -c pass", bare, most=10)


def bench_growth() -> Iterator[Row]:
    """Four times the files, and a script four times as long: the ratio should be about four."""
    with tempfile.TemporaryDirectory() as top:
        _fill(Path(top, "few"), 150)
        _fill(Path(top, "many"), 600)
        few, many = (_jobs("lint", f"{top}/{name}", folder=top) for name in ("few", "many"))
        yield compare("jobs lint, 600 scripts", many, "150 scripts", few, most=5, rounds=3)
        sizes = []
        piece = "\n".join(
            text.decode() for text in scripts()[-300:] if b"<<" not in text and b"exit" not in text
        )
        for name, times in (("short", 1), ("long", 4)):
            Path(top, f"{name}.sh").write_text("#!/bin/sh\n" + piece * times)
            sizes.append(_jobs("lint", f"{top}/{name}.sh", folder=top))
        yield compare(
            "jobs lint, a script four times as long", sizes[1], "the script", sizes[0], most=5, rounds=3
        )
