"""What starts a job besides times of day, in words."""

from __future__ import annotations

from jobs.model.job import Job
from jobs.schedule.words import duration_in_words

PHASE = (
    "counted from when the job is loaded (login, install, restart): no time of day is known in advance, "
    "and a fire during sleep is left out"
)


def interval_in_words(job: Job) -> str | None:
    """`every 30 min`, or None for a job without an interval."""
    return None if job.every_s is None else f"every {duration_in_words(job.every_s)}"


def events_in_words(job: Job) -> tuple[str, ...]:
    """The events that start a job: changes of files, its loading, its end."""
    found = [f"when {path} changes" for path in job.watch]
    if job.at_load:
        found.append("when it is loaded")
    if job.keep_alive is not None:
        found.append("again when it ends" + (", on conditions" if job.keep_alive.conditions else ""))
    return tuple(found)
