"""The proof: what was compiled means what came in, but for what the notes say."""

from __future__ import annotations

import json
import plistlib
from calendar import monthrange
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from jobs.compile.plan import compile_job
from jobs.compile.quote import quote
from jobs.importing.calendar import rule_of
from jobs.importing.command import unwrapped
from jobs.importing.found import Candidate, Meaning
from jobs.importing.meaning import BASE, meaning_of_job
from jobs.model.job import Argv, Job, Manifest
from jobs.schedule.firing import Reading, fires, runs
from jobs.schedule.pattern import MonthDays, pattern_of
from jobs.schedule.rule import Rule, Schedule
from jobs.schedule.slots import slots_between

_MOST_FIRES: Final = 400
_DAYS: Final = 430
_BEGIN: Final = int(datetime(2027, 12, 15, tzinfo=UTC).timestamp())  # a leap day follows
_MONTHS: Final = tuple(
    {
        (month, *monthrange(year, month)): (year, month)
        for year in range(2024, 2052)
        for month in range(1, 13)
    }.values()
)
"""A month of each form: by its number, its length and the weekday on which it begins."""


def differences(candidate: Candidate, manifest: Manifest, job: Job) -> list[str]:
    """In words, what the compiled job means otherwise than its source, and no note has told. Empty: proven."""
    meaning = candidate.meaning
    if meaning is None:
        return ["its source has no meaning to compare with"]
    plist, wrapper = compile_job(manifest, job)
    got = meaning_of_job(job, plist.data)
    touched = {name for note in candidate.notes for name in note.touches}
    found = [
        f"{name} is {_shown(now)}, and was {_shown(was)}"
        for name, was, now in _fields(meaning, got)
        if name not in touched and was != now
    ]
    found += _intended(candidate, got, touched)
    found += _environment(meaning, got, touched, manifest)
    found += _raw(meaning, got, touched)
    rules = tuple(map(rule_of, candidate.calendars)) if "rules" in touched else meaning.rules
    found += _calendar(rules, candidate, job, plistlib.loads(plist.data).get("StartCalendarInterval", []))
    if isinstance(job.run, Argv) and " ".join(map(quote, job.run.words)) not in wrapper.data.decode():
        found.append("the wrapper does not hold the words of the command")
    return found


def _intended(candidate: Candidate, got: Meaning, touched: set[str]) -> list[str]:
    """What was mended has to arrive as it was mended."""
    found = []
    argv, _ = unwrapped(candidate.argv)
    if "argv" in touched and got.argv[1:] != argv[1:]:
        found.append(f"the arguments are {_shown(got.argv[1:])}, and should be {_shown(argv[1:])}")
    if "path" in touched and candidate.path is not None and got.path != candidate.path:
        found.append(f"PATH is {_shown(got.path)}, and should be {_shown(candidate.path)}")
    found += [
        f"the variable {name} is {_shown(got.env.get(name))}, and should be {_shown(value)}"
        for name, value in candidate.env.items()
        if f"env.{name}" in touched and got.env.get(name) != value
    ]
    return found


def _fields(was: Meaning, now: Meaning) -> Iterable[tuple[str, Any, Any]]:
    """The parts that are compared as they are."""
    yield from (
        ("argv", was.argv, now.argv),
        ("cwd", was.cwd, now.cwd),
        ("path", was.path, now.path),
        ("umask", f"{was.umask:03o}", f"{now.umask:03o}"),
        ("zone", was.zone, now.zone),
        ("every_s", was.every_s, now.every_s),
        ("watch", was.watch, now.watch),
        ("at_load", was.at_load, now.at_load),
        ("keep_alive", was.keep_alive, now.keep_alive),
        ("enabled", was.enabled, now.enabled),
    )
    if was.kill_after_s is not None:
        yield "kill_after_s", was.kill_after_s, now.kill_after_s
    if was.output:
        yield "output", was.output, now.output
    if was.errors:
        yield "errors", was.errors, now.errors


def _environment(was: Meaning, now: Meaning, touched: set[str], manifest: Manifest) -> list[str]:
    """Variables that were lost or changed. LANG and the user's own are given to every job."""
    found = [
        f"the variable {name} is {_shown(now.env.get(name))}, and was {_shown(value)}"
        for name, value in was.env.items()
        if now.env.get(name) != value and f"env.{name}" not in touched
    ]
    project = manifest.project
    given = {"HOME": project.home, "USER": project.user, "LOGNAME": project.user}
    found += [
        f"the variable {name} is {_shown(now.env[name])}"
        for name in BASE
        if name not in was.env and now.env[name] != given[name]
    ]
    return found


def _raw(was: Meaning, now: Meaning, touched: set[str]) -> list[str]:
    """Other keys of the property list."""
    found = []
    for key in dict.fromkeys((*was.raw, *now.raw)):
        if f"raw.{key}" in touched or (key == "LimitLoadToSessionType" and key not in was.raw):
            continue
        if was.raw.get(key) != now.raw.get(key):
            found.append(f"{key} is {_shown(now.raw.get(key))}, and was {_shown(was.raw.get(key))}")
    return found


def _calendar(rules: tuple[Rule, ...], candidate: Candidate, job: Job, written: Any) -> list[str]:
    """Calendar times: slots equal in every form of month, all of them covered by the fires that were compiled."""
    got = job.schedule.rules if job.schedule else ()
    if bool(rules) != bool(got):
        return ["it has calendar times" if got else "its calendar times are gone"]
    if not rules or job.schedule is None:
        return []
    dictionaries = [written] if isinstance(written, Mapping) else written
    if set(rules) != set(got):
        for was, now in zip(_months(rules), _months(got), strict=True):
            if was != now:
                return [f"its times differ: {_times(now)}, and were {_times(was)}"]
    if job.schedule.zone is not None:
        return []  # its fires are around the clock; its slots are what counts
    fired = _joined(map(rule_of, dictionaries))
    known: dict[tuple[tuple[int, ...], tuple[int, ...]], bool] = {}
    if not all(_covers(fire, now, known) for fire, now in zip(_months(fired), _months(got), strict=True)):
        return ["the compiled property list does not fire at all of its times"]
    return _fires(rules, candidate.calendars, job.schedule, dictionaries)


def _joined(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """The same minutes in fewer rules: those that differ in their minutes only, then in their hours only, are one."""
    of_minutes: dict[Rule, set[int]] = {}
    for rule in rules:
        of_minutes.setdefault(replace(rule, minutes=()), set()).update(rule.minutes)
    of_hours: dict[Rule, set[int]] = {}
    for rule, minutes in of_minutes.items():
        of_hours.setdefault(replace(rule, minutes=tuple(sorted(minutes)), hours=()), set()).update(rule.hours)
    return tuple(replace(rule, hours=tuple(sorted(hours))) for rule, hours in of_hours.items())


def _months(rules: tuple[Rule, ...]) -> list[MonthDays]:
    pattern = pattern_of(rules)
    return [pattern.month(year, month) for year, month in _MONTHS]


def _covers(
    fired: MonthDays, slots: MonthDays, known: dict[tuple[tuple[int, ...], tuple[int, ...]], bool]
) -> bool:
    """Whether a month's fires hold its slots; `known` remembers days alike."""
    of_day = dict(fired)
    for day, minutes in slots:
        pair = (of_day.get(day, ()), minutes)
        if pair not in known:
            known[pair] = set(minutes) <= set(pair[0])
        if not known[pair]:
            return False
    return True


def _fires(
    rules: tuple[Rule, ...],
    calendars: Sequence[Mapping[str, int]],
    schedule: Schedule,
    dictionaries: Sequence[Mapping[str, int]],
) -> list[str]:
    """The instants at which the wrapper runs, against those at which launchd or cron started the job, in UTC."""
    dense = sum(len(minutes) for _, minutes in pattern_of(rules).month(2028, 5)) / 31
    end = _BEGIN + min(_DAYS, max(2, int(_MOST_FIRES / max(dense, 1)))) * 86400
    if calendars:
        before = fires(calendars, _BEGIN, end, "UTC", Reading.MANUAL)
    else:
        before = [slot.instant for slot in slots_between(Schedule(rules), _BEGIN + 1, end, "UTC")]
    after = runs(schedule, fires(dictionaries, _BEGIN, end, "UTC", Reading.MANUAL), _BEGIN + 1, end, "UTC")
    ran = [run.slot.instant for run in after]
    if ran == before:
        return []
    first = min(set(ran) ^ set(before), default=_BEGIN)
    return [f"it would not run as before at {datetime.fromtimestamp(first, UTC):%Y-%m-%d %H:%M}"]


def _times(month: MonthDays) -> str:
    told = [
        f"{day} at {minute // 60:02d}:{minute % 60:02d}" for day, minutes in month for minute in minutes[:2]
    ]
    return f"{', '.join(told[:3]) or 'never'} of a month"


def _shown(value: Any) -> str:
    if value is None or value == () or value is False:
        return "not set"
    return json.dumps(value, ensure_ascii=False, default=str)[:120]
