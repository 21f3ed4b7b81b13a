"""`jobs week`: the days to come as a calendar, in the terminal or as one page of HTML."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from jobs.cli.installed import MANIFEST_HELP
from jobs.errors import Exit

if TYPE_CHECKING:
    from jobs.week.plan import Calendar

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl week                           the next seven days
  jobsctl week --from 2027-03-08         the week of a change of the clock
  jobsctl week --html week.html --open   one page that needs no network, for the browser or the printer
"""


@app.command(
    epilog=EPILOG,
    help="Show the days to come: which job runs when, what collides, and where the clock changes.",
)
def week(
    start: str | None = typer.Option(None, "--from", metavar="DATE", help="The first day; default: today."),
    days: int = typer.Option(7, min=1, max=31, help="How many days."),
    html: Path | None = typer.Option(
        None, "--html", metavar="FILE", help="Write one page of HTML; - for stdout."
    ),
    show: bool = typer.Option(False, "--open", help="Open the page in the browser (with --html)."),
    manifest: Path | None = typer.Option(None, "--manifest", help=MANIFEST_HELP),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """The exit status."""
    from jobs.cli.installed import print_json
    from jobs.cli.manifest import require_manifest
    from jobs.cli.when import epoch_of
    from jobs.errors import UsageError
    from jobs.system.clock import local_zone, now
    from jobs.week.lengths import expected_lengths
    from jobs.week.plan import make_calendar

    if show and (html is None or str(html) == "-"):
        raise UsageError("--open needs a page: add --html FILE")
    if html is not None and as_json:
        raise UsageError("--html and --json: write one of them")
    found = require_manifest(manifest)
    zone, moment = local_zone(), now()
    begin = moment if start is None else epoch_of(start, zone)
    calendar = make_calendar(found, begin, moment, days, zone, expected_lengths(found))
    if html is not None:
        return _write_page(calendar, found.project.name, html, show)
    if as_json:
        print_json(_record(calendar))
        return Exit.OK
    _print_table(calendar)
    return Exit.OK


def _write_page(calendar: Calendar, project: str, html: Path, show: bool) -> int:
    from jobs.cli.html import write_page
    from jobs.week.page import render_page

    told = f"{calendar.days} days, {len(calendar.lanes)} jobs, {len(calendar.collisions)} collisions"
    write_page(render_page(calendar, project), html, told)
    if show:
        import webbrowser

        webbrowser.open(html.resolve().as_uri())
    return Exit.OK


def _print_table(calendar: Calendar) -> None:
    import shutil

    from jobs.cli.console import BLUE, BOLD, DIM, RED, paint
    from jobs.week.table import table

    codes = {"bold": BOLD, "dim": DIM, "alarm": RED, "now": BLUE}
    width = shutil.get_terminal_size((100, 40)).columns
    for line in table(calendar, width, lambda text, style: paint(text, codes[style], sys.stdout)):
        print(line)


def _record(calendar: Calendar) -> dict[str, Any]:
    from jobs.week.causes import events_in_words, interval_in_words

    return {
        "from": calendar.first.isoformat(),
        "days": calendar.days,
        "zone": calendar.zone,
        "now": calendar.moment,
        "jobs": [
            {
                "job": lane.job.name,
                "schedule": lane.words,
                "guards": list(lane.job.guards),
                "expected": lane.expected_s,
                "slots": [{"slot": entry.slot.id, "epoch": entry.slot.instant} for entry in lane.entries],
            }
            for lane in calendar.lanes
        ],
        "collisions": [
            {
                "wanted": collision.wanted,
                "slots": [
                    {"job": name, "slot": entry.slot.id, "epoch": entry.slot.instant}
                    for name, entry in collision.entries
                ],
            }
            for collision in calendar.collisions
        ],
        "clock_changes": [
            {"date": calendar.date(change.day).isoformat(), "minute": change.minute, "shift": change.shift_s}
            for change in calendar.changes
        ],
        "others": [
            {"job": job.name, "interval": interval_in_words(job), "events": list(events_in_words(job))}
            for job in calendar.others
        ],
    }
