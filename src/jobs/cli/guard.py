"""`jobs guard`: the breakers of the AI tools' quotas, by hand and by judgement."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from jobs.errors import Exit, UsageError
from jobs.system import clock

if TYPE_CHECKING:
    from jobs.runtime.breaker import BreakerState
    from jobs.runtime.detect import Judgement

app = typer.Typer(add_completion=False, rich_markup_mode=None, invoke_without_command=True)

STATE = typer.Option(None, help="The state folder. Default: that of the manifest.")
MANIFEST = typer.Option(None, help="The manifest. Default: jobs.toml, here or in a folder above.")
AS_JSON = typer.Option(False, "--json", help="Report as JSON.")
LOG = typer.Argument(help="The job's log.")
TOOL = typer.Option(None, help="The detector to use (claude, codex, gemini, ...). Default: all of them.")
PATTERN = typer.Option([], help="A regular expression of your own that marks a stop. May be given again.")
EPILOG = """\b
Examples:
  jobsctl guard                   every guard: closed, open until when and why
  jobsctl guard trip claude --until 2h
"""
STATUS_EPILOG = """\b
Examples:
  jobsctl guard status            every guard: closed, open until when and why
  jobsctl guard status --json     the same for programs
"""
TRIP_EPILOG = """\b
Examples:
  jobsctl guard trip claude --until 2h --reason "keep the window for a demo"
  jobsctl guard trip claude --until "2026-12-04 10:00"
  jobsctl guard trip claude       until `jobsctl guard reset claude`
"""
RESET_EPILOG = """\b
Examples:
  jobsctl guard reset claude      the jobs run again, after a top-up or a change of account
"""
CLASSIFY_EPILOG = """\b
Examples:
  jobsctl guard classify --exit 1 run.log       what does this output mean?
  claude -p ok 2>&1 | jobsctl guard classify --tool claude --json
"""


@app.callback(
    epilog=EPILOG,
    help="Show, open and close the breakers of the AI tools' quotas; judge an output. Without a command: status.",
)
def guard(context: typer.Context) -> int:
    """The exit status of a call without a command, which shows the guards."""
    return status() if context.invoked_subcommand is None else Exit.OK


@app.command("status", epilog=STATUS_EPILOG, help="Show every guard: closed, open until when and why.")
def status_command(
    manifest: Path | None = MANIFEST, state: Path | None = STATE, as_json: bool = AS_JSON
) -> int:
    """The exit status, 0."""
    return status(manifest, state, as_json)


def status(manifest: Path | None = None, state: Path | None = None, as_json: bool = False) -> int:
    """Print the state of every guard; 0."""
    from jobs.runtime.breaker import load

    folder, names = _guards(manifest, state)
    now = clock.now()
    found = {name: load(folder / "guard" / name, now) for name in names}
    if as_json:
        print(
            json.dumps([_as_json(name, each) for name, each in found.items()], indent=2, ensure_ascii=False)
        )
        return Exit.OK
    if not found:
        print("no guards: the manifest has no [guards.NAME] table")
    for name, each in found.items():
        print(f"{name}: {_in_words(each, now)}")
        if each.warning:
            print(f"  warning: {each.warning}")
        if each.words:
            print(f"  {each.words}")
    return Exit.OK


@app.command(epilog=TRIP_EPILOG, help="Open a guard by hand: its jobs are skipped until then.")
def trip(
    name: str = typer.Argument(help="The guard's name in the manifest."),
    until: str | None = typer.Option(
        None, help="2h30m, 13:00, 2026-12-04T10:00 or an epoch. Default: until reset."
    ),
    reason: str = typer.Option("opened by hand", help="What status and records say about it."),
    manifest: Path | None = MANIFEST,
    state: Path | None = STATE,
) -> int:
    """The exit status, 0."""
    from jobs.runtime import breaker

    path = _guard_file(name, manifest, state)
    now = clock.now()
    opened = breaker.trip(path, now, 0 if until is None else moment(until, now), reason)
    print(f"{name}: {_in_words(opened, now)}")
    return Exit.OK


@app.command(epilog=RESET_EPILOG, help="Close a guard by hand: its jobs run again.")
def reset(
    name: str = typer.Argument(help="The guard's name in the manifest."),
    manifest: Path | None = MANIFEST,
    state: Path | None = STATE,
) -> int:
    """The exit status, 0."""
    from jobs.runtime import breaker

    closed = breaker.reset(_guard_file(name, manifest, state))
    print(f"{name}: closed" if closed else f"{name}: was closed already")
    return Exit.OK


@app.command(
    epilog=CLASSIFY_EPILOG,
    help="Say what the output of a run means: ok, failed, quota, billing, auth or throttle.",
)
def classify(
    file: str = typer.Argument("-", help="The output; - is standard input."),
    tool: str | None = TOOL,
    exit_status: int | None = typer.Option(None, "--exit", help="The run's exit status. Default: unknown."),
    pattern: list[str] = PATTERN,
    seen: int | None = typer.Option(None, "--now", help="The epoch at which it was printed. Default: now."),
    zone: str | None = typer.Option(
        None, help="The time zone it was printed in. Default: that of this machine."
    ),
    as_json: bool = AS_JSON,
) -> int:
    """The exit status, 0 whatever the judgement."""
    from jobs.runtime.detect.output import read_output

    try:
        output, whole = (sys.stdin.buffer.read(), True) if file == "-" else read_output(Path(file))
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
    now = clock.now() if seen is None else seen
    found = _judge(output, whole, exit_status, tool, pattern, now, zone)
    if as_json:
        print(json.dumps(_judgement_as_json(found), ensure_ascii=False))
        return Exit.OK
    word = "failed, maybe quota" if found.maybe_quota else found.verdict
    print(f"{word} until {_local(found.until)}" if found.until else word)
    for text in (found.line, found.reason, found.warning and f"warning: {found.warning}"):
        if text:
            print(f"  {text}")
    return Exit.OK


@app.command(hidden=True, help="For the wrappers: one line VERDICT UNTIL TEXT about the end of a log.")
def judge(
    log: Path = LOG,
    exit_status: int = typer.Option(..., "--exit", help="The run's exit status."),
    offset: int = typer.Option(0, help="Where in the log this run began, in bytes."),
    seen: int | None = typer.Option(None, "--now", help="The epoch of the run's end."),
    tool: str | None = TOOL,
    pattern: list[str] = PATTERN,
) -> int:
    """The exit status: 0 with a line, 2 without one."""
    from jobs.runtime.breaker import one_line
    from jobs.runtime.detect.output import read_output

    try:
        output, whole = read_output(log, offset)
    except OSError as error:
        raise UsageError(f"cannot read {log}: {error.strerror}") from error
    found = _judge(output, whole, exit_status, tool, pattern, clock.now() if seen is None else seen, None)
    text = one_line(f"maybe quota: {found.line}" if found.maybe_quota else found.line)
    print(f"{found.verdict} {found.until or 0} {text}".rstrip())
    return Exit.OK


def _judge(
    output: bytes,
    whole: bool,
    exit_status: int | None,
    tool: str | None,
    patterns: list[str],
    now: int,
    zone: str | None,
) -> Judgement:
    import re

    from jobs.runtime.detect import TOOLS
    from jobs.runtime.detect import judge as judge_output

    try:
        return judge_output(output, exit_status, tool, patterns, now, zone, whole=whole)
    except KeyError as error:
        raise UsageError(f"there is no detector {tool!r}; there are {', '.join(TOOLS)}") from error
    except re.error as error:
        raise UsageError(f"bad pattern: {error}") from error


def moment(text: str, now: int) -> int:
    """The epoch that `--until` names: a duration from now, a clock (the next one), a date with a clock, or an epoch.

    Raises UsageError for anything else and for what has passed.
    """
    import re
    from datetime import datetime, timedelta

    from jobs.runtime.detect.zones import instant, local_offset, wall

    length = re.fullmatch(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", text)
    here = wall(now, local_offset)
    try:
        if text and length:
            days, hours, minutes, seconds = (int(part or 0) for part in length.groups())
            epoch = now + days * 86400 + hours * 3600 + minutes * 60 + seconds
        elif re.fullmatch(r"\d{9,11}", text):
            epoch = int(text)
        elif re.fullmatch(r"\d{1,2}:\d\d", text):
            hour, minute = (int(part) for part in text.split(":"))
            at = here.replace(hour=hour, minute=minute, second=0)
            epoch = instant(at if at > here else at + timedelta(days=1), local_offset)
        else:
            at = datetime.fromisoformat(text)
            epoch = instant(at, local_offset) if at.tzinfo is None else int(at.timestamp())
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f"--until {text!r} is no time; write 2h30m, 13:00, 2026-12-04T10:00 or an epoch"
        ) from error
    if epoch <= now:
        raise UsageError(f"--until {text!r} has passed")
    return epoch


def _guards(manifest: Path | None, state: Path | None) -> tuple[Path, list[str]]:
    """The state folder and the names of the guards; with `--state` alone, those that have a file there."""
    if state is not None and manifest is None:
        folder = state / "guard"
        found = sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []
        return state, [name for name in found if not name.startswith(".")]
    from jobs.cli.manifest import require_manifest

    loaded = require_manifest(manifest)
    return state or Path(loaded.project.state), [guard.name for guard in loaded.guards]


def _guard_file(name: str, manifest: Path | None, state: Path | None) -> Path:
    import re

    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise UsageError(f"{name!r} is no name of a guard")
    folder, names = _guards(manifest, state)
    if (state is None or manifest is not None) and name not in names:
        raise UsageError(f"there is no guard {name!r}; there are: {', '.join(names) or 'none'}")
    return folder / "guard" / name


def _local(epoch: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(epoch))


def _in_words(state: BreakerState, now: int) -> str:
    if state.state == "closed":
        return "closed"
    since = f"since {_local(state.since)}" + (f", job {state.job}" if state.job else "")
    if state.state == "half-open":
        return f"half-open ({state.kind}): the next job tries ({since})"
    if not state.until:
        return f"open ({state.kind}) until told: `jobsctl guard reset` ({since})"
    left = (state.until - now + 59) // 60
    return f"open ({state.kind}) until {_local(state.until)}, {left // 60}h{left % 60:02d}m left ({since})"


def _as_json(name: str, state: BreakerState) -> dict[str, object]:
    return {
        "guard": name,
        "state": state.state,
        "kind": state.kind,
        "until": state.until or None,
        "since": state.since or None,
        "attempt": state.attempt,
        "job": state.job or None,
        "words": state.words or None,
        "warning": state.warning or None,
    }


def _judgement_as_json(found: Judgement) -> dict[str, object]:
    return {
        "verdict": found.verdict,
        "maybe_quota": found.maybe_quota,
        "until": found.until,
        "line": found.line,
        "reason": found.reason,
        "warning": found.warning or None,
    }
