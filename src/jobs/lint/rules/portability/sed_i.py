"""B014: `sed -i` without a suffix, which BSD sed needs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.tools import unguarded
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Command, Word


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each call."""
    for _name, command, arguments in unguarded(script, "sed"):
        for index, word in enumerate(arguments):
            if word.shape.startswith("--in-place"):
                yield _finding(script, command, word)
                break
            if not re.fullmatch(r"-[nErsu]*i", word.shape):
                continue
            following = arguments[index + 1] if index + 1 < len(arguments) else None
            if following is not None and not _is_suffix(following, len(arguments) - index):
                yield _finding(script, command, word)
            break


def _is_suffix(word: Word, left: int) -> bool:
    if word.literal is not None:
        return (
            word.literal == ""
            or re.fullmatch(r"[._~-]?\.?(bak|orig|tmp|old|backup|back|sav)\w*", word.literal) is not None
        )
    return left > 3 and len(word.parts) == 1 and word.parts[0].kind == "variable"


def _finding(script: Script, command: Command, word: Word) -> Finding:
    return Finding(
        script.of(command),
        f"`sed {word.raw}` of macOS takes the next word for a suffix",
        Fix("write `sed -i '' …` for macOS alone, or `sed -i.bak … && rm FILE.bak` for both"),
    )


RULE = Rule(
    code="B014",
    name="sed-i",
    title="sed -i without a suffix on macOS",
    subject="script",
    severity=Severity.ERROR,
    why=(
        "BSD sed takes the word behind -i for the suffix of the backup: the script is lost and the file's name is read as one, or a backup called `FILE-e` appears."
    ),
    bad="""\
#!/bin/bash
sed -i 's/a/b/' "$HOME/x.conf"
""",
    good=(
        """\
#!/bin/bash
sed -i '' 's/a/b/' "$HOME/x.conf"
""",
        """\
#!/bin/bash
sed -i.bak 's/a/b/' "$HOME/x.conf"
""",
    ),
    exceptions="Silent where the call is reached elsewhere than on macOS, has another way beside it (`A || B`), or names a tool of another folder.",
    sources=("sed(1)",),
    check=check,
)
