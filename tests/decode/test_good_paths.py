"""Folders with names that nobody would choose: what a path may hold reaches plist and wrapper as it stands."""

from __future__ import annotations

import plistlib

import pytest

from jobs.compile.plan import compile_manifest
from jobs.decode import load_text
from jobs.text import SourceFile

HOSTILE = [
    "a b",
    "it's",
    'say "x"',
    "R&D <1>",
    "$(id)",
    "a`b`",
    "cost$",
    "50$ off",
    "line\nbreak",
    "tab\there",
    "Größe",
    "-x",
    "\\",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_folders(name: str) -> None:
    root = f"/Users/kim/{name}"
    quoted = (
        '"' + root.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'
    )
    text = (
        f'version = 1\n[project]\nname = "d"\nprefix = "com.example"\nroot = {quoted}\nhome = {quoted}\n'
        '[jobs.a]\nrun = ["bin/x"]\nat = "09:30"\n'
    )
    loaded = load_text(SourceFile("jobs.toml", text))
    assert loaded.diagnostics == ()
    assert loaded.manifest is not None
    files = compile_manifest(loaded.manifest)
    plist = plistlib.loads(files["launchd/com.example.a.plist"])
    assert plist["ProgramArguments"] == [f"{root}/generated/bin/a"]
    assert plist["StandardOutPath"] == f"{root}/Library/Logs/d/a.log"
