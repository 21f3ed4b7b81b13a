"""E005: a script that works on an external volume without asking whether it is there."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.written import written_words
from jobs.lint.well_known_paths import VOLUME
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Word
from jobs.read.shell.values import values_of


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at the first place of each volume."""
    if "/Volumes/" not in script.source.text:
        return
    seen: set[str] = set()
    tested = {found.group() for word in _tested(script) for found in VOLUME.finditer(word.shape)}
    for word in written_words(script):
        for found in VOLUME.finditer(word.raw.replace('"', "")):
            if found.group() not in seen:
                seen.add(found.group())
                yield Finding(
                    script.of(word),
                    f"{found.group()} is an external volume: it needs a privacy right, and may not be there",
                    Fix(
                        'test it first (`[ -r "/Volumes/…" ] || exit 0`), and give the job\'s first program Full Disk Access'
                    ),
                    Severity.INFO if found.group() in tested else None,
                )


def _tested(script: Script) -> Iterator[Word]:
    """The words of tests: a script that asks for the volume knows that it may be missing."""
    for command in script.commands:
        if command.name in ("[", "[[", "test", "mount", "diskutil", "grep"):
            for word in command.arguments:
                yield from (written for _text, written in values_of(script).possible(word, command))


RULE = Rule(
    code="E005",
    name="script-volume",
    title="Script works on an external volume",
    subject="script",
    severity=Severity.WARNING,
    why=(
        "External and network volumes need a privacy right, and are not mounted at login. A job that writes to a path "
        "under /Volumes that is not mounted fills the Mac's own disk, or hangs without a word."
    ),
    bad="""\
#!/bin/bash
rsync -a "$HOME/work/" /Volumes/Backup/work/
""",
    good=(
        """\
#!/bin/bash
rsync -a "$HOME/work/" "$HOME/backup/"
""",
    ),
    sources=("https://github.com/garrytan/gbrain/issues/5014",),
    check=check,
)
