"""B019: other options that only the GNU tools have."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.tools import option, unguarded
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Word

OPTIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "cp": (("--(?!help|version).+|-[a-zA-Z]*t", "use the plain form `cp FROM TO`"),),
    "mv": (("--(?!help|version).+|-[a-zA-Z]*[tT]", "use the plain form `mv FROM TO`"),),
    "ln": (("--(?!help|version).+|-[a-zA-Z]*[rT][a-zA-Z]*", "use an absolute target"),),
    "rm": (("--(?!help|version|$).+", "use -rf"),),
    "mkdir": (("--(parents|mode|verbose).*", "use -p, -m, -v"),),
    "ls": (("--(?!color).+", "use stat -f"),),
    "mktemp": (("--(suffix|tmpdir).*", "put the X at the end of the name"),),
    "head": (("-(n|c)-\\d+|--(lines|bytes)=-.*", "use sed '$d' or awk"),),
    "tail": (("--(pid|retry).*", "wait for the process by itself"),),
    "du": (("-[a-zA-Z]*b[a-zA-Z]*|--(?!help).+", "use -d for the depth and -k for the size"),),
    "df": (("--(?!help).+|-B.*", "use -k or -m"),),
    "base64": (("-w.*|--wrap.*", "leave it out: BSD base64 does not wrap"),),
    "ps": (("--.+", "use -o and pipe to sort"),),
    "touch": (("--date.*", "use -t"),),
    "tar": (("--(transform|xform|wildcards|sort|warning|force-local).*", "use -s or --include of bsdtar"),),
    "cut": (("--(output-delimiter|complement).*", "use awk"),),
    "hostname": (("-[Ii]|--(ip-address|all-ip-addresses)", "use ipconfig getifaddr en0"),),
    "chmod": (("--reference.*", "use stat -f %Lp"),),
    "chown": (("--reference.*", "use stat -f %Su"),),
    "readlink": (("-[emz]|--canonicalize.*", "use cd and pwd -P"),),
    "realpath": (("-[ms]|--(relative-to|no-symlinks|canonicalize-missing).*", "use python3 or perl"),),
    "sort": (
        (
            "--(?!help|version|reverse|numeric-sort|unique|key|field-separator|zero-terminated|human-numeric-sort|version-sort|parallel|output|ignore-case|stable|check|merge|random-sort).+",
            "use the short form",
        ),
    ),
    "split": (("--(?!help).+", "use the short form"),),
    "date": (("-I(ns|date)", "use a format"),),
    "uniq": (("-w.*|--check-chars.*|--all-repeated.*", "use awk"),),
    "wc": (("--max-line-length", "use awk"),),
    "sed": (
        (
            "-[a-zA-Z]*z|--(null-data|regexp-extended|quiet|silent|expression|separate|follow-symlinks).*",
            "use -E, -n, -e",
        ),
    ),
    "env": (("--(chdir|block-signal|default-signal).*", "use cd in a subshell"),),
    "sleep": (("infinity", "use a loop"),),
}
GAWK = re.compile(
    r"\b(gensub|asorti?|strftime|systime|strtonum|mktime|patsplit)\s*\(|\bPROCINFO\b|\bBEGINFILE\b"
)


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each call."""
    for name, command, arguments in unguarded(script, *OPTIONS, "awk"):
        word = _gnu(name, arguments)
        if word is not None:
            instead = OPTIONS[name][0][1]
            yield Finding(script.of(command), f"{name} of macOS has no `{word.raw}`", Fix(instead))
        elif name == "awk":
            for argument in arguments:
                found = GAWK.search(argument.shape)
                if found:
                    yield Finding(
                        script.of(command),
                        f"awk of macOS has no {found.group().rstrip('( ')}: it is gawk's",
                        Fix("do it with date, sort or perl"),
                    )
                    break


def _gnu(name: str, arguments: tuple[Word, ...]) -> Word | None:
    if name == "head":
        for before, word in itertools.pairwise(arguments):
            if before.shape in ("-n", "-c") and re.fullmatch(r"-\d+", word.shape):
                return word
    if name == "sleep":
        return next((word for word in arguments if word.literal == "infinity"), None)
    return next(
        (found for pattern, _text in OPTIONS.get(name, ()) if (found := option(arguments, pattern))), None
    )


RULE = Rule(
    code="B019",
    name="gnu-option",
    title="An option that only the GNU tools have",
    subject="script",
    severity=Severity.WARNING,
    why=("macOS's tools come from BSD: they refuse these options, print their usage and end with a failure."),
    bad="""\
#!/bin/bash
du -b --max-depth=1 "$HOME"
""",
    good=(
        """\
#!/bin/bash
du -d 1 "$HOME"
""",
        """\
#!/bin/bash
head -n 5 "$1"
""",
    ),
    exceptions="Silent where the call is reached elsewhere than on macOS, has another way beside it (`A || B`), or names a tool of another folder.",
    sources=("macOS manual pages, section 1",),
    check=check,
)
