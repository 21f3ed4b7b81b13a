"""The fields of a StartCalendarInterval dictionary and what they say in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from jobs.lint.plist_job import PlistJob
from jobs.read.plist_value import PlistEntry, PlistValue

RANGES: Mapping[str, tuple[int, int]] = {
    "Minute": (0, 59),
    "Hour": (0, 23),
    "Day": (1, 31),
    "Weekday": (0, 7),
    "Month": (1, 12),
}
EVERY = {
    "Minute": "every minute",
    "Hour": "every hour",
    "Day": "every day",
    "Weekday": "every day",
    "Month": "every month",
}
WEEKDAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")  # fmt: skip
LENGTHS = (0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class Entry:
    """One dictionary of times. `present` are the fields written in it; `fields` those with a usable number."""

    value: PlistValue
    present: Mapping[str, PlistEntry]
    fields: Mapping[str, int]

    def has(self, *names: str) -> bool:
        """Whether any of the fields is written."""
        return any(name in self.present for name in names)

    def days(self) -> str:
        """The days of the entry in words, such as `on Mondays`; empty for every day."""
        parts = []
        if "Weekday" in self.fields:
            parts.append(f"on {WEEKDAYS[self.fields['Weekday']]}s")
        if "Day" in self.fields:
            parts.append(f"on day {self.fields['Day']}")
        words = " or ".join(parts)
        if "Month" in self.fields:
            words = (
                f"{words} in {MONTHS[self.fields['Month']]}"
                if words
                else f"in {MONTHS[self.fields['Month']]}"
            )
        return words


def entries(job: PlistJob) -> Iterator[Entry]:
    """The dictionaries of times of a job."""
    for value in job.calendar():
        present = {entry.key: entry for entry in value.entries if entry.key in RANGES}
        fields = {
            name: number
            for name, entry in present.items()
            if (number := entry.value.number) is not None and RANGES[name][0] <= number <= RANGES[name][1]
        }
        yield Entry(value, present, fields)
