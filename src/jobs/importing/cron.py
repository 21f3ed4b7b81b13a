"""The lines of a crontab as candidates for the manifest."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from jobs.importing.command import SHELL, path_with_home, with_home
from jobs.importing.found import Candidate, Fate, Meaning
from jobs.read.crontab import Assignment, Comment, Crontab, Entry, Fault
from jobs.schedule.cron import FIELDS, MACROS, parse_cron
from jobs.schedule.errors import ScheduleError
from jobs.schedule.rule import ALL_DAYS, ALL_WEEKDAYS, Rule
from jobs.text import Place, Span

CRON_PATH: Final = "/usr/bin:/bin"
_FIXED: Final = ("LOGNAME", "USER")  # cron sets them itself, whatever the crontab says
_PART: Final = re.compile(r"(\*|[0-9A-Za-z]+)(?:-([0-9A-Za-z]+))?(?:/([0-9]+))?")
_WRAPPERS: Final = frozenset(
    {"env", "sudo", "nice", "nohup", "exec", "caffeinate", "time", "timeout", "flock", "chronic", "ionice", "command",
     "sh", "bash", "zsh", "dash", "ksh", "python", "python3", "ruby", "perl", "php", "node", "osascript", "cd", "test", "[",
     "source", ".", "export", "set", "if", "then", "npx", "uv", "run"}
)  # fmt: skip


@dataclass(slots=True)
class Found:
    """What came of a crontab: its lines in order, and the comments behind the last one."""

    candidates: list[Candidate] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Settings:
    """The variables above a line."""

    env: dict[str, str] = field(default_factory=dict)
    path: str | None = None
    shell: str = SHELL
    home: str | None = None
    zone: str | None = None


def candidates_of(crontab: Crontab, shown: str, home: str) -> Found:
    """The jobs of a crontab; `shown` names it in the origins."""
    found, settings = Found(), _Settings()
    comments: list[str] = []
    waiting = Candidate(
        "crontab", Place(crontab.source.path, 1, 1, 1, 1), shown, None, "", None, crontab.source
    )
    for row in crontab.rows:
        if isinstance(row, Comment):
            comments.append(row.text)
            continue
        if isinstance(row, Assignment):
            _assign(row, settings, waiting, home)
            continue
        candidate = Candidate(
            "crontab", row.place, f"{shown} line {row.place.line}", None, "", None, crontab.source
        )
        candidate.comments, comments = comments, []
        candidate.notes, waiting.notes = waiting.notes, []
        if isinstance(row, Fault):
            candidate.note(Fate.REFUSED, row.message, row.place)
        else:
            _entry(row, settings, candidate, crontab, home)
        found.candidates.append(candidate)
    found.tail = comments
    if waiting.notes and found.candidates:
        found.candidates[-1].notes += waiting.notes
    return found


def _assign(row: Assignment, settings: _Settings, waiting: Candidate, home: str) -> None:
    """A variable for the lines below."""
    name, value = row.name, row.value
    if name in _FIXED:
        waiting.note(Fate.LEFT_OUT, f"{name}, which cron sets itself", row.place)
    elif name in {"MAILTO", "MAILFROM"}:
        if value and name == "MAILTO":
            waiting.note(
                Fate.LOST, f'MAILTO "{value}": launchd sends no mail; the output goes to the log', row.place,
                'to be told of failures: notify = { failure = ["bin/tell-me"] }')  # fmt: skip
    elif name in {"CRON_TZ", "RANDOM_DELAY"}:
        if name == "CRON_TZ":
            settings.zone = value or None
        elif value not in {"", "0"}:
            waiting.note(Fate.LOST, f"RANDOM_DELAY {value}", row.place)
    elif name == "SHELL":
        settings.shell = value or SHELL
        settings.env["SHELL"] = value
    elif name == "HOME":
        settings.home = settings.env["HOME"] = value
    elif name == "PATH":
        settings.path = path_with_home(value, home)
        if settings.path != value:
            waiting.note(
                Fate.MENDED, "PATH holds ~ or $HOME, which cron does not expand; they are written out", row.place, "", "path")  # fmt: skip
        if re.search(r"\$\{?PATH\b\}?", settings.path):
            settings.path = re.sub(r"\$\{PATH\}|\$PATH\b", CRON_PATH, settings.path)
            waiting.note(
                Fate.MENDED, f"PATH holds $PATH, which cron does not expand; imported as {CRON_PATH}", row.place, "", "path")  # fmt: skip
    elif not name or re.search("[=\0]", name):
        waiting.note(Fate.LOST, f"the variable {name!r}", row.place)
    else:
        expanded = with_home(value, home)
        settings.env[name] = expanded
        if expanded != value:
            waiting.note(
                Fate.MENDED, f'the variable {name} is "{value}", which cron does not expand; imported as "{expanded}"',
                row.place, "", f"env.{name}")  # fmt: skip


def _entry(row: Entry, settings: _Settings, candidate: Candidate, crontab: Crontab, home: str) -> None:
    """A line that runs something."""
    candidate.hint = name_hint(row.command)
    candidate.user = row.user
    candidate.path = settings.path
    candidate.env = dict(settings.env)
    cwd = with_home(settings.home or home, home)
    shell = with_home(settings.shell, home)
    candidate.keys["run"] = [shell, "-c", row.command]
    candidate.keys["cwd"] = cwd
    candidate.argv = (shell, "-c", row.command)
    if row.stdin:
        candidate.note(
            Fate.REFUSED, "what follows the % is the input of the command, and a job's input is empty",
            crontab.source.place(row.command_span), "put the input into a file, and let the command read it with <")  # fmt: skip
    place = crontab.source.place(row.schedule_span)
    word = row.schedule.lower()
    rules: tuple[Rule, ...] = ()
    if word == "@reboot":
        candidate.keys["at_load"] = True
        candidate.note(
            Fate.CHANGED, "@reboot is once after the boot; launchd starts it when it loads it: at login, and at install", place)  # fmt: skip
    elif word == "@applenotonbattery":
        candidate.note(Fate.REFUSED, f"{row.schedule}: launchd knows no such condition", place, "")
    elif (every := re.fullmatch(r"@every_minute|@([0-9]+)", word)) is not None:
        if every[1]:
            candidate.note(
                Fate.REFUSED, f"{row.schedule}: counts from the end of the last run", place, f'write every = "{every[1]}s"')  # fmt: skip
        candidate.keys["cron"] = "* * * * *"
        rules = parse_cron("* * * * *")
    else:
        rules = _times(row, settings, candidate, crontab)
    candidate.meaning = Meaning(
        argv=(shell, "-c", row.command),
        cwd=cwd,
        path=settings.path or CRON_PATH,
        env=dict(settings.env),
        rules=rules,
        zone=settings.zone if rules else None,
        at_load="at_load" in candidate.keys,
    )


def _times(row: Entry, settings: _Settings, candidate: Candidate, crontab: Crontab) -> tuple[Rule, ...]:
    """The rules that cron means; the key `cron` is set, or the candidate refused."""
    if settings.zone is not None:
        candidate.keys["timezone"] = settings.zone
    text = " ".join(row.schedule.split())
    if re.search(r"[0-9]{10}", text):
        place = crontab.source.place(row.schedule_span)
        candidate.note(Fate.REFUSED, "the schedule holds a number of ten digits and more", place)
        return ()
    rule = vixie_rule(text)
    try:
        parse_cron(text)
    except ScheduleError as error:
        # cronie and Debian's cron take some forms that are not taken here; what they mean is plain.
        rewritten = _rewritten(text)
        if rule is None or rewritten is None:
            spot = crontab.source.place(row.schedule_span)
            if error.span is not None and text == row.schedule:
                start = row.schedule_span.start
                spot = crontab.source.place(Span(start + error.span.start, start + error.span.end))
            candidate.note(Fate.REFUSED, error.message, spot, error.fix)
            return ()
        candidate.note(
            Fate.MENDED,
            f'{error.message}: cron means "{rewritten}"',
            crontab.source.place(row.schedule_span),
            "",
        )
        text = rewritten
    candidate.keys["cron"] = text
    return () if rule is None else (rule,)


def vixie_rule(text: str) -> Rule | None:
    """The minutes of a cron expression by crontab(5) alone, or None: a second judge beside jobs.schedule.cron."""
    words = MACROS.get(text.lower(), text).split()
    if len(words) != len(FIELDS):
        return None
    sets = []
    for spec, word in zip(FIELDS, words, strict=True):
        numbers: set[int] = set()
        for part in word.split(","):
            bounds = _bounds(part, spec.low, 6 if spec.high == 7 else spec.high, spec.high, spec.names)
            if bounds is None:
                return None
            numbers |= set(range(bounds[0], bounds[1] + 1, bounds[2]))
        sets.append(tuple(sorted({number % 7 for number in numbers} if spec.high == 7 else numbers)))
    minutes, hours, days, months, weekdays = sets
    either = not (words[2].startswith("*") or words[4].startswith("*"))
    if either and (days == ALL_DAYS or weekdays == ALL_WEEKDAYS):
        days, weekdays, either = ALL_DAYS, ALL_WEEKDAYS, False
    return Rule(minutes, hours, days, months, weekdays, either=either)


def _bounds(part: str, low: int, last: int, high: int, names: tuple[str, ...]) -> tuple[int, int, int] | None:
    """First, last and step of one part of a field; a number with a step counts to the end, as in cronie."""
    found = _PART.fullmatch(part)
    if found is None or (found[1] == "*" and found[2]) or found[3] == "0":
        return None
    step = int((found[3] or "1")[:4])

    def number(word: str) -> int | None:
        value = (
            int(word[:4])
            if word.isdigit()
            else names.index(word.lower()) + low
            if word.lower() in names
            else -1
        )
        return value if low <= value <= high else None

    if found[1] == "*":
        return low, last, step
    first = number(found[1])
    end = number(found[2]) if found[2] else last if found[3] else first
    return None if first is None or end is None or end < first else (first, max(first, end), step)


def _rewritten(text: str) -> str | None:
    """The expression with the parts that are not taken here written as ranges and numbers that are."""
    words = text.split()
    if len(words) != len(FIELDS):
        return None
    out = []
    for index, (spec, word) in enumerate(zip(FIELDS, words, strict=True)):
        parts = []
        for part in word.split(","):
            bounds = _bounds(part, spec.low, 6 if spec.high == 7 else spec.high, spec.high, spec.names)
            if bounds is None:
                return None
            first, last, step = bounds
            if "/" not in part or (step <= last - first and (part.startswith("*") or "-" in part)):
                parts.append(part)
            elif step > last - first:
                if part.startswith("*") and index in {2, 4} and words[6 - index] != "*":
                    return None  # its star decides between AND and OR
                parts.append(str(first))
            else:
                parts.append(f"{first}-{last}/{step}")
        out.append(",".join(parts))
    rewritten = " ".join(out)
    try:
        parse_cron(rewritten)
    except ScheduleError:
        return None
    return rewritten


def name_hint(command: str) -> str:
    """What a job may be called for its command: the script or the program that it starts, without folder and ending."""
    words = [word.strip("\"'()") for word in re.split(r"[\s;&|]+", command)]
    skip = False
    for word in words:
        name = PurePosixPath(word).name
        if skip:
            skip = False
        elif name in {"cd", "source", "."} or word == ".":
            skip = True  # a folder, or settings: not what is run
        elif (
            name and name not in _WRAPPERS and not word.startswith(("-", ">", "<", "2>")) and "=" not in word
        ):
            stem = re.sub(r"\.(?:sh|bash|zsh|py|rb|pl|js|php|command|ts)$", "", name)
            if re.match(r"[A-Za-z_]", stem):
                return stem
    return "cron"
