"""E004: a script that reaches into a folder that needs a privacy right."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.written import written_words
from jobs.lint.well_known_paths import PRIVATE
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Command, Word

NAMES = re.compile(r"Documents|Desktop|Downloads|Library/|Pictures/")
READING = frozenset(
    {".", "source", "cat", "cd", "cp", "rsync", "open", "bash", "sh", "zsh", "python3", "node"}
)
SHELLS = {"macos-sh": "/bin/sh", "macos-bash": "/bin/bash", "macos-zsh": "/bin/zsh"}


def check(script: Script, context: Context) -> Iterator[Finding]:
    """A finding at the first place of each such folder; links are resolved for what is sourced."""
    program = SHELLS.get(script.shell, "the shell of the job")
    fix = Fix(f"move it out of there, or give {program}, the program that launchd starts, Full Disk Access")
    seen: set[str] = set()
    for word in written_words(script) if NAMES.search(script.source.text) else ():
        for found in PRIVATE.finditer(word.raw.replace('"', "").replace("\\ ", " ")):
            folder = found.group("folder").replace("\\", "")
            if folder not in seen:
                seen.add(folder)
                yield Finding(
                    script.of(word),
                    f"{folder} needs a privacy right that a job of launchd does not have: `Operation not permitted`",
                    fix,
                )
    for command, word, real in _links(script, context):
        target = PRIVATE.search(real)
        if target is not None and target.group("folder") not in seen:
            seen.add(target.group("folder"))
            yield Finding(
                script.of(command),
                f"{word.raw} is a link into {target.group('folder')}, which needs a privacy right that a job of launchd "
                "does not have",
                fix,
            )


def _links(script: Script, context: Context) -> Iterator[tuple[Command, Word, str]]:
    """The literal paths given to commands, where a link leads elsewhere."""
    if context.disk is None:
        return
    folder = posixpath.dirname(script.path)
    for command in script.commands:
        if command.name not in READING and not command.redirects:
            continue
        for word in (*command.arguments, *(each.target for each in command.redirects)):
            text = word.literal
            if (
                text is None
                or ("/" not in text and not text.startswith("."))
                or text.startswith("-")
                or "\n" in text
            ):
                continue
            path = posixpath.normpath(posixpath.join(folder, text))
            if context.disk.exists(path):
                real = context.disk.real_path(path)
                if real != path and not PRIVATE.search(path):
                    yield command, word, real


RULE = Rule(
    code="E004",
    name="script-privacy-folder",
    title="Script reaches into a folder that needs a privacy right",
    subject="script",
    severity=Severity.WARNING,
    why=(
        "macOS guards Documents, Desktop, Downloads and iCloud Drive. A job has no app that could ask, so no window comes: "
        "reading fails, in the night, while it works from Terminal. The right belongs to the first program that launchd "
        "starts."
    ),
    bad="""\
#!/bin/bash
cp "$HOME/Documents/list.txt" "$HOME/.state/"
""",
    good=(
        """\
#!/bin/bash
cp "$HOME/work/list.txt" "$HOME/.state/"
echo "see $HOME/Documents"
""",
    ),
    sources=("https://github.com/tomcounsell/ai/issues/2327", "launchd.plist(5), CAVEATS"),
    check=check,
)
