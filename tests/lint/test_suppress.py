"""Comments that accept a finding in place."""

from __future__ import annotations

import pytest
from tests.lint.script_findings import codes, findings

from jobs.lint.suppress import ignores
from jobs.text import SourceFile

NPROC = 'make -j "$(nproc)"'
ROWS = [
    ("same-line", f"{NPROC} # jobs: ignore[B011] in a container\n", []),
    ("line-above", f"# jobs: ignore[B011] in a container\n{NPROC}\n", []),
    ("above-a-comment", f"# jobs: ignore[B011] in a container\n# about\n\n{NPROC}\n", []),
    ("two-codes", f"date -d x; {NPROC} # jobs: ignore[B011, B012] in a container\n", []),
    ("no-blank", f"{NPROC} #jobs:ignore[B011] in a container\n", []),
    ("other-line", f"# jobs: ignore[B011] in a container\ntrue\n{NPROC}\n", ["B011", "U002"]),
    ("unused", "true # jobs: ignore[B011] in a container\n", ["U002"]),
    ("half-unused", f"{NPROC} # jobs: ignore[B011,B012] in a container\n", ["U002"]),
    ("unknown", f"{NPROC} # jobs: ignore[B999] in a container\n", ["B011", "U003"]),
    ("group-is-no-code", f"{NPROC} # jobs: ignore[B] in a container\n", ["B011", "U003"]),
    ("no-code", f"{NPROC} # jobs: ignore in a container\n", ["B011", "U003"]),
    ("empty-bracket", f"{NPROC} # jobs: ignore[] in a container\n", ["B011", "U003"]),
    ("no-reason", f"{NPROC} # jobs: ignore[B011]\n", ["U004"]),
    ("in-a-string", 'echo "# jobs: ignore[B011] text"\n', []),
    ("in-a-here-document", "cat <<E\n# jobs: ignore[B011] text\nE\n", []),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_comment(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


def test_unused_comment_can_be_taken_out() -> None:
    (found,) = findings("true # jobs: ignore[B011] in a container\n")
    assert found.fix is not None
    assert found.fix.safe


def test_toml_and_xml_comments_are_read() -> None:
    toml = SourceFile("jobs.toml", "[jobs.a]  # jobs: ignore[G201] own account\n")
    xml = SourceFile("a.plist", "<!-- jobs: ignore[P109] kept name -->\n<plist/>\n")
    assert [(each.line, each.codes[0][0], each.reason) for each in ignores(toml)] == [
        (1, "G201", "own account")
    ]
    assert [(each.line, each.codes[0][0], each.reason) for each in ignores(xml)] == [(2, "P109", "kept name")]
