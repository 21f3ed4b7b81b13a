"""Findings as JUnit XML: a suite for each file, a failed case for each finding, one good case when there is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from jobs.diagnostics import Diagnostic
from jobs.lint.report.text import render_one

NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(found: Sequence[Diagnostic]) -> str:
    """The document."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(f'<testsuites name="jobs lint" tests="{max(1, len(found))}" failures="{len(found)}">')
    if not found:
        lines.append('  <testsuite name="jobs lint" tests="1" failures="0">')
        lines.append('    <testcase classname="jobs lint" name="no findings"/>')
        lines.append("  </testsuite>")
    for path, group in groupby(found, key=lambda one: one.place.path if one.place else "(no file)"):
        members = list(group)
        lines.append(
            f'  <testsuite name={_attribute(path)} tests="{len(members)}" failures="{len(members)}">'
        )
        lines += [_case(one, path) for one in members]
        lines.append("  </testsuite>")
    lines.append("</testsuites>")
    return "\n".join(lines) + "\n"


def _case(one: Diagnostic, path: str) -> str:
    where = f" line {one.place.line}" if one.place else ""
    body = escape(NOT_XML.sub("\N{REPLACEMENT CHARACTER}", render_one(one)))
    return (
        f"    <testcase classname={_attribute(path)} name={_attribute(one.code + where)}>\n"
        f"      <failure type={_attribute(one.severity.word)} message={_attribute(one.message)}>{body}</failure>\n"
        "    </testcase>"
    )


def _attribute(text: str) -> str:
    return quoteattr(NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text).replace("\n", " "))
