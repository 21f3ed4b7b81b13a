"""The breaker of a provider's account: the file `guard/NAME`, and what each end of a run makes of it.

No file: closed. Otherwise two lines::

    1 open UNTIL KIND ATTEMPT SINCE JOB
    the tool's own words, in one line

UNTIL is an epoch, 0 means until told. KIND is quota, billing or manual. ATTEMPT counts refusals in a row that named no
reset. SINCE is the epoch at which the outage began, JOB the job that was refused last. Past UNTIL the breaker is
half-open: one run goes as the canary, the others skip. Nothing is written for that; it follows from the clock.

What a run makes of it, the one table that the wrappers' shell follows too (tests/runtime/breaker_vectors.py)::

    verdict                         before                 after
    any                             manual, open           as it was
    ok, of the canary               open or half-open      closed
    ok, of another run              any                    as it was: it may have got through before the limit
    quota, now < R <= now + 8 d     any                    open, UNTIL R + 120, ATTEMPT 0
    quota, now - 1 h <= R <= now    closed                 open, UNTIL now + 120, ATTEMPT 1: due now, for one run
    quota, R unknown or else        open                   as it was: another run has said it
    quota, R unknown or else        closed or half-open    open, ATTEMPT + 1, UNTIL now + step
    billing                         any                    open, UNTIL 0, ATTEMPT 0
    failed, auth, throttle, ...     any                    as it was: it tells nothing about the quota

    step = min(cooldown * 2 ** (ATTEMPT - 1), max(7200, cooldown)) with the new ATTEMPT
    SINCE stays as long as the breaker is not closed in between: one outage, one notice.

R is the reset that the judgement names; 8 d stands for 8 days less the two minutes that are added. The canary is the
run that went while the breaker was half-open, or one that was started with force. `cooldown` is the guard's; 15 minutes, when left out, gives 15, 30, 60, 120.
A file that cannot be true counts as closed, with a warning: unreadable, begun more than an hour in the future (the
clock was set back), or open for more than 8 days though nobody asked for it by hand.
"""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from jobs.errors import MachineError
from jobs.runtime.plain import open_plain

MARGIN_S = 120
FARTHEST_S = 8 * 86400
FUTURE_S = 3600
PASSED_S = 3600
COOLDOWN_S = 900
LONGEST_STEP_S = 7200
WORDS = 500  # characters

Kind = Literal["quota", "billing", "manual"]
Word = Literal["closed", "open", "half-open"]


@dataclass(frozen=True, slots=True)
class BreakerState:
    """A breaker at one moment. `until` is an epoch, 0 for until told; `since` and `until` are 0 when closed."""

    state: Word = "closed"
    until: int = 0
    kind: Kind | None = None
    attempt: int = 0
    since: int = 0
    job: str = ""
    words: str = ""
    warning: str = ""


CLOSED = BreakerState()
HEAD = re.compile(r"1 open (\d{1,12}) (quota|billing|manual) (\d{1,6}) (\d{1,12}) (\S+)\Z")


def read(text: str | None, now: int) -> BreakerState:
    """The state that a file's text gives at the epoch `now`; None is a file that is not there."""
    if text is None:
        return CLOSED
    head, _, rest = text.partition("\n")
    match = HEAD.match(head)
    if match is None:
        return BreakerState(warning="the breaker's file cannot be read and counts as closed")
    until, attempt, since = int(match[1]), int(match[3]), int(match[4])
    kind: Kind = "quota" if match[2] == "quota" else "billing" if match[2] == "billing" else "manual"
    if since > now + FUTURE_S:
        return BreakerState(
            warning="the breaker was opened in the future (was the clock set back?): it counts as closed"
        )
    if kind != "manual" and until > now + FARTHEST_S:
        return BreakerState(warning="the breaker is open for more than 8 days: it counts as closed")
    state: Word = "half-open" if 0 < until <= now else "open"
    job = "" if match[5] == "-" else match[5]
    return BreakerState(state, until, kind, attempt, since, job, one_line(rest.partition("\n")[0]))


def render(state: BreakerState) -> str | None:
    """The file's text, or None for no file."""
    if state.state == "closed" or state.kind is None:
        return None
    job = re.sub(r"\s", "_", state.job) or "-"
    return f"1 open {state.until} {state.kind} {state.attempt} {state.since} {job}\n{one_line(state.words)}\n"


def one_line(text: str) -> str:
    """Text made fit for a line of a state file: no control characters, not too long."""
    return re.sub(r"[\x00-\x1f\x7f\u0085\u2028\u2029]+", " ", text).strip()[:WORDS]


def step(attempt: int, cooldown: int = COOLDOWN_S) -> int:
    """Seconds to stay open after the given number of refusals that named no reset (1 and up)."""
    return min(cooldown << min(max(attempt, 1) - 1, 16), max(LONGEST_STEP_S, cooldown))


def after(
    before: BreakerState,
    verdict: str,
    until: int | None,
    now: int,
    *,
    canary: bool = True,
    cooldown: int = COOLDOWN_S,
    job: str = "",
    words: str = "",
) -> BreakerState:
    """The state after a run that was judged `verdict` with the reset `until` (None or 0: unknown); see the table.

    `before` is the state when the run has ended, `canary` whether the run was the breaker's canary.
    """
    by_hand = before.kind == "manual" and before.state == "open"
    if by_hand or verdict not in {"ok", "quota", "billing"}:
        return before
    if verdict == "ok":
        return CLOSED if canary else before
    since = before.since if before.state != "closed" else now
    opened = BreakerState("open", 0, "billing", 0, since, job, one_line(words))
    if verdict == "billing":
        return opened
    if until and now < until <= now + FARTHEST_S - MARGIN_S:
        return replace(opened, kind="quota", until=until + MARGIN_S)
    if before.state == "open":
        return before
    if until and before.state == "closed" and now - PASSED_S <= until <= now:
        return replace(opened, kind="quota", until=now + MARGIN_S, attempt=1)
    attempt = before.attempt + 1
    return replace(opened, kind="quota", until=now + step(attempt, cooldown), attempt=attempt)


def begins_outage(before: BreakerState, now_is: BreakerState) -> bool:
    """Whether a change is the one to tell people about: successive refusals of one outage are told once."""
    return before.state == "closed" and now_is.state != "closed"


def load(path: Path, now: int) -> BreakerState:
    """The state of the breaker whose file is `path`. Anything but a plain file counts as closed, with a warning."""
    try:
        handle = open_plain(path)
    except FileNotFoundError:
        return CLOSED
    except OSError as error:
        return BreakerState(
            warning=f"the breaker's file cannot be read ({error.strerror}) and counts as closed"
        )
    with os.fdopen(handle, "rb") as stream:
        return read(stream.read(16_384).decode("utf-8", "replace"), now)


def store(path: Path, state: BreakerState) -> None:
    """Write the breaker's file, 0600, in one step; no file for a closed one. Raises MachineError."""
    from jobs.system.files import make_folder, write_atomic

    text = render(state)
    try:
        if text is None:
            with contextlib.suppress(FileNotFoundError):
                path.unlink()
            return
        make_folder(path.parent, 0o700)
        write_atomic(path, text.encode("utf-8", "replace"), 0o600)
    except OSError as error:
        raise MachineError(f"cannot write {path}: {error.strerror}") from error


def trip(path: Path, now: int, until: int = 0, reason: str = "") -> BreakerState:
    """Open a breaker by hand until an epoch, or until told, and return its state. Raises MachineError."""
    before = load(path, now)
    since = before.since if before.state != "closed" else now
    state = BreakerState("open", until, "manual", 0, since, "", one_line(reason))
    store(path, state)
    return state


def reset(path: Path) -> bool:
    """Close a breaker by hand; whether there was anything to close. Raises MachineError."""
    there = path.is_symlink() or path.exists()
    store(path, CLOSED)
    return there
