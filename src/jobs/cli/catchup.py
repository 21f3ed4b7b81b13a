"""`jobs catchup`: what a quota stop skipped runs again, one by one, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jobs.errors import Exit, UsageError

if TYPE_CHECKING:
    from types import FrameType

    from jobs.model.job import Manifest
    from jobs.runtime.catchup import Decision
    from jobs.runtime.drain import Machine, Made

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl catchup --explain      each job, and what each filter says of it
  jobsctl catchup --dry-run      what would run, in order
  jobsctl catchup                run it, one job after the other

Exit status: 0 nothing to do, or all made up; 1 something failed or is still due; 2 usage; 130 interrupted by ^C or TERM
(the job that runs goes on by itself, the rest stays due).
"""


@app.command(epilog=EPILOG)
def catchup(
    explain: Annotated[
        bool, typer.Option("--explain", help="Show why each job is or is not made up; run nothing.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would run; run nothing.")] = False,
    json_output: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    direct: Annotated[bool, typer.Option("--direct", help="Start the wrappers without launchd.")] = False,
    pause: Annotated[
        float | None, typer.Option(min=0, help="Seconds between two runs. Default: the manifest's.")
    ] = None,
    manifest: Annotated[
        Path | None, typer.Option(help="The manifest. Default: jobs.toml here or above.")
    ] = None,
) -> int:
    """Make up the slots that a quota stop skipped: one by one, oldest first, each to its end."""
    from jobs.catchup.gather import decisions, expired
    from jobs.catchup.lock import one_at_a_time
    from jobs.cli.manifest import require_manifest
    from jobs.runtime.catchup import in_order
    from jobs.system.clock import local_zone, now

    loaded = require_manifest(manifest)
    found = decisions(loaded, now(), local_zone())
    candidates = in_order(found)
    if explain or dry_run:
        _show(found, candidates, explain=explain, json_output=json_output)
        return Exit.OK
    overdue = expired(loaded, found, now(), local_zone())
    if not candidates and not overdue:
        _say(json_output, "nothing to make up")
        _json(json_output, found, ())
        return Exit.OK
    with one_at_a_time(Path(loaded.project.state)) as mine:
        if not mine:
            _say(json_output, "another catch-up is at work: this one leaves it alone")
            _json(json_output, found, ())
            return Exit.OK
        # Once more, now that no other catch-up can make it untrue.
        found = decisions(loaded, now(), local_zone())
        return _drain(loaded, found, json_output, direct, pause)


def _drain(
    manifest: Manifest, found: Sequence[Decision], json_output: bool, direct: bool, pause: float | None
) -> int:
    import sys

    from jobs.catchup.gather import expired
    from jobs.model.job import CatchupSettings
    from jobs.runtime.catchup import in_order
    from jobs.runtime.drain import Limits, drain
    from jobs.system.clock import local_zone, now

    settings = manifest.catchup or CatchupSettings()
    machine = _machine(manifest, direct)
    limits = Limits(settings.timeout_s, settings.pause_s if pause is None else pause)
    candidates = in_order(found)
    overdue = expired(manifest, found, now(), local_zone())
    made: list[Made] = []
    with _term_as_interrupt():
        try:
            for name in overdue:
                machine.ask_wrapper(name)
            for one in drain(
                candidates, machine, limits, lambda words: print(words, file=sys.stderr, flush=True), found
            ):
                made.append(one)
                _say(json_output, f"{one.decision.job.name}: {one.words} ({int(one.seconds)} s)")
        except KeyboardInterrupt:
            _tell_interrupted(candidates, made, machine)
            _json(json_output, found, made)
            raise
    _json(json_output, found, made)
    words, bad = _summary(made, overdue)
    _say(json_output, words)
    return Exit.FINDINGS if bad else Exit.OK


def _summary(made: Sequence[Made], overdue: Sequence[str]) -> tuple[str, bool]:
    """What was done, in a line, and whether something failed or is still due."""
    good = sum(one.outcome == "ok" for one in made)
    due = [
        one.decision.job.name
        for one in made
        if one.outcome in {"refused", "waiting", "skipped", "not-started"}
    ]
    bad = [one.decision.job.name for one in made if one.outcome in {"failed", "hung"}]
    words = [f"{good} made up"]
    words += [f"{len(bad)} failed ({', '.join(bad)})"] if bad else []
    words += [f"{len(due)} still due ({', '.join(due)})"] if due else []
    words += (
        [f"{len(overdue)} past their window, recorded as missed ({', '.join(overdue)})"] if overdue else []
    )
    return "; ".join(words), bool(bad or due)


@contextmanager
def _term_as_interrupt() -> Iterator[None]:
    """TERM, launchd's way to stop an agent, tells the same story as ^C."""
    import signal

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _tell_interrupted(candidates: Sequence[Decision], made: Sequence[Made], machine: Machine) -> None:
    """Who still runs, and what the next catch-up will find."""
    import sys

    done = {one.decision.job.name for one in made}
    rest = [decision.job.name for decision in candidates if decision.job.name not in done]
    running = [name for name in rest if machine.running(name) is not None]
    rest = [name for name in rest if name not in running]
    words = ["interrupted"]
    words += [f"{name} runs on by itself" for name in running]
    words += [f"not begun, and still due: {', '.join(rest)}"] if rest else []
    print("; ".join(words), file=sys.stderr, flush=True)


def _machine(manifest: Manifest, direct: bool) -> Any:
    """The machine: launchd's, or this one's wrappers where there is no launchctl."""
    from jobs.catchup.machine import RealMachine
    from jobs.install.site import running_person, site_of
    from jobs.system.launchctl import Launchctl, find

    launchctl: Launchctl | None = None
    targets: dict[str, str] = {}
    if not direct:
        try:
            launchctl = find()
        except UsageError:
            launchctl = None  # Linux: the wrappers are started directly
    if launchctl is not None:
        site = site_of(manifest.project, running_person())
        targets = {job.name: site.target(job.label) for job in manifest.jobs}
    wrappers = Path(manifest.project.output_dir) / "bin"
    if not wrappers.is_dir():
        raise UsageError(f"there are no wrappers in {wrappers}: `jobsctl build` makes them")
    return RealMachine(Path(manifest.project.state), wrappers, launchctl, targets)


def _say(json_output: bool, words: str) -> None:
    if not json_output:
        print(words, flush=True)


def _show(
    found: Sequence[Decision], candidates: Sequence[Decision], *, explain: bool, json_output: bool
) -> None:
    if json_output:
        _json(json_output, found, ())
        return
    if explain:
        for line in _table(found):
            print(line)
        print()
    if not candidates:
        print("nothing to make up")
    for position, decision in enumerate(candidates, 1):
        others = f", standing for {len(decision.others)} older" if decision.others else ""
        print(f"{position}. {decision.job.name}: slot {decision.slot.name if decision.slot else ''}{others}")


def _table(found: Sequence[Decision]) -> Iterable[str]:
    """Job by filter: yes or no, and the ground."""
    width = max((len(decision.job.name) for decision in found), default=3)
    yield f"{'job':{width}}  made up  why"
    for decision in found:
        grounds = "; ".join(
            f"{answer.filter}: {'yes' if answer.yes else 'no'}, {answer.ground}"
            for answer in decision.answers
        )
        yield f"{decision.job.name:{width}}  {'yes' if decision.candidate else 'no':7}  {grounds}"


def _json(wanted: bool, found: Sequence[Decision], made: Sequence[Made]) -> None:
    if not wanted:
        return
    import json

    ends = {one.decision.job.name: one for one in made}
    rows = []
    for decision in found:
        row: dict[str, Any] = {
            "job": decision.job.name,
            "candidate": decision.candidate,
            "slot": decision.slot.name if decision.slot else None,
            "reason": decision.reason,
            "others": list(decision.others),
            "answers": [{"filter": a.filter, "yes": a.yes, "ground": a.ground} for a in decision.answers],
        }
        if decision.job.name in ends:
            one = ends[decision.job.name]
            row["outcome"] = {"word": one.outcome, "words": one.words, "seconds": round(one.seconds, 1)}
        rows.append(row)
    print(json.dumps({"jobs": rows}, indent=2))
