"""A schedule as StartCalendarInterval: few dictionaries whose fires cover every slot, whatever launchd makes of them.

The wrapper is exact, so a fire that is no slot costs one short start, and a slot without a fire costs a run. What the
dictionaries must survive (launchd-842 is the last open source, the manual is today's, and both may hold):

- Day and Weekday in one dictionary are OR, and Month does not hold beside Weekday in 842. So Weekday stands alone.
- 842 rolls a day that a month lacks into the next month; it fires on the real ones, too. The manual says nothing.
- Times in the hour that spring leaves out may not fire at all. 842 fires for them late, or at once and again and again.
- 842 computes a fire when the one before it is done, with the offset that holds at the midnight of its day, month or
  year: on the day of the spring change, and on numbered days in a month or year that began without summer time, it
  fires an hour late. (An hour early in autumn, and then once more in time: the wrapper skips the first.)
- After the day of a change 842 takes the next midnight for 01:00, and forgets a weekly time in that day's first hour.

So a slot may run an hour late there. It must not get lost: where the next slot comes within that hour, a dictionary an
hour earlier is added, which 842 fires in time; and a time in the hours 0 to 3 gets a fire after the hour that may be
missing. Most zones change their clocks on a Sunday, but Egypt and others on a Friday, so both are written for every day.
What is left are changes by more or less than an hour (Troll, Lord Howe) and a day left out (Apia, 2011): there a slot
may give way to the next one that comes within the change, with a record; so may the older of two that one jump makes
due together, anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from jobs.schedule.dates import LONGEST, has_slots
from jobs.schedule.entries import ANY, Entry, is_covered, reduced
from jobs.schedule.rule import (
    ALL_DAYS,
    ALL_HOURS,
    ALL_MINUTES,
    ALL_MONTHS,
    ALL_WEEKDAYS,
    LAST_DAY,
    Rule,
    Schedule,
)

FEW: Final = 24  # dictionaries that a person may still read
MOST: Final = 64
_LAST_GAP_HOUR: Final = 3  # no zone has sprung ahead later in the day for long
_TWO_HOURS_LATER: Final = 3  # where Antarctica/Troll goes on, whose gap begins at 01:00


@dataclass(frozen=True, slots=True)
class Option:
    """One way to cover a rule: the dates and times that are multiplied, and what they cost."""

    dates: tuple[Entry, ...]
    hours: tuple[int, ...]  # (ANY,) for every hour
    minutes: tuple[int, ...]
    fires: float  # a year
    exact: bool  # fires at slots only, clock changes aside

    @property
    def count(self) -> int:
        """The number of dictionaries."""
        return len(self.dates) * len(self.hours) * len(self.minutes)

    def entries(self) -> set[Entry]:
        """The dictionaries."""
        return {
            date._replace(hour=hour, minute=minute)
            for date in self.dates
            for hour in self.hours
            for minute in self.minutes
        }


def calendar_dictionaries(schedule: Schedule) -> tuple[dict[str, int], ...]:
    """The value of StartCalendarInterval, sorted; at most 64 dictionaries, empty for a schedule without slots.

    A schedule with a zone of its own fires every quarter of an hour around its minutes, in any zone of the machine:
    zones differ by multiples of 15 minutes.
    """
    return tuple(entry.dictionary() for entry in sorted(_plan(schedule)[0]))


def is_exact(schedule: Schedule) -> bool:
    """Whether launchd fires at slots only, in either reading, clock changes aside."""
    return _plan(schedule)[1]


@lru_cache(maxsize=1024)
def _plan(schedule: Schedule) -> tuple[frozenset[Entry], bool]:
    """The entries of a schedule, and whether they are exact."""
    rules = tuple(rule for rule in schedule.rules if has_slots(rule))
    if not rules:
        return frozenset(), True
    if schedule.zone is not None:
        minutes = {
            (minute + quarter) % 60
            for rule in rules
            for minute in rule.minutes
            for quarter in (0, 15, 30, 45)
        }
        return frozenset(reduced(Entry(minute=minute) for minute in minutes)), False
    chosen = _chosen([_options(rule) for rule in rules])
    base = reduced(entry for option in chosen for entry in option.entries())
    gap = _after_gap(base, rules)
    shift = _before_shift(base | gap, rules)
    exact = not gap and not shift and all(option.exact for option in chosen)
    for entries in (base | gap | shift, base | _on_any_day(gap)):
        found = reduced(entries)
        if len(found) <= MOST:
            return frozenset(found), exact
    return frozenset(_joined([_every_hour(_options(rule)) for rule in rules])), False


def _options(rule: Rule) -> list[Option]:
    """The ways to cover a rule, the best first: few fires, and among nearly equals few dictionaries."""
    hours = (ANY,) if rule.hours == ALL_HOURS else rule.hours
    minutes = (ANY,) if rule.minutes == ALL_MINUTES else rule.minutes
    options = []
    for dates, days_a_year, exact in _date_options(rule):
        options.append(
            Option(dates, hours, minutes, days_a_year * len(rule.hours) * len(rule.minutes), exact)
        )
        if hours != (ANY,):
            options.append(Option(dates, (ANY,), minutes, days_a_year * 24 * len(rule.minutes), exact=False))
    return sorted(options, key=lambda option: (option.fires + 2 * option.count, option.count))


def _date_options(rule: Rule) -> list[tuple[tuple[Entry, ...], float, bool]]:
    """The ways to cover the dates of a rule: entries without times, days a year, whether they are exact."""
    any_day, any_month, any_weekday = (
        rule.days == ALL_DAYS,
        rule.months == ALL_MONTHS,
        rule.weekdays == ALL_WEEKDAYS,
    )
    every: tuple[tuple[Entry, ...], float, bool] = ((Entry(),), 365, any_day and any_month and any_weekday)
    options = [every]
    if not any_month:
        months = tuple(Entry(month=month) for month in rule.months)
        options.append((months, 30.4 * len(months), any_day and any_weekday))
    weekdays = tuple(Entry(weekday=weekday) for weekday in rule.weekdays)
    numbered, exact_numbers = _numbered(rule)
    if rule.either:
        days = (*numbered, *weekdays)
        options.append((days, _days_a_year(days), exact_numbers and any_month))
        return options
    if not any_weekday:
        options.append((weekdays, _days_a_year(weekdays), any_day and any_month))
    if not any_day:
        options.append((numbered, _days_a_year(numbered), exact_numbers and any_weekday))
        if not any_month:
            bare = tuple(sorted({entry._replace(month=ANY) for entry in numbered}))
            options.append((bare, _days_a_year(bare), False))
    return options


def _numbered(rule: Rule) -> tuple[tuple[Entry, ...], bool]:
    """The days of a rule by number, and whether they are its days only, in every reading."""
    if rule.months == ALL_MONTHS:
        last = range(28, 32) if LAST_DAY in rule.days else ()
        days = sorted({*rule.days, *last} - {LAST_DAY})
        return tuple(Entry(day=day) for day in days), max(days) <= 28 and LAST_DAY not in rule.days
    found: set[Entry] = set()
    for month in rule.months:
        found |= {Entry(month, day) for day in rule.days if 0 < day <= LONGEST[month]}
        if LAST_DAY in rule.days:
            found.add(Entry(month, LONGEST[month]))
            if month == 2:
                found.add(Entry(month, 28))
    return tuple(sorted(found)), not any(entry.month == 2 and entry.day >= 28 for entry in found)


def _days_a_year(dates: tuple[Entry, ...]) -> float:
    """How many days a year such entries match, about."""
    return sum(52.2 if date.weekday != ANY else 1 if date.month != ANY else 12 for date in dates)


def _chosen(options: list[list[Option]]) -> list[Option]:
    """One option for each rule, such that all together are few, or as few as the times allow."""
    chosen = [
        next(option for limit in (FEW, MOST) for option in candidates if option.count <= limit)
        for candidates in options
    ]
    while len(_joined(chosen)) > FEW:
        steps = [
            (-option.count, index, fewer)
            for index, (option, candidates) in enumerate(zip(chosen, options, strict=True))
            for fewer in candidates
            if fewer.count < option.count
        ]
        if not steps:
            break
        _, index, fewer = min(steps, key=lambda step: step[:2])
        chosen[index] = fewer
    if len(_joined(chosen)) > MOST:
        # Times without a common minute or hour: their minutes in every hour, which are 60 at most.
        return [_every_hour(candidates) for candidates in options]
    return chosen


def _every_hour(candidates: list[Option]) -> Option:
    """The option with the minutes in every hour, which are 60 at most, if there is one."""
    return min(candidates, key=lambda option: (option.hours, option.count))


def _joined(options: list[Option]) -> set[Entry]:
    return reduced(entry for option in options for entry in option.entries())


def _before_shift(entries: set[Entry], rules: tuple[Rule, ...]) -> set[Entry]:
    """Entries an hour earlier for times that would come too late on a shifted day: when the next slot is due already."""
    extra: set[Entry] = set()
    for entry in entries:
        time = max(entry.hour, 0) * 60
        minutes = range(60) if entry.minute == ANY else (entry.minute,)
        slots = _possible_minutes(entry, rules)
        if not any(time + minute < slot <= time + minute + 60 for minute in minutes for slot in slots):
            continue
        if entry.hour in (ANY, 0):
            extra |= _eve(entry)
        elif entry.minute != ANY:
            # Of a whole hour of minutes only the first would ring: 842 searches by the hour.
            extra.add(entry._replace(hour=entry.hour - 1))
    return {entry for entry in _fewer(extra) if not is_covered(entry, entries)}


def _eve(entry: Entry) -> set[Entry]:
    """What fires in the first hour of a day that 842 takes to be an hour earlier or later than it is.

    The hour before, when it is read by the same clock; and the first of a month, when it is looked for month by month.
    """
    if entry.weekday != ANY:
        return {Entry(weekday=(entry.weekday - 1) % 7, hour=23, minute=entry.minute)}
    if entry.day > 1:
        return {entry._replace(day=entry.day - 1, hour=23)}
    return {Entry(day=1, hour=0, minute=entry.minute)} if entry.month != ANY else set()


def _after_gap(entries: set[Entry], rules: tuple[Rule, ...]) -> set[Entry]:
    """Entries after each hour that spring may leave out, for times in it; not where the next slot comes within the hour."""
    extra: set[Entry] = set()
    for entry in entries:
        if not 0 <= entry.hour <= _LAST_GAP_HOUR:
            continue
        for hour in (2, _TWO_HOURS_LATER) if entry.hour == 1 else (entry.hour + 1,):
            after = hour * 60
            if not any(after <= slot < after + 60 for slot in _certain_minutes(entry, rules)):
                extra.add(entry._replace(hour=hour, minute=0))
    return {entry for entry in _fewer(extra) if not is_covered(entry, entries)}


def _fewer(helpers: set[Entry]) -> set[Entry]:
    """The helpers, of every day where they are of three weekdays or more: a start too many is cheaper than a long list."""
    found: set[Entry] = set()
    for entry in helpers:
        weekdays = [other for other in helpers if other == entry._replace(weekday=other.weekday)]
        found.add(entry._replace(weekday=ANY) if len(weekdays) > 2 else entry)
    return found


def _on_any_day(helpers: set[Entry]) -> set[Entry]:
    return {Entry(hour=entry.hour, minute=entry.minute) for entry in helpers}


def _possible_minutes(date: Entry, rules: tuple[Rule, ...]) -> set[int]:
    """The minutes of the day that may be slots on such a date, and the first one of the day after it."""
    first = min(rule.hours[0] * 60 + rule.minutes[0] for rule in rules)
    return _minutes_of([rule for rule in rules if _may_match(rule, date)]) | {first + 1440}


def _may_match(rule: Rule, date: Entry) -> bool:
    """Whether a rule may have slots on a date that an entry describes."""
    by_month = date.month == ANY or date.month in rule.months
    by_day = date.day == ANY or date.day in rule.days or (LAST_DAY in rule.days and date.day >= 28)
    by_weekday = date.weekday == ANY or date.weekday in rule.weekdays
    return by_month and (rule.either or (by_day and by_weekday))


def _certain_minutes(date: Entry, rules: tuple[Rule, ...]) -> set[int]:
    """The minutes of the day that are slots on every such date."""
    sure = []
    for rule in rules:
        if rule.months != ALL_MONTHS and date.month not in rule.months:
            continue
        by_day = rule.days == ALL_DAYS or date.day in rule.days
        by_weekday = rule.weekdays == ALL_WEEKDAYS or date.weekday in rule.weekdays
        if by_day or by_weekday if rule.either else by_day and by_weekday:
            sure.append(rule)
    return _minutes_of(sure)


def _minutes_of(rules: list[Rule]) -> set[int]:
    return {hour * 60 + minute for rule in rules for hour in rule.hours for minute in rule.minutes}
