"""Run the linter over a script as the command does: rules, pieces, ignore comments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.lint.plist_findings import FakeDisk

from jobs.diagnostics import Diagnostic
from jobs.lint.collect import Collection
from jobs.lint.engine import Selection
from jobs.lint.rule import Context
from jobs.read.shell import read_script

CASES = Path(__file__).parent / "cases"


class Case(NamedTuple):
    """A script of a case file. `expected` are the codes that it gives, sorted."""

    code: str
    kind: str
    name: str
    expected: list[str]
    text: str


def findings(
    text: str, path: str = "/work/script.sh", files: Mapping[str, str] | None = None
) -> list[Diagnostic]:
    """The findings in a script, beside files on a disk."""
    disk = FakeDisk({name: content.encode() for name, content in (files or {}).items()})
    collection = Collection(disk, Context(disk))
    collection.add_script(read_script(path, text))
    return collection.findings(Selection())


def codes(text: str, path: str = "/work/script.sh", files: Mapping[str, str] | None = None) -> list[str]:
    """The codes of the findings, each once, sorted."""
    return sorted({one.code for one in findings(text, path, files)})


def cases() -> Iterator[Case]:
    """Every case: `### bad NAME [+CODE …]` begins a script that gives the file's code, and those after +."""
    for file in sorted(CASES.glob("*.txt")):
        for chunk in re.split(r"^### ", file.read_text().replace("<CR>", "\r"), flags=re.MULTILINE)[1:]:
            head, _, text = chunk.partition("\n")
            kind, name, *also = head.split()
            expected = sorted([each[1:] for each in also] + ([file.stem] if kind == "bad" else []))
            yield Case(file.stem, kind, name, expected, text)
