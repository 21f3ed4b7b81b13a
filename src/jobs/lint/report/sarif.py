"""Findings as SARIF 2.1.0 (OASIS), for code scanning."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from jobs.diagnostics import Diagnostic, Edit, Severity
from jobs.lint.report.json import clean
from jobs.lint.rule import Rule
from jobs.lint.rules import codes, rule
from jobs.text import SourceFile

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
INFORMATION = "https://pypi.org/project/launchd-jobs/"  # the distribution's name in pyproject.toml
FINGERPRINT = "jobsLineHash/v1"
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(
    found: Sequence[Diagnostic], sources: Mapping[str, SourceFile], version: str, folder: str = ""
) -> str:
    """The log: one run, with the rules that have findings; paths below `folder` become relative to it."""
    found = [_below(one, folder) for one in found] if folder else found
    if folder:
        sources = {_relative(path, folder): source for path, source in sources.items()}
    used = sorted({one.code for one in found})
    index = {code: number for number, code in enumerate(used)}
    results = [_result(one, index, sources) for one in found]
    for result, mark in zip(results, fingerprints(found), strict=True):
        result["partialFingerprints"] = {FINGERPRINT: mark}
    driver = {
        "name": "jobs",
        "informationUri": INFORMATION,
        "version": version,
        "semanticVersion": version,
        "rules": [_rule(code) for code in used],
    }
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": results,
            }
        ],
    }
    return clean(json.dumps(log, ensure_ascii=False, indent=2)) + "\n"


def _relative(path: str, folder: str) -> str:
    front = folder.rstrip("/") + "/"
    return path.removeprefix(front).removeprefix("./")


def _below(one: Diagnostic, folder: str) -> Diagnostic:
    """The finding with relative paths: code scanning shows no others."""
    place, fix = one.place, one.fix
    if place is not None:
        place = replace(place, path=_relative(place.path, folder))
    if fix is not None and fix.edits:
        edits = tuple(replace(edit, path=_relative(edit.path, folder)) for edit in fix.edits)
        fix = replace(fix, edits=edits)
    return replace(one, place=place, fix=fix)


def _rule(code: str) -> dict[str, Any]:
    if code not in codes():
        return {"id": code}
    of = rule(code)
    address = next((source for source in of.sources if source.startswith("https://")), INFORMATION)
    return {
        "id": code,
        "name": "".join(part.capitalize() for part in of.name.split("-")),
        "shortDescription": {"text": of.title},
        "fullDescription": {"text": of.why},
        "help": {"text": of.why, "markdown": help_markdown(of)},
        "helpUri": address,
        "defaultConfiguration": {"level": LEVELS[of.severity]},
    }


def fingerprints(found: Sequence[Diagnostic]) -> list[str]:
    """What stays the same for a finding when lines above it come or go: its code, file, line text, and its number."""
    seen: Counter[str] = Counter()
    marks = []
    for one in found:
        path = one.place.path if one.place is not None else ""
        parts = (one.code, path, (one.source_line or "").strip(), "" if one.source_line else one.message)
        mark = sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]
        seen[mark] += 1
        marks.append(f"{mark}:{seen[mark]}")
    return marks


def help_markdown(of: Rule) -> str:
    """A rule's why, and an example of each kind."""
    language = {"script": "sh", "plist": "xml"}.get(of.subject, "toml")
    text = f"{of.why}\n\n```{language}\n{of.bad}```\n"
    return text + (f"\nInstead:\n\n```{language}\n{of.good[0]}```\n" if of.good else "")


def _result(one: Diagnostic, index: Mapping[str, int], sources: Mapping[str, SourceFile]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": one.code,
        "ruleIndex": index[one.code],
        "level": LEVELS[one.severity],
        "message": {"text": one.message if one.fix is None else f"{one.message}. Fix: {one.fix.text}"},
    }
    if one.place is not None:
        place = one.place
        region = {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": max(place.line, place.end_line),
            "endColumn": place.end_column,
        }
        location = {"artifactLocation": {"uri": uri(place.path)}, "region": region}
        result["locations"] = [{"physicalLocation": location}]
    if one.fix is not None and one.fix.edits:
        result["fixes"] = [
            {"description": {"text": one.fix.text}, "artifactChanges": _changes(one.fix.edits, sources)}
        ]
    return result


def _changes(edits: Sequence[Edit], sources: Mapping[str, SourceFile]) -> list[dict[str, Any]]:
    changes: dict[str, list[dict[str, Any]]] = {}
    for edit in edits:
        if edit.path in sources:
            place = sources[edit.path].place(edit.span)
            region = {
                "startLine": place.line,
                "startColumn": place.column,
                "endLine": place.end_line,
                "endColumn": place.end_column,
            }
        else:
            region = {"charOffset": edit.span.start, "charLength": edit.span.end - edit.span.start}
        changes.setdefault(edit.path, []).append(
            {"deletedRegion": region, "insertedContent": {"text": edit.text}}
        )
    return [
        {"artifactLocation": {"uri": uri(path)}, "replacements": replacements}
        for path, replacements in changes.items()
    ]


def uri(path: str) -> str:
    """A path as the URI reference that SARIF wants: relative ones stay relative."""
    encoded = quote(path.encode("utf-8", "surrogateescape"))
    return f"file://{encoded}" if path.startswith("/") else encoded
