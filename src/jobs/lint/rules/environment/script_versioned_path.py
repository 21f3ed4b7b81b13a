"""E002: a folder of one version written into a script."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.written import written_words
from jobs.lint.well_known_paths import VERSIONED
from jobs.read.shell.script import Script


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at the first place of each such folder."""
    if VERSIONED.search(script.source.text) is None:
        return
    seen: set[str] = set()
    for word in written_words(script):
        for found in VERSIONED.finditer(word.raw):
            if found.group() not in seen:
                seen.add(found.group())
                yield Finding(
                    script.of(word),
                    f"{found.group()} is one version: the next upgrade takes it away and the job ends with 127",
                    Fix(
                        "use the manager's own link or shim (`~/.nvm/alias`, `~/.pyenv/shims`, `/opt/homebrew/bin`)"
                    ),
                )


RULE = Rule(
    code="E002",
    name="script-versioned-path",
    title="Folder of one version in a script",
    subject="script",
    severity=Severity.WARNING,
    why="nvm, pyenv and Homebrew put each version into its own folder, and remove the old one when they upgrade.",
    bad="""\
#!/bin/bash
export PATH="$HOME/.nvm/versions/node/v22.1.0/bin:$PATH"
npx tool sync
""",
    good=(
        """\
#!/bin/bash
export PATH="$HOME/.pyenv/shims:/opt/homebrew/bin:$PATH"
npx tool sync
""",
    ),
    sources=("https://github.com/mazzzystar/ccclub/issues/18",),
    check=check,
)
