"""Findings as text, JSON, SARIF, GitHub annotations and JUnit."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.lint.script_findings import findings
from tests.tools import require_tool

from jobs.diagnostics import Diagnostic, Edit, Fix, Severity
from jobs.lint.report import github, junit, sarif, text
from jobs.lint.report import json as json_report
from jobs.lint.rules import codes, rule
from jobs.text import Place, SourceFile, Span

SOURCE = SourceFile("scripts/日報 a.sh", "echo 「日」; mkdir -p x\n")
PLACE = SOURCE.place(Span(10, 15))
FOUND = [
    Diagnostic(
        "L001",
        Severity.ERROR,
        "50% wrong, \x1b[31mred\nnext",
        PLACE,
        Fix("write: this", (Edit(SOURCE.path, Span(10, 15), "rmdir"),)),
        SOURCE.line(1),
    ),
    Diagnostic("X999", Severity.INFO, "no place"),
]


def test_text_marks_wide_characters_where_they_stand() -> None:
    lines = text.render(FOUND[:1]).splitlines()
    assert lines[0].startswith("scripts/日報 a.sh:1:11: L001 error: 50% wrong")
    marked = next(number for number, line in enumerate(lines) if "^" in line)
    assert lines[marked] == "    " + " " * (text.cells(SOURCE.text[:10])) + "^^^^^"
    assert lines[marked + 1 :] == [
        "  fix: write: this",
        "  see: jobs explain L001",
        "",
        "1 error in 1 file",
    ]


def test_text_shows_no_control_characters() -> None:
    assert "\x1b" not in text.render(FOUND)


def test_text_cuts_long_lines_around_the_place() -> None:
    line = "x" * 500 + "HERE" + "y" * 500
    shown, carets = text.excerpt(line, 501, 4)
    assert len(shown) <= text.MAX_LINE + 4
    assert shown[carets.index("^") : carets.index("^") + 4] == "HERE"


def test_text_of_nothing_is_empty() -> None:
    assert text.render([]) == ""


def test_json_keys_and_summary() -> None:
    document = json.loads(json_report.render(FOUND))
    assert list(document["findings"][0]) == [
        "code",
        "severity",
        "message",
        "path",
        "line",
        "column",
        "end_line",
        "end_column",
        "source",
        "fix",
    ]
    assert list(document["findings"][1]) == ["code", "severity", "message"]
    assert document["summary"] == {"error": 1, "warning": 0, "info": 1}


def test_github_escapes_what_would_end_a_command() -> None:
    first, second = github.render(FOUND).splitlines()
    assert first.startswith(
        "::error file=scripts/日報 a.sh,line=1,endLine=1,col=11,endColumn=16,title=L001::50%25 wrong"
    )
    assert "%0Anext%0Afix: write: this" in first
    assert second == "::notice title=X999::no place"


@pytest.mark.parametrize(("plain", "escaped"), [("a:b,c", "a%3Ab%2Cc"), ("5%\r\n", "5%25%0D%0A")])
def test_github_property(plain: str, escaped: str) -> None:
    assert github.escape_property(plain) == escaped


def test_junit_is_well_formed_and_counts() -> None:
    root = ET.fromstring(junit.render(FOUND))
    assert root.attrib["failures"] == "2"
    assert [suite.attrib["name"] for suite in root] == ["scripts/日報 a.sh", "(no file)"]
    empty = ET.fromstring(junit.render([]))
    assert (empty.attrib["tests"], empty.attrib["failures"]) == ("1", "0")


def test_sarif_has_the_required_structure() -> None:
    log = json.loads(sarif.render(FOUND, {SOURCE.path: SOURCE}, "1.2.3"))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [each["id"] for each in rules] == ["L001", "X999"]
    first, second = run["results"]
    assert rules[first["ruleIndex"]]["id"] == first["ruleId"] == "L001"
    assert (first["level"], second["level"]) == ("error", "note")
    location = first["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "scripts/%E6%97%A5%E5%A0%B1%20a.sh"
    assert location["region"] == {"startLine": 1, "startColumn": 11, "endLine": 1, "endColumn": 16}
    (change,) = first["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"] == {"text": "rmdir"}
    assert "locations" not in second


def test_sarif_says_where_to_read_more_and_what_stays_the_same() -> None:
    here = replace(FOUND[0], place=replace(PLACE, path="/w/a.sh"), fix=None)
    moved = replace(here, place=replace(PLACE, path="./a.sh", line=9, end_line=9))
    log = json.loads(sarif.render([here, here, moved], {}, "1", folder="/w"))
    driver, results = log["runs"][0]["tool"]["driver"], log["runs"][0]["results"]
    assert driver["informationUri"].startswith("https://")
    assert driver["rules"][0]["helpUri"] == "https://mywiki.wooledge.org/BashFAQ/045"
    uris = {each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results}
    assert uris == {"a.sh"}
    marks = [each["partialFingerprints"][sarif.FINGERPRINT] for each in results]
    assert len(set(marks)) == 3
    assert len({mark.partition(":")[0] for mark in marks}) == 1


@pytest.mark.slow
def test_sarif_is_valid_to_its_own_tool(tmp_path: Path) -> None:
    npm = require_tool("npm")
    log, report = tmp_path / "jobs.sarif", tmp_path / "report.sarif"
    found = [one for code in ("L001", "L016", "B012") for one in findings(rule(code).bad)]
    log.write_text(sarif.render(found, {}, "1.2.3"))
    tool = [
        npm,
        "exec",
        "--yes",
        "--prefix",
        str(tmp_path),
        "--package=@microsoft/sarif-multitool@5",
        "--",
        "sarif-multitool",
    ]
    subprocess.run(
        [*tool, "validate", str(log), "--output", str(report), "--level", "Error"],
        check=False,
        timeout=300,
        cwd=tmp_path,
        capture_output=True,
    )
    results = json.loads(report.read_text("utf-8-sig"))["runs"][0]["results"]
    assert [each["ruleId"] for each in results if each.get("level") == "error"] == []


def test_bytes_that_are_no_utf8_do_not_stop_a_report() -> None:
    found = findings(b"#!/bin/bash\ntac \xff\xfe\n".decode("utf-8", "surrogateescape"))
    sources = {"/work/script.sh": SourceFile("/work/script.sh", "")}
    for shown in (text.render(found), json_report.render(found), github.render(found), junit.render(found)):
        assert "B011" in shown.encode().decode()
    assert "B011" in sarif.render(found, sources, "1")


def test_a_place_over_lines_runs_to_the_end_of_the_first() -> None:
    shown, carets = text.excerpt("abc def", 5, None)
    assert carets.strip() == "^^^"
    assert shown.strip() == "abc def"
    assert Place("a", 1, 5, 3, 1).line == 1


def test_sarif_holds_every_rule() -> None:
    found = [Diagnostic(code, Severity.INFO, "x") for code in codes()]
    rules = json.loads(sarif.render(found, {}, "1"))["runs"][0]["tool"]["driver"]["rules"]
    assert [each["id"] for each in rules] == sorted(codes())
    assert all(each["help"]["markdown"] for each in rules)
