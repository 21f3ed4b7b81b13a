"""The shell blocks of a page of the documentation: found, run in order in one shell, and compared with what the page shows.

Comments in the page steer it, each on a line of its own:

`<!-- folder: example -->`   the page plays in a copy of the example in this repository, not in an empty folder
`<!-- file: PATH -->`        the next block is a file: it is written there before the commands that follow
`<!-- not run: REASON -->`   the next block is not run, for that reason
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.launchctl.control import Double

TOP = Path(__file__).resolve().parents[2]
PAGES = sorted(
    path.relative_to(TOP)
    for path in [TOP / "README.md", *(TOP / "docs").rglob("*.md")]
    # A rule's page shows scripts, many of them wrong by intent: the tests of the rules lint every one.
    if path.parent != TOP / "docs/rules"
)
ZONE = "Asia/Tokyo"  # the zone that docs/simulate.md tells its days in
SHOWN_FOLDER = "/Users/kim/work/one-ceo"  # what a page shows for the folder that it plays in
_BLOCK = re.compile(
    r"(?:^<!-- (?P<how>file|not run): (?P<what>[^\n]*?) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_VARIES = (
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:[+-]\d{4}|Z)?", "TIME"),
    (r"\b\d{8}T\d{4}\b", "SLOT"),
    (r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?\b\d{4}-\d\d-\d\d(?:-\d{4}| \d\d:\d\d(?::\d\d)?)?", "TIME"),
    (r"\b1[789]\d{8}\b", "EPOCH"),
    (r"\b\d+(?:\.\d+)? s\b", "N s"),
    # Whether an hour of today holds a slot that a start by hand may take.
    (r"\((?:no slot|SLOT), manual(?:, N s late)?\)", "(SLOT, manual)"),
    (r"[ \t]+", " "),
)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: `how` is "run", "file", "not run" or "shown"; `what` the path or the reason."""

    line: int  # 1-based
    how: str
    what: str
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a page, and the output below it; None where the page shows none (an `sh` block)."""

    line: int
    text: str
    shown: str | None


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page's text."""
    found = []
    for match in _BLOCK.finditer(page):
        runs = match["language"] in {"sh", "console"}
        how = match["how"] or ("run" if runs else "shown")
        line = page.count("\n", 0, match.start("language")) + 1
        found.append(Block(line, how, match["what"] or "", match["language"], match["text"]))
    return found


def commands(block: Block) -> list[Command]:
    """The commands of a block: an `sh` block is one; in a `console` block each begins with `$ ` and goes on with `> `."""
    if block.language == "sh":
        return [Command(block.line, block.text, None)]
    found: list[tuple[int, list[str], list[str]]] = []
    for number, line in enumerate(block.text.splitlines(), block.line + 1):
        if line.startswith("$ "):
            found.append((number, [line[2:]], []))
        elif line.startswith("> ") and found and not found[-1][2]:
            found[-1][1].append(line[2:])
        else:
            assert found, f"line {number}: output before any command"
            found[-1][2].append(line)
    return [Command(number, "\n".join(typed) + "\n", "\n".join(out)) for number, typed, out in found]


@dataclass(frozen=True, slots=True)
class Run:
    """How a command went."""

    command: Command
    status: int | None  # None: the shell ended before
    output: str

    @property
    def fault(self) -> str | None:
        """What is not as the page says, or None. A command without output in the page has to succeed."""
        place = f"line {self.command.line}: {self.command.text.strip()}"
        if self.status is None:
            return f"{place}: was never reached"
        if self.command.shown is None:
            return None if self.status == 0 else f"{place}: exit status {self.status}\n{self.output}"
        if not same(self.command.shown, self.output, timed="--from" in self.command.text):
            return f"{place}\n--- the page\n{self.command.shown}\n--- the program\n{self.output}"
        return None


def same(shown: str, output: str, *, timed: bool) -> bool:
    """Whether an output is the one shown. Times may differ, unless the command names its own (`timed`).

    A line `...` in the page stands for any lines.
    """
    kept, real = _normal(shown, timed), _normal(output, timed)
    pattern = r"\n".join(r"(?:.*\n)*?.*" if line == "..." else re.escape(line) for line in kept.split("\n"))
    return re.fullmatch(pattern, real) is not None


def _normal(text: str, timed: bool) -> str:
    text = "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))
    if timed:
        return text
    for pattern, word in _VARIES:
        text = re.sub(pattern, word, text)
    return text


def play(path: Path, folder: Path) -> list[Run]:
    """Every command of a page, run in order by one bash in `folder`, with a home and a launchd of its own."""
    page = (TOP / path).read_text(encoding="utf-8")
    work = folder / "project"
    work.mkdir(parents=True)
    if "<!-- folder: example -->" in page:
        for name in ("docs/example", "generated"):
            shutil.copytree(TOP / name, work / name)
        shutil.copy(TOP / "jobs.toml", work)
    home = folder / "home"
    (home / "bin").mkdir(parents=True)
    program = home / "bin/jobsctl"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={TOP}/src exec {sys.executable} -m jobs "$@"\n')
    program.chmod(0o755)
    double = Double(folder / "launchd", home=str(home))
    shutil.copy(double.program, home / "bin/launchctl")
    todo: list[tuple[Command, Path]] = []
    script = ["exec </dev/null"]
    for block in blocks(page):
        if block.how == "file":
            content = folder / f"file-{block.line}"
            content.write_text(block.text)
            script.append(f'mkdir -p "$(dirname "{block.what}")" && cp "{content}" "{block.what}"')
        elif block.how == "run":
            for command in commands(block):
                out = folder / f"out-{len(todo)}"
                script.append(f"{{\n{command.text}}} >{out} 2>&1\necho $? >{out}.status")
                todo.append((command, out))
    environment = {
        "PATH": f"{home}/bin:/usr/bin:/bin",
        "HOME": str(home),
        "TZ": ZONE,
        "LANG": "C.UTF-8",
        **double.environment(),
    }
    try:
        subprocess.run(
            ["bash", "-c", "\n".join(script)],
            cwd=work,
            env=environment,
            check=False,
            timeout=300,
            start_new_session=True,
            capture_output=True,
        )
        return [_done(command, out, folder) for command, out in todo]
    finally:
        double.shutdown()


def _done(command: Command, out: Path, folder: Path) -> Run:
    status = out.with_name(f"{out.name}.status")
    if not status.exists():
        return Run(command, None, "")
    text = out.read_text(errors="replace")
    for work in {str(folder / "project"), os.path.realpath(folder / "project")}:
        text = text.replace(work, SHOWN_FOLDER)
    return Run(command, int(status.read_text()), text)
