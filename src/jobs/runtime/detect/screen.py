"""Output made comparable: no escape codes, plain quotes and blanks, lines that are somebody's own statement."""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST = 4000  # characters of a line that are looked at

ESCAPES = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # titles and links
    r"|\x1b\[[0-?]*[ -/]*[@-~]"  # colours and movements
    r"|\x1b[ -/]*[0-~]"
)
FORWARD = re.compile(r"\x1b\[\d*C")  # Claude Code's screen writes blanks as movements to the right
FOLDS = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u02bc\uff07\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\uff02", '"'),
        **dict.fromkeys("\u00a0\u202f\u2007\u2009\u200a\u3000\t", " "),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\ufe0f"),
        **dict.fromkeys([chr(code) for code in range(32) if code not in {9, 10}] + ["\x7f"]),
    }
)
FENCE = re.compile(r"\s{0,3}(```|~~~)")
QUOTED = re.compile(r"[>|`\"]|'[A-Z]")
OWN = re.compile(r"\[jobs [^\]]{1,60}\] |jobs(?:ctl)?: ")  # what wrappers and catch-up say about themselves
STAMP = re.compile(
    r"\[?(?:(?P<date>20\d\d-\d\d-\d\d)[T ])?\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:Z|[+-]\d\d:?\d\d))?\]?:? +"
)
MARKS = re.compile(
    r"(?:(?:\[?(?:error|stderr)\]?:|\[(?:error|stderr)\]|■|✗|✘|✖|×|✕|❌|●|⎿|⚠|❗|\[(?=API Error)"
    r"|(?:claude|codex|gemini|copilot|cursor-agent|kiro|q): ) *)+",
    re.IGNORECASE,
)
FRAME = "│┃║"


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not blank.

    `text` is folded, `bare` is without time stamp and error mark. `statement` is False for what is quoted, fenced or
    deeply indented. `date` is the day of the time stamp (2026-12-01), if there is one with a day.
    `indent` counts blanks.
    """

    text: str
    bare: str
    statement: bool = True
    date: str | None = None
    indent: int = 0

    @property
    def marked(self) -> bool:
        """Whether a time stamp or an error mark stands before it."""
        return self.text != self.bare


def strip_escapes(text: str) -> str:
    """The text without terminal escape codes; lone carriage returns begin a line."""
    if "\x1b" in text:
        text = ESCAPES.sub("", FORWARD.sub(" ", text))
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")


def fold(text: str) -> str:
    """The text with typographic quotes and blanks made plain and control characters dropped."""
    return text.translate(FOLDS)


def one_line(text: str) -> str:
    """A message as one folded line."""
    return re.sub(r"\s+", " ", fold(text[:LONGEST])).strip()


def read_line(raw: str, fenced: bool) -> Line | None:
    """One line of output, or None for a blank one and for one of our own."""
    folded = fold(raw[:LONGEST])
    text = re.sub(r" {2,}", " ", folded).strip()
    unframed = text.strip(FRAME + " ")
    if not unframed or OWN.match(unframed):
        return None
    indent = len(folded) - len(folded.lstrip())
    stamp = STAMP.match(unframed)
    bare = unframed[stamp.end() :] if stamp else unframed
    marks = MARKS.match(bare)
    bare = bare[marks.end() :] if marks else bare
    code = indent >= 4 and text == unframed and not text.startswith("⎿")
    statement = not (fenced or code or QUOTED.match(text) or QUOTED.match(bare))
    return Line(unframed, bare, statement, stamp["date"] if stamp else None, indent)


def unstamped(line: Line) -> str:
    """The line without its time stamp, but with its error mark."""
    return STAMP.sub("", line.text, count=1)
