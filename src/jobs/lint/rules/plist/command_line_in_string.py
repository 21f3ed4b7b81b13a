"""P120: a whole command line in one string."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import PurePosixPath

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import INTERPRETERS, SHELLS, PlistJob, on_job
from jobs.lint.plist_values import short
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, key
from jobs.model.macos_programs import STANDARD_PROGRAMS
from jobs.text import Place

_SCRIPT = re.compile(r"\.(?:sh|bash|zsh|py|rb|pl|js|mjs|ts|php|command|applescript|scpt|jar|R)$")
_BIN = re.compile(
    r"(?:/usr/bin|/bin|/usr/sbin|/sbin|/usr/local/bin|/usr/local/sbin|/opt/homebrew/bin|/opt/local/bin|/s?bin)$"
)
_OPERATORS = {"&&", "||", "|", ";", ">", ">>", "<", "2>", "2>&1"}


def _check(job: PlistJob, context: Context) -> Iterator[Finding]:
    """The program, a script handed to a shell, and options that hold more than one word."""
    code = job.code()
    program = job.program
    text = (job.literal(program) or "").strip()
    if program is not None and " " in text and not context.disk.exists(text) and _is_command_line(text):
        yield _finding(program.place, text, job)
    for number, argument in enumerate(job.argv):
        word = (job.literal(argument) or "").strip()
        if (
            not number
            or number in code
            or argument is program
            or " " not in word
            or context.disk.exists(word)
        ):
            continue
        before = PurePosixPath(job.argv[number - 1].text or "").name
        if (
            number == 1
            and (before in SHELLS or INTERPRETERS.fullmatch(before))
            and _script_with_arguments(word)
        ):
            yield _finding(argument.place, word, job)
        elif re.match(r"--[a-z][\w-]+ +\S", word) or re.match(r"-[A-Za-z] +-", word):
            yield Finding(
                argument.place,
                f'option and value in one string "{short(word)}"; the program gets them as one word',
                Fix(f"write {_strings(word)}"),
                Severity.WARNING,
            )


def _is_command_line(text: str) -> bool:
    """Whether a text with blanks is a command with arguments and not the path of a program in a folder with blanks."""
    first, *rest = text.split()
    if first in {"cd", "source", ".", "export", "exec", "eval"} or any(word in _OPERATORS for word in rest):
        return True
    name = PurePosixPath(first).name
    if "/" not in first:
        return (
            name in STANDARD_PROGRAMS or bool(INTERPRETERS.fullmatch(name)) or not re.search(r"\.app/", text)
        )
    if _SCRIPT.search(first) or _BIN.search(str(PurePosixPath(first).parent)):
        return True
    app = re.match(r"(.*?\.app/Contents/MacOS/)(.*)", text)
    if app:  # the program's name may hold blanks; an option after it may not
        return bool(re.search(r"\s(?:--?[A-Za-z]|/|\$)", app.group(2)))
    return any(re.match(r"--?[A-Za-z]|\$|~/|/", word) for word in rest)


def _script_with_arguments(text: str) -> bool:
    first, *rest = text.split()
    return bool(_SCRIPT.search(first)) and bool(rest) and not _SCRIPT.search(text)


def _strings(text: str) -> str:
    try:
        words = shlex.split(text)
    except ValueError:
        words = text.split()
    return "".join(f"<string>{word}</string>" for word in words[:12])


def _finding(place: Place, text: str, job: PlistJob) -> Finding:
    where = (
        "Program"
        if job.get("Program") is not None and job.program is not None and job.program.place == place
        else "ProgramArguments"
    )
    if set(text.split()) & _OPERATORS or text.split(maxsplit=1)[0] in {
        "cd",
        "source",
        ".",
        "export",
        "exec",
        "eval",
    }:
        advice = f"write <string>/bin/sh</string><string>-c</string><string>{short(text, 120)}</string>"
    elif where == "Program":
        advice = f"write ProgramArguments: {_strings(text)}"
    else:
        advice = f"write {_strings(text)}"
    return Finding(
        place,
        f'whole command line in one string "{short(text)}"; launchd takes it for the name of one file',
        Fix(advice),
    )


RULE = Rule(
    code="P120",
    name="command-line-in-string",
    title="A whole command line in one string",
    subject="plist",
    severity=Severity.ERROR,
    why=(
        "launchd splits nothing. A program with its arguments in one string is looked for as one file of that name; the job ends "
        "with status 78 or 127 and no output."
    ),
    bad=job(argv=("/usr/bin/rsync -a /src /dst",)),
    good=(
        job(argv=("/Applications/My Tool.app/Contents/MacOS/My Tool",)),
        job(argv=("/usr/bin/rsync", "-a", "/src", "/dst")),
        job(argv=("/bin/sh", "-c", "cd /usr/local/var &amp;&amp; exec ./tidy --all")),
        job(key("Program", "/Library/Application Support/Tidy/tidy"), argv=("tidy", "--name", "My Mac")),
    ),
    check=on_job(_check),
    exceptions="Paths of programs in folders with blanks, the text after -c, and a value with blanks of its own.",
    sources=("launchd.plist(5), Program and ProgramArguments", "execve(2)"),
    example_path=AGENT_PATH,
)
