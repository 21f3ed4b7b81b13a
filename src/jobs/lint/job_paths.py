"""The texts of a manifest's job that may hold paths."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.lint.rule import JobFacts
from jobs.model.job import ShellLine


def job_texts(facts: JobFacts) -> Iterator[tuple[str, str]]:
    """Pairs of a key of the job's table and a text under it."""
    job = facts.job
    if isinstance(job.run, ShellLine):
        yield "run", job.run.text
    else:
        for word in job.run.words:
            yield "run", word
    yield "cwd", job.cwd
    yield "log", job.log
    if job.env_file is not None:
        yield "env_file", job.env_file
    for path in job.watch:
        yield "watch", path
