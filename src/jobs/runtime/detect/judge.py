"""The judgement of one run from its own output and exit status.

The order: the tool's JSON before its text; a statement at the start of a line before anything else; after exit 0 only a
statement that is the whole output; after another exit only one that ends the output and that no later line
contradicts. In doubt the run has simply failed: a stop that is missed costs one more refused request, a stop that is
made up costs every job of the day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from jobs.runtime.detect.items import Item, read_items
from jobs.runtime.detect.match import Context, Found, match_statement
from jobs.runtime.detect.reset import find_reset
from jobs.runtime.detect.rows import Verdict, tools_of
from jobs.runtime.detect.screen import Line, unstamped

TAIL_BYTES = 2_000_000
LATER_LINES = 5  # "the last few lines", not counting what belongs to a statement (a stack, a dump, a remedy)
FARTHEST_LINE = 200
WRAPPED = 5  # further lines over which a terminal breaks one sentence, or a block goes on
TEMPFAIL = 75  # EX_TEMPFAIL: a job's own way to say that its quota is used up

FOLLOWS = re.compile(
    r"/(?:upgrade|login|extra-usage|model|stats|auth|usage|status|rate-limit-options|compact|clear|config)\b"
    r"|access resets |the limits? resets? |your (?:usage )?limits? will reset |resets? |https?://\S+$"
    r"|to continue|to increase|please (?:try again|wait|upgrade)|try again|switch to another|upgrade to|retrying in "
    r"|suggested retry after|what do you want to do\?|[1-4]\. (?:stop and wait|upgrade|switch|request|add funds)|\W*$"
    r"|tokens used|\d[\d,.]*$|(?:minutes?|hours?|days?)\.?$|for more information|check (?:your|https?:)"
    r"|\* quota exceeded for metric|\(?request ?id|id: [\w:-]+\)$",
    re.IGNORECASE,
)
RESETS = re.compile(r"(?:access|the limits?|your (?:usage )?limits?(?: will)?) resets? ", re.IGNORECASE)
UNENDED = re.compile(r"(?:[∙·•,(/–—-]|\b(?:resets?|at|in|on|or|again|to|the|your|our))$", re.IGNORECASE)
ANSWER = re.compile(r"[●⏺•] ?[\w\"]")
ANOTHER_ERROR = re.compile(
    r"(?:fatal|error|panic|exception|abort(?:ed)?|segmentation fault|npm err|assertion|\[error\]|err!|e:)\b"
    r"|(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception)\b|error\[|✗|✘|✖|❌|failed to |could(?: not|n't) |can(?:not|'t) |unable to "
    r"|.*(?:command not found|no such file|permission denied|could not |cannot |unable to |timed? ?out|no space left"
    r"|disk quota|connection (?:refused|reset)|not found|denied|rejected\]|conflict)",
    re.IGNORECASE,
)
TOOL = r"\b(?:claude|codex|gemini|copilot|cursor(?:-agent)?|kiro|aider|llm|agent)\b"
CONSEQUENCE = re.compile(
    rf".*{TOOL}.*(?:exit|fail|status|returned|code|stopped|gave up)|.*returned non-zero exit status"
    r"|.*\bexit(?:ed)?(?: with)?(?: code| status)?:? ?\d+|make(?:\[\d+\])?: \*\*\* "
    r"|npm (?:err!|error) (?:code|errno|command|a complete|exit status|failed at|lifecycle|path)|error: (?:command failed|script) ",
    re.IGNORECASE,
)
MAYBE = re.compile(
    r"(?=.*\b(?:limit|quota)\b)(?=.*\b(?:resets?|try again (?:at|in)|renews)\b)", re.IGNORECASE
)
HEADING = re.compile(r"#{1,4} \S")
PROSE = re.compile(r".*[。．]$|[-*+] \S|#{1,4} \S|(?:[\w,'()-]+ ){6,}[\w'()-]+\.$")

REASONS = {
    "quota": "the tool says that its limit is reached",
    "billing": "the account needs money or a person who decides",
    "auth": "the tool is not logged in",
    "throttle": "the server is busy or asks to slow down; no limit of the account",
    "works": "the tool says that it goes on",
    "error": "the tool says that it failed, not for a limit",
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """How a run ended.

    `verdict` is ok, failed, quota, billing, auth or throttle (overload too). `until` is the epoch at which a quota comes
    back, None if unknown. `line` is the statement that decided, `reason` says in words why. `maybe_quota` marks a
    failed run whose last words look like a limit in a wording that is not known; it never opens a breaker.
    """

    verdict: Verdict
    until: int | None = None
    line: str = ""
    reason: str = ""
    maybe_quota: bool = False
    warning: str = ""


def judge(
    output: str | bytes,
    exit_status: int | None,
    tool: str | None = None,
    patterns: Sequence[str] = (),
    now: int | None = None,
    local_zone: str | None = None,
    *,
    whole: bool = True,
) -> Judgement:
    """The judgement of one run.

    `output` is what this run printed and nothing older, `exit_status` None if it is not known. `tool` names the
    detector; None means all of them, or, with `patterns` (regular expressions searched in each statement), none.
    `now` is the epoch of the end of the run, `local_zone` the IANA zone it ran in; None for both means this process's.
    `whole` False says that the beginning of the output was left away. Raises KeyError for an unknown tool, re.error
    for a bad pattern.
    """
    if isinstance(output, bytes):
        whole = whole and len(output) <= TAIL_BYTES
        output = output[-TAIL_BYTES:].decode("utf-8", "replace")
    elif len(output) > TAIL_BYTES:
        whole, output = False, output[-TAIL_BYTES:]
    if now is None:
        from jobs.system import clock

        now = clock.now()
    tools = frozenset[str]() if patterns and tool is None else tools_of(tool)
    context = Context(tools, tuple(re.compile(each, re.IGNORECASE) for each in patterns), now, local_zone)
    judgement = _Run(read_items(output, context), exit_status, context, whole).judgement()
    if exit_status == TEMPFAIL and judgement.verdict in {"failed", "throttle"}:
        return Judgement("quota", None, judgement.line, "exit 75: the job itself says that it must wait")
    return judgement


@dataclass(frozen=True, slots=True)
class _Run:
    """What is known of the run that is judged."""

    items: Sequence[Item]
    exit_status: int | None
    context: Context
    whole: bool

    def judgement(self) -> Judgement:
        """The last statement decides, if it is near the end and nothing speaks against it."""
        later: list[Line] = []  # last first
        own = 0
        maybe: Line | None = None
        for index in range(len(self.items) - 1, -1, -1):
            item = self.items[index]
            found = item.found or self.match(index)
            if found is not None:
                return self.decide(index, found, later)
            line = item.line
            if line is None:
                continue
            if (
                maybe is None
                and line.statement
                and MAYBE.match(line.bare)
                and _recent(line, self.context.now)
            ):
                maybe = line
            later.append(line)
            own += not _belongs(line)
            if own > LATER_LINES or len(later) > FARTHEST_LINE:
                break
        if maybe is not None and self.is_maybe(maybe, later):
            return _maybe(maybe.text)
        return self.nothing("no known statement of a stop")

    def nothing(self, reason: str) -> Judgement:
        """The judgement that the exit status alone gives."""
        return Judgement("failed" if self.exit_status else "ok", reason=reason)

    def decide(self, index: int, found: Found, later: list[Line]) -> Judgement:
        """The judgement of a statement that was understood; `later` are the lines behind it, last first."""
        meaning = found.meaning
        if meaning == "works":
            return self.nothing(REASONS[meaning])
        doubt = self.doubt(index, found, later)
        if doubt:
            return self.nothing(doubt)
        if meaning == "error":
            return (
                _maybe(found.line)
                if MAYBE.match(found.line)
                else Judgement("failed", None, found.line, REASONS[meaning])
            )
        return Judgement(meaning, found.until, found.line, REASONS[meaning], False, found.warning)

    def match(self, index: int) -> Found | None:
        """What a line means, read together with those that a terminal may have broken off it."""
        line = self.items[index].line
        if line is None or not line.statement or not _recent(line, self.context.now):
            return None
        lines = [line.bare]
        joined = True
        for item in self.items[index + 1 : index + 1 + WRAPPED]:
            following = item.line
            if following is None or not following.statement or following.marked:
                break
            joined = joined and (
                FOLLOWS.match(following.bare) is not None or _goes_on(lines[-1], following.bare)
            )
            if joined or RESETS.match(following.bare):
                lines.append(following.bare)
        return match_statement(lines, self.context)

    def doubt(self, index: int, found: Found, later: list[Line]) -> str:
        """Why a statement does not decide, in words; empty if it does."""
        if self.exit_status == 0:
            alone = self.whole and all(
                self.is_part(place, found) for place in range(len(self.items)) if place != index
            )
            return "" if alone else "a statement of a stop stands in the output of a run that ended well"
        if _names_another_error(later):
            return "a later line names another error"
        if self.items[index].found is not None:
            return ""
        if any(ANSWER.match(line.text) for line in later):
            return "the tool has gone on"
        before = self.items[index - 1].line if index else None
        follow_up = [line for line in later if not _belongs(line)]
        if before is not None and before.text.endswith((":", "：")) and follow_up:
            return "the statement is announced as an example"
        if any(PROSE.match(line.text) for line in follow_up) and any(
            HEADING.match(line.text) for line in self.lines()
        ):
            return "the statement stands in the middle of a text"
        return ""

    def is_part(self, index: int, found: Found) -> bool:
        """Whether a piece of the output belongs to the statement: neutral JSON, a remedy, the statement once more."""
        item = self.items[index]
        line = item.line
        if line is None:
            return item.found is None or item.found.meaning != "works"
        if FOLLOWS.match(line.bare):
            return True
        if not line.statement:
            return False
        if len(line.bare) >= 8 and line.bare in found.line:
            return True
        again = self.match(index)
        return again is not None and again.meaning == found.meaning

    def is_maybe(self, line: Line, later: list[Line]) -> bool:
        """Whether an unknown wording is worth a word: as the end of a failed run, or as all that a run has printed."""
        if self.exit_status == 0:
            only = self.whole and len(self.items) == 1 and '"' not in line.text
            return only and find_reset(line.bare, self.context.now, self.context.zone).epoch is not None
        behind = later[: later.index(line)]
        return not _names_another_error(behind) and len(behind) <= LATER_LINES

    def lines(self) -> Iterator[Line]:
        """The lines of text."""
        return (item.line for item in self.items if item.line is not None)


def _maybe(line: str) -> Judgement:
    reason = "maybe a quota: the words are not known, so no breaker is opened for them"
    return Judgement("failed", None, line, reason, maybe_quota=True)


def _recent(line: Line, now: int) -> bool:
    """Whether a line's own date, if it has one, is of this run: jobs print old logs too."""
    if line.date is None:
        return True
    try:
        day = date.fromisoformat(line.date)
    except ValueError:
        return False
    return abs((datetime.fromtimestamp(now, UTC).date() - day).days) <= 1


def _goes_on(line: str, following: str) -> bool:
    """Whether a line looks broken off in the middle of a sentence that the following one ends."""
    if line[-1:] in ".。!?":
        return False
    return (
        following[:1].islower()
        or following[:1] in "0123456789("
        or bool(UNENDED.search(line))
        or len(line) >= 60
    )


def _belongs(line: Line) -> bool:
    """Whether a line behind a statement adds nothing of its own: a remedy, a stack, a dumped object."""
    return line.indent >= 2 or FOLLOWS.match(line.bare) is not None


def _names_another_error(later: Sequence[Line]) -> bool:
    return any(
        ANOTHER_ERROR.match(unstamped(line))
        and not FOLLOWS.match(line.bare)
        and not CONSEQUENCE.match(line.text)
        for line in later
    )
