"""B011: tools of Linux that macOS does not have."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.tools import missing, name_word
from jobs.read.shell.script import Script

INSTEAD = {
    "nproc": "sysctl -n hw.ncpu",
    "tac": "tail -r",
    "setsid": "nohup, or a job of launchd",
    "shuf": "sort -R",
    "numfmt": "awk",
    "getent": "dscl",
    "ionice": "taskpolicy",
    "taskset": "taskpolicy",
    "free": "vm_stat",
    "pidof": "pgrep -x",
    "stdbuf": "the program's own option",
    "md5sum": "md5 -r",
    "sha1sum": "shasum",
    "sha224sum": "shasum -a 224",
    "sha384sum": "shasum -a 384",
    "sha512sum": "shasum -a 512",
    "sha256sum": "shasum -a 256",
    "mountpoint": "mount | grep",
    "lsblk": "diskutil list",
    "blkid": "diskutil info",
    "findmnt": "mount",
    "lscpu": "sysctl -a hw",
    "fallocate": "mkfile",
    "start-stop-daemon": "a job of launchd",
    "run-parts": "a loop",
    "hostnamectl": "scutil --get ComputerName",
    "timedatectl": "systemsetup -gettimezone",
    "notify-send": "osascript -e 'display notification …'",
    "xdg-open": "open",
    "inotifywait": "WatchPaths of launchd",
    "prlimit": "ulimit",
    "chrt": "taskpolicy",
    "namei": "ls -ld",
}
RECENT = frozenset({"md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum"})


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each call."""
    for name, command in missing(script, *INSTEAD):
        recent = name in RECENT
        yield Finding(
            script.of(name_word(command, name)),
            f"macOS has {name} only in its latest releases" if recent else f"macOS has no {name}: status 127",
            Fix(f"use {INSTEAD[name]}"),
            Severity.WARNING if recent else None,
        )


RULE = Rule(
    code="B011",
    name="linux-tool",
    title="A tool that macOS does not have",
    subject="script",
    severity=Severity.ERROR,
    why=(
        "These tools come with Linux. Under launchd the call ends with 127, and in a pipe or a `$(…)` nobody sees it."
    ),
    bad="""\
#!/bin/bash
make -j "$(nproc)"
""",
    good=(
        """\
#!/bin/bash
make -j "$(sysctl -n hw.ncpu)"
""",
        """\
#!/bin/bash
cores=$(nproc 2>/dev/null || sysctl -n hw.ncpu)
""",
    ),
    exceptions="Silent where the call is reached elsewhere than on macOS, has another way beside it (`A || B`), or names a tool of another folder.",
    sources=("macOS manual pages, section 1",),
    check=check,
)
