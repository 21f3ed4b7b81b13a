"""`jobs simulate`: days that have not come yet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from jobs.cli.installed import MANIFEST_HELP
from jobs.errors import Exit

if TYPE_CHECKING:
    from jobs.model.job import Manifest
    from jobs.schedule.firing import Reading
    from jobs.simulate.result import Result

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl simulate                                          the next 24 hours, if nothing goes wrong
  jobsctl simulate --asleep 23:30-08:10                     a Mac that sleeps at night
  jobsctl simulate --quota-out claude=09:00-10:00 digest    what a quota stop does to one job
  jobsctl simulate --asleep 23:30-08:10 --html day.html     one page that needs no network
  jobsctl simulate --from 2027-03-08 --to 2027-03-20 --reading 842 --json

A stretch of time is 23:30-08:10 (every day) or 2026-12-01T12:00..2026-12-01T13:00 (once). Nothing is started.
Exit status: 0; 2 for bad usage or a bad manifest.
"""
LONGEST_S = 400 * 86400
MOST_DAYS = 31
"""On a page."""


@app.command(epilog=EPILOG)
def simulate(
    names: list[str] = typer.Argument(None, metavar="[NAME]...", help="Tell of these jobs; default: all."),
    begin: str | None = typer.Option(
        None, "--from", metavar="TIME", help="2026-12-01 or 2026-12-01T09:30, local time; default: now."
    ),
    end: str | None = typer.Option(None, "--to", metavar="TIME", help="Default: a day later."),
    asleep: list[str] = typer.Option([], "--asleep", metavar="STRETCH", help="The Mac sleeps."),
    off: list[str] = typer.Option(
        [], "--off", metavar="STRETCH", help="The Mac is switched off, or nobody is logged in."
    ),
    quota_out: list[str] = typer.Option(
        [], "--quota-out", metavar="GUARD=STRETCH", help="The tool refuses to work."
    ),
    reset_unknown: bool = typer.Option(
        False, "--reset-unknown", help="The tool does not say when its quota comes back."
    ),
    fail: list[str] = typer.Option(
        [], "--fail", metavar="NAME=TIME", help="The run of that slot (HH:MM, or with its date) fails."
    ),
    length: list[str] = typer.Option(
        [], "--length", metavar="NAME=10m", help="How long a run takes; default: as on record, else a minute."
    ),
    reading: str = typer.Option(
        "documented",
        "--reading",
        metavar="documented|842",
        help="launchd by its manual, or as its last open source does.",
    ),
    seed: int | None = typer.Option(
        None, "--seed", help="Let the lengths of runs vary, always alike for one seed."
    ),
    html: Path | None = typer.Option(
        None, "--html", metavar="FILE", help="Write one page of HTML; - for stdout."
    ),
    manifest: Path | None = typer.Option(None, "--manifest", help=MANIFEST_HELP),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Show what would run, be skipped, made up or missed, without starting anything."""
    from jobs.cli.installed import check_names, print_json
    from jobs.cli.manifest import require_manifest
    from jobs.cli.when import epoch_of
    from jobs.errors import UsageError
    from jobs.schedule.wall import wall_clock
    from jobs.simulate.record import record
    from jobs.simulate.result import simulate as play
    from jobs.simulate.scenario import Scenario
    from jobs.simulate.spans import DAY_S, Power, Span, spans_of
    from jobs.simulate.text import lines
    from jobs.system.clock import local_zone, now

    found, zone = require_manifest(manifest), local_zone()
    known = [job.name for job in found.jobs]
    check_names(names or [], known)
    clock = wall_clock(zone)
    start = now() // 60 * 60 if begin is None else epoch_of(begin, zone)
    stop = start + DAY_S if end is None else epoch_of(end, zone)
    _check_time(start, stop, page=html is not None)
    if html is not None and as_json:
        raise UsageError("--html and --json: write one of them")

    def spans(texts: Sequence[str]) -> tuple[Span, ...]:
        return spans_of(texts, clock, start, stop, lambda text: epoch_of(text, zone))

    scenario = Scenario(
        start,
        stop,
        zone,
        Power(spans(off), spans(asleep)),
        quota_out={guard: spans(texts) for guard, texts in _quota(quota_out, found).items()},
        named=not reset_unknown,
        fails=frozenset(_fails(fail, known)),
        lengths=_lengths(length, found),
        reading=_reading(reading),
        seed=seed,
    )
    result = play(found, scenario, frozenset(names or ()))
    if html is not None:
        return _write_page(result, found, html)
    print_json(record(result)) if as_json else print("\n".join(lines(result)))
    return Exit.OK


def _write_page(result: Result, manifest: Manifest, html: Path) -> int:
    from jobs.cli.html import write_page
    from jobs.simulate.page import render_page

    days = f"{len(result.slots)} slots, {result.counts()['missed']} missed"
    write_page(render_page(result, manifest), html, days)
    return Exit.OK


def _check_time(start: int, stop: int, *, page: bool) -> None:
    from jobs.errors import UsageError
    from jobs.simulate.spans import DAY_S

    if stop <= start:
        raise UsageError("--to is not later than --from")
    if stop - start > LONGEST_S:
        raise UsageError("a simulation covers 400 days at most")
    if page and stop - start > MOST_DAYS * DAY_S:
        raise UsageError(f"a page shows {MOST_DAYS} days at most: give --to a day nearer, or leave --html")


def _pairs(texts: Sequence[str], option: str, form: str) -> list[tuple[str, str]]:
    """NAME=VALUE words as pairs. Raises UsageError."""
    from jobs.errors import UsageError

    found = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not name or not equals or not value:
            raise UsageError(f"{option} {text!r}: write {form}")
        found.append((name, value))
    return found


def _quota(texts: Sequence[str], manifest: Manifest) -> dict[str, list[str]]:
    from difflib import get_close_matches

    from jobs.errors import UsageError

    known = sorted({guard for job in manifest.jobs for guard in job.guards})
    found: dict[str, list[str]] = {}
    for guard, value in _pairs(texts, "--quota-out", "--quota-out GUARD=09:00-10:00"):
        if guard not in known:
            near = get_close_matches(guard, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known) or 'none'}"
            raise UsageError(f"no job asks a guard {guard!r}: {hint}")
        found.setdefault(guard, []).append(value)
    return found


def _fails(texts: Sequence[str], known: Sequence[str]) -> list[tuple[str, str]]:
    from jobs.cli.installed import check_names
    from jobs.errors import UsageError

    pairs = _pairs(texts, "--fail", "--fail NAME=09:30")
    check_names([name for name, _ in pairs], known)
    for name, value in pairs:
        if re.fullmatch(r"(\d{4}-\d\d-\d\dT)?([01]\d|2[0-3]):[0-5]\d", value) is None:
            raise UsageError(f"--fail {name}={value}: write the slot as 09:30 or 2026-12-01T09:30")
    return pairs


def _lengths(texts: Sequence[str], manifest: Manifest) -> dict[str, int]:
    """The lengths on record, and over them those that were given."""
    from jobs.cli.installed import check_names
    from jobs.errors import UsageError
    from jobs.week.lengths import expected_lengths

    pairs = _pairs(texts, "--length", "--length NAME=10m")
    check_names([name for name, _ in pairs], [job.name for job in manifest.jobs])
    found = expected_lengths(manifest)
    for name, value in pairs:
        match = re.fullmatch(r"(?:(\d{1,4})h)?(?:(\d{1,6})m)?(?:(\d{1,7})s)?", value)
        hours, minutes, seconds = (int(part or 0) for part in match.groups()) if match else (0, 0, 0)
        found[name] = hours * 3600 + minutes * 60 + seconds
        if found[name] <= 0:
            raise UsageError(f"--length {name}={value}: write a length such as 90s, 10m or 1h30m")
    return found


def _reading(text: str) -> Reading:
    from jobs.errors import UsageError
    from jobs.schedule.firing import Reading

    readings = {"documented": Reading.MANUAL, "842": Reading.RELEASE_842}
    if text not in readings:
        raise UsageError(f"--reading {text!r}: write documented or 842")
    return readings[text]
