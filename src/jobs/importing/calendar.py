"""StartCalendarInterval as times of the manifest: `at` where people would write times, `cron` for what repeats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from jobs.importing.found import Candidate, Fate
from jobs.read.plist_value import PlistValue
from jobs.schedule.dates import has_slots
from jobs.schedule.names import SHORT_WEEKDAYS
from jobs.schedule.rule import ALL_DAYS, ALL_HOURS, ALL_MINUTES, ALL_MONTHS, ALL_WEEKDAYS, Rule

BOUNDS: Final[Mapping[str, tuple[int, int]]] = {
    "Minute": (0, 59),
    "Hour": (0, 23),
    "Day": (1, 31),
    "Weekday": (0, 7),
    "Month": (1, 12),
}
_MANY_TIMES: Final = (
    8  # of one date: from here on a list of times reads worse than a cron expression or a table
)


def rule_of(dictionary: Mapping[str, int]) -> Rule:
    """The minutes of one dictionary, as launchd.plist(5) tells it: an absent key matches all, Day and Weekday are OR."""

    def field(name: str, full: tuple[int, ...]) -> tuple[int, ...]:
        return (dictionary[name],) if name in dictionary else full

    return Rule(
        field("Minute", ALL_MINUTES),
        field("Hour", ALL_HOURS),
        field("Day", ALL_DAYS),
        field("Month", ALL_MONTHS),
        tuple(number % 7 for number in field("Weekday", ALL_WEEKDAYS)),
        either="Day" in dictionary and "Weekday" in dictionary,
    )


def read_calendar(value: PlistValue, candidate: Candidate, *, exact: bool) -> tuple[dict[str, int], ...]:
    """The dictionaries as they are to be imported; what is not as it stands is noted.

    A missing Minute fires sixty times an hour, which hardly anybody means: it becomes 0, unless `exact`.
    """
    if value.kind not in {"array", "dictionary"}:
        candidate.note(
            Fate.LOST, f"StartCalendarInterval is a {value.kind}: launchd does not read it", value.place,
            "write the times as `at` or `cron`", "rules",
        )  # fmt: skip
        return ()
    found: list[dict[str, int]] = []
    for item in value.items if value.kind == "array" else (value,):
        if item.kind != "dictionary":
            candidate.note(
                Fate.LOST, f"a {item.kind} among the times of StartCalendarInterval", item.place,
                "write the time as `at`", "rules",
            )  # fmt: skip
            continue
        fields = _fields(item, candidate)
        if fields is None:
            continue
        if not exact:
            _complete(fields, item, candidate)
        if not has_slots(rule_of(fields)):
            candidate.note(
                Fate.LOST, f"no year has the day {fields.get('Day')} in month {fields.get('Month')}", item.place,
                'for the last day of a month write at = { time = "…", day = "last" }', "rules",
            )  # fmt: skip
            continue
        if fields not in found:
            found.append(fields)
    return tuple(found)


def _fields(item: PlistValue, candidate: Candidate) -> dict[str, int] | None:
    """The five keys of a dictionary, or None where one of them cannot be meant."""
    fields: dict[str, int] = {}
    for entry in item.entries:
        value = entry.value
        if entry.key not in BOUNDS:
            known = next((key for key in BOUNDS if key.lower() == entry.key.lower()), None)
            if known is not None:
                candidate.note(
                    Fate.LOST, f"a time with the key {entry.key}, which launchd does not know", entry.key_place,
                    f"spell it {known}, or write the time as `at`", "rules",
                )  # fmt: skip
                return None
            candidate.note(Fate.LEFT_OUT, f"{entry.key} in StartCalendarInterval", entry.key_place)
            continue
        low, high = BOUNDS[entry.key]
        number = value.number
        text = (value.text or "").strip()
        if (
            number is None
            and text.isascii()
            and text.isdigit()
            and low <= int(text[:4]) <= high
            and len(text) < 4
        ):
            number = int(text)
            candidate.note(
                Fate.MENDED,
                f"{entry.key} is text, which launchd takes for any value, or for none; imported as {number}",
                value.place, "", "rules",
            )  # fmt: skip
        if number is None or not low <= number <= high:
            shown = repr(value.value) if number is None else str(number)
            candidate.note(
                Fate.LOST,
                f"a time whose {entry.key} is {shown}, not an integer from {low} to {high}; some launchds take it for "
                "any value, others drop the time",
                value.place, "write the times that were meant as `at`", "rules",
            )  # fmt: skip
            return None
        fields[entry.key] = number % 7 if entry.key == "Weekday" else number
    return fields


def _complete(fields: dict[str, int], item: PlistValue, candidate: Candidate) -> None:
    """Give a time that names something larger than a minute its Minute, and its Hour where both are missing."""
    if not fields or "Minute" in fields:
        return
    if "Hour" in fields:
        what = f"Minute is missing, so launchd starts it every minute from {fields['Hour']:02d}:00 to {fields['Hour']:02d}:59"
    else:
        what = "Hour and Minute are missing, so launchd starts it every minute of the day"
        fields["Hour"] = 0
    fields["Minute"] = 0
    candidate.note(
        Fate.MENDED, f"{what}; imported as {fields['Hour']:02d}:00", item.place,
        "change the time if another minute was meant; --exact imports what launchd does", "rules",
    )  # fmt: skip


class _Group(NamedTuple):
    """Times of day that share their dates."""

    months: tuple[int, ...]
    days: tuple[int, ...]
    weekdays: tuple[int, ...]
    times: frozenset[tuple[int, int]]


def calendar_keys(dictionaries: Sequence[Mapping[str, int]]) -> dict[str, Any]:
    """`at` or `cron` with the minutes of all dictionaries, and no others."""
    found = list(dict.fromkeys(rule_of(dictionary) for dictionary in dictionaries))
    rules = [rule for rule in found if not any(other != rule and _covers(other, rule) for other in found)]
    if len(rules) == 1 and rules[0].either:
        rule = rules[0]
        return {"cron": _cron(rule.minutes, rule.hours, _list(rule.days), rule.months, _list(rule.weekdays))}
    groups = _groups(rules)
    if len(groups) == 1:
        group = groups[0]
        hours = tuple(sorted({hour for hour, _ in group.times}))
        minutes = tuple(sorted({minute for _, minute in group.times}))
        product = len(group.times) == len(hours) * len(minutes)
        # Restricted both, the days would be OR in cron; the fields of one of them always begin with `*` here.
        if product and len(group.times) > 4 and (group.days == ALL_DAYS or group.weekdays == ALL_WEEKDAYS):
            days, weekdays = _cron_field(group.days, 1, 31), _cron_field(group.weekdays, 0, 6)
            return {"cron": _cron(minutes, hours, days, group.months, weekdays)}
    items = [item for group in groups for item in _items(group)]
    return {"at": items[0] if len(items) == 1 else items}


def _covers(wide: Rule, narrow: Rule) -> bool:
    """Whether a rule has all minutes of another one for sure: each of its fields holds the other's."""
    if wide.either or (narrow.either and (wide.days != ALL_DAYS or wide.weekdays != ALL_WEEKDAYS)):
        return False
    fields = ("minutes", "hours", "days", "months", "weekdays")
    return all(set(getattr(narrow, name)) <= set(getattr(wide, name)) for name in fields)


def _groups(rules: Iterable[Rule]) -> list[_Group]:
    """The rules with dates and times joined as far as they are products."""
    times: dict[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], set[tuple[int, int]]] = {}
    for rule in rules:
        dates = [(rule.months, rule.days, rule.weekdays)]
        if rule.either:
            dates = [(rule.months, rule.days, ALL_WEEKDAYS), (rule.months, ALL_DAYS, rule.weekdays)]
        for date in dates:
            times.setdefault(date, set()).update(
                (hour, minute) for hour in rule.hours for minute in rule.minutes
            )
    groups = [_Group(*date, frozenset(of_date)) for date, of_date in times.items()]
    for axis in (2, 1, 0):
        joined: dict[tuple[object, ...], _Group] = {}
        for group in groups:
            rest = (*group[:axis], *group[axis + 1 :])
            other = joined.get(rest)
            if other is None:
                joined[rest] = group
            else:
                values = tuple(sorted({*other[axis], *group[axis]}))
                joined[rest] = _joined(group, axis, values)
        groups = list(joined.values())
    return groups


def _joined(group: _Group, axis: int, values: tuple[int, ...]) -> _Group:
    """The group with other values in one of its first three fields."""
    if axis == 0:
        return group._replace(months=values)
    return group._replace(days=values) if axis == 1 else group._replace(weekdays=values)


def _items(group: _Group) -> list[Any]:
    """The entries of `at` for a group."""
    times = [f"{hour:02d}:{minute:02d}" for hour, minute in sorted(group.times)]
    weekdays = "" if group.weekdays == ALL_WEEKDAYS else _weekday_names(group.weekdays)
    if group.months == ALL_MONTHS and group.days == ALL_DAYS and len(times) <= _MANY_TIMES:
        return [f"{weekdays} {time}".strip() for time in times]
    table: dict[str, Any] = {"time": times[0] if len(times) == 1 else times}
    if weekdays:
        table["weekday"] = weekdays
    if group.days != ALL_DAYS:
        table["day"] = group.days[0] if len(group.days) == 1 else list(group.days)
    if group.months != ALL_MONTHS:
        table["month"] = group.months[0] if len(group.months) == 1 else list(group.months)
    return [table]


def _weekday_names(numbers: Sequence[int]) -> str:
    """`"mon-fri"`, `"sat,sun"`: the week begins on Monday here, as people list it."""
    ordered = sorted(numbers, key=lambda number: (number - 1) % 7)
    runs = _runs([(number - 1) % 7 for number in ordered])
    names = [SHORT_WEEKDAYS[(place + 1) % 7] for place in range(7)]
    return ",".join(_run_text(names[a], names[b], b - a) for a, b in runs)


def _run_text(first: str, last: str, length: int) -> str:
    if length == 0:
        return first
    return f"{first},{last}" if length == 1 else f"{first}-{last}"


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """The unbroken ranges of sorted numbers."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _cron(
    minutes: Sequence[int], hours: Sequence[int], days: str, months: Sequence[int], weekdays: str
) -> str:
    fields = (
        _cron_field(minutes, 0, 59),
        _cron_field(hours, 0, 23),
        days,
        _cron_field(months, 1, 12),
        weekdays,
    )
    return " ".join(fields)


def _cron_field(numbers: Sequence[int], low: int, high: int) -> str:
    """The shortest plain way to write a field."""
    if len(numbers) == high - low + 1:
        return "*"
    if len(numbers) > 2:
        step = numbers[1] - numbers[0]
        if step > 1 and tuple(numbers) == tuple(range(numbers[0], numbers[-1] + 1, step)):
            if numbers[0] == low and numbers[-1] + step > high:
                return f"*/{step}"
            return f"{numbers[0]}-{numbers[-1]}/{step}"
    return _list(numbers)


def _list(numbers: Sequence[int]) -> str:
    return ",".join(_run_text(str(a), str(b), b - a) for a, b in _runs(numbers))
