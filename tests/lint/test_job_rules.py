"""The rules on jobs that look into what a job runs."""

from __future__ import annotations

from typing import Any

import pytest
from tests.lint.job_facts import STANDARD, facts, findings

from jobs.model.job import CatchupSettings, Guard, JobCatchup
from jobs.schedule.rule import Rule, Schedule

CLAUDE = Guard("claude", tool="claude")
CODEX = Guard("codex", tool="codex")
OWN = Guard("own", patterns=("limit",))
MIDNIGHT_FREE = Schedule((Rule((30,), (9,)),))
MADE_UP = JobCatchup(("guard",), "today")
DEEP = {
    "/work/p/a.sh": "#!/bin/sh\n. ./lib.sh\nwrite_article\n",
    "/work/p/lib.sh": 'write_article() { claude -p "write" > out.md; }\n',
}

ROWS: list[tuple[str, str | tuple[str, ...], dict[str, str], dict[str, Any], list[str]]] = [
    ("unguarded-line", "claude -p x > o", {}, {}, ["E211", "G201"]),
    ("unguarded-argv", ("/opt/homebrew/bin/claude", "-p", "x"), {}, {}, ["G201"]),
    ("unguarded-deep", ("/work/p/a.sh",), DEEP, {"path": ("/opt/homebrew/bin", *STANDARD)}, ["G201"]),
    (
        "guarded-deep",
        ("/work/p/a.sh",),
        DEEP,
        {"path": ("/opt/homebrew/bin", *STANDARD), "guards": (CLAUDE,)},
        [],
    ),
    ("no-tool", ("/usr/bin/rsync", "-a", "a", "b"), {}, {}, []),
    ("asks-version", "/opt/homebrew/bin/claude --version", {}, {}, []),
    ("other-tool", "/opt/homebrew/bin/claude -p x", {}, {"guards": (CODEX,)}, ["G202"]),
    ("own-patterns", "/opt/homebrew/bin/claude -p x", {}, {"guards": (OWN,)}, []),
    ("words-to-null", "/opt/homebrew/bin/claude -p x >/dev/null 2>&1", {}, {"guards": (CLAUDE,)}, ["G202"]),
    (
        "words-to-null-in-bash",
        "{ /opt/homebrew/bin/claude -p x; } &>/dev/null",
        {},
        {"guards": (CLAUDE,)},
        ["G202"],
    ),
    ("errors-in-the-log", "/opt/homebrew/bin/claude -p x >/dev/null", {}, {"guards": (CLAUDE,)}, []),
    ("off-without-reason", "/opt/homebrew/bin/claude -p x", {}, {"unguarded_reason": ""}, ["G203"]),
    ("off-with-reason", "/opt/homebrew/bin/claude -p x", {}, {"unguarded_reason": "own key"}, []),
    ("off-without-tool", "true", {}, {"unguarded_reason": ""}, []),
    (
        "never-made-up",
        "/opt/homebrew/bin/claude -p x",
        {},
        {"guards": (CLAUDE,), "schedule": MIDNIGHT_FREE},
        ["G204"],
    ),
    ("program-missing", ("npx", "tool"), {}, {}, ["E211"]),
    ("program-may-be-there", ("npx", "tool"), {}, {"path": ("/opt/homebrew/bin", *STANDARD)}, []),
    ("program-of-the-system", ("rsync", "-a"), {}, {}, []),
    (
        "script-sets-its-path",
        ("/work/p/a.sh",),
        {"/work/p/a.sh": "#!/bin/sh\nPATH=/opt/homebrew/bin:$PATH\nnpx tool\n"},
        {},
        [],
    ),
    ("script-misses-program", ("/work/p/a.sh",), {"/work/p/a.sh": "#!/bin/sh\nnpx tool\n"}, {}, ["E211"]),
    (
        "script-asks-first",
        ("/work/p/a.sh",),
        {"/work/p/a.sh": "#!/bin/sh\ncommand -v gh || exit 0\ngh pr list\n"},
        {},
        [],
    ),
]


@pytest.mark.parametrize(
    ("command", "files", "settings", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_job(
    command: str | tuple[str, ...], files: dict[str, str], settings: dict[str, Any], expected: list[str]
) -> None:
    found = findings(facts(command, files, **settings), files)
    assert sorted({one.code for one in found if one.code[0] in "GE"}) == expected


def test_catchup_switched_on_is_silent() -> None:
    from dataclasses import replace

    from jobs.lint.rule import JobFacts

    given = facts("/opt/homebrew/bin/claude -p x", guards=(CLAUDE,), schedule=MIDNIGHT_FREE, catchup=MADE_UP)
    manifest = replace(given.manifest, catchup=CatchupSettings())
    assert findings(JobFacts(given.job, manifest, given.reached)) == []


def test_nvm_folder_is_named_where_the_program_lies() -> None:
    files = {"/Users/kim/.nvm/versions/node/v22.1.0/bin/npx": ""}
    (found,) = findings(facts(("npx", "tool")), files)
    assert "/Users/kim/.nvm/versions/node/v22.1.0/bin" in found.message
