"""Findings that are accepted in place: `# jobs: ignore[L001] reason`, in scripts, manifests and property lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from jobs.diagnostics import Diagnostic, Edit, Fix, Severity
from jobs.text import Place, SourceFile, Span

COMMENT = re.compile(r"jobs:\s*ignore\b(?:\s*\[(?P<codes>[^\]\n]*)\])?[ \t:]*(?P<reason>[^\n]*)")
XML_END = re.compile(r"\s*-->\s*$")
UNUSED, UNKNOWN, NO_REASON = "U002", "U003", "U004"


@dataclass(frozen=True, slots=True)
class Ignore:
    """One comment. `line` is the line that it speaks of: its own, or the next with code when it stands alone."""

    path: str
    line: int
    codes: tuple[tuple[str, Place], ...]
    reason: str
    place: Place
    span: Span


def ignores(source: SourceFile, comments: Iterable[Span] | None = None) -> tuple[Ignore, ...]:
    """The ignore comments of a text. `comments` are the places of its comments, where a reader knows them."""
    if "jobs:" not in source.text:
        return ()
    spans = _comment_lines(source) if comments is None else tuple(comments)
    found = []
    for span in spans:
        match = COMMENT.search(source.text, span.start, span.end)
        if match is None:
            continue
        reason = XML_END.sub("", match.group("reason")).strip()
        codes = (
            tuple(
                (code.group(), source.place(Span(code.start(), code.end())))
                for code in re.compile(r"[^\s,]+").finditer(source.text, *match.span("codes"))
            )
            if match.group("codes") is not None
            else ()
        )
        line = _line_meant(source, span)
        found.append(Ignore(source.path, line, codes, reason, source.place(span), span))
    return tuple(found)


def _comment_lines(source: SourceFile) -> tuple[Span, ...]:
    """The comments of TOML (`#`) and XML (`<!-- -->`) that hold the mark, told by their line."""
    mark = r"#[^\n]*jobs:[^\n]*|<!--(?:(?!-->).)*jobs:(?:(?!-->).)*-->"
    return tuple(Span(*match.span()) for match in re.finditer(mark, source.text, re.DOTALL))


def _line_meant(source: SourceFile, span: Span) -> int:
    line, column = source.line_column(span.start)
    if source.line(line)[: column - 1].strip():
        return line
    end_line, _column = source.line_column(span.end)
    last = source.text.count("\n") + 1
    for number in range(end_line + 1, min(end_line + 50, last) + 1):
        text = source.line(number).strip()
        if text and not text.startswith(("#", "<!--")):
            return number
    return line


def apply(
    found: Sequence[Diagnostic],
    comments: Iterable[Ignore],
    known: Sequence[str],
    ran: Mapping[str, bool] | None = None,
) -> list[Diagnostic]:
    """The findings that remain, and those on the comments themselves.

    `known` are all codes; `ran` says which were selected, so that a comment is not called unused where its rule did
    not run.
    """
    comments = tuple(comments)
    used: set[tuple[Ignore, str]] = set()
    remaining: list[Diagnostic] = []
    by_line: dict[tuple[str, int], list[Ignore]] = {}
    for comment in comments:
        by_line.setdefault((comment.path, comment.line), []).append(comment)
    for one in found:
        hit = False
        if (one.place is not None and not one.code.startswith("U00")) or (
            one.code == "U001" and one.place is not None
        ):
            for comment in by_line.get((one.place.path, one.place.line), ()):
                for code, _place in comment.codes:
                    if one.code == code:
                        used.add((comment, code))
                        hit = True
        if not hit:
            remaining.append(one)
    for comment in comments:
        remaining += _judge(comment, known, used, ran)
    return remaining


def _judge(
    comment: Ignore, known: Sequence[str], used: set[tuple[Ignore, str]], ran: Mapping[str, bool] | None
) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    if not comment.codes:
        found.append(
            _finding(
                UNKNOWN, comment.place, "this comment names no rule", "write `jobs: ignore[CODE] reason`"
            )
        )
    for code, place in comment.codes:
        if code not in known:
            from difflib import get_close_matches

            near = get_close_matches(code.upper(), known, n=1)
            hint = f"write {near[0]}" if near else "`jobs rules` lists the codes"
            found.append(_finding(UNKNOWN, place, f"there is no rule {code!r}", hint))
        elif (comment, code) not in used and (ran is None or ran.get(code, False)):
            edits: tuple[Edit, ...] = ()
            if len(comment.codes) == 1:
                edits = (Edit(comment.path, comment.span, ""),)
            fix = Fix("take the comment out", edits, safe=bool(edits))
            found.append(
                Diagnostic(
                    UNUSED, Severity.WARNING, f"no {code} here: the comment ignores nothing", place, fix
                )
            )
    if comment.codes and not comment.reason:
        found.append(
            _finding(
                NO_REASON, comment.place, "this ignore says not why", "write the reason behind the bracket"
            )
        )
    return found


def _finding(code: str, place: Place, message: str, fix: str) -> Diagnostic:
    return Diagnostic(code, Severity.WARNING, message, place, Fix(fix))
