"""What a job or a script runs is found, in any depth."""

from __future__ import annotations

import pytest
from tests.lint.job_facts import facts

ROWS: list[tuple[str, str | tuple[str, ...], dict[str, str], list[str]]] = [
    ("argv", ("/work/p/a.sh", "-v"), {"/work/p/a.sh": "#!/bin/sh\n"}, ["a.sh"]),
    (
        "line",
        "./a.sh && ./b.sh",
        {"/work/p/a.sh": "#!/bin/sh\n", "/work/p/b.sh": "#!/bin/sh\n"},
        ["a.sh", "b.sh"],
    ),
    ("interpreter", "bash -x a.sh", {"/work/p/a.sh": "true\n"}, ["a.sh"]),
    ("behind-runners", "nohup nice -n 5 ./a.sh", {"/work/p/a.sh": "#!/bin/sh\n"}, ["a.sh"]),
    ("exec", "exec ./a.sh", {"/work/p/a.sh": "#!/bin/sh\n"}, ["a.sh"]),
    (
        "sourced",
        "./a.sh",
        {"/work/p/a.sh": "#!/bin/sh\n. ./lib.sh\n", "/work/p/lib.sh": "x=1\n"},
        ["a.sh", "lib.sh"],
    ),
    (
        "own-folder",
        "bin/a.sh",
        {"/work/p/bin/a.sh": '#!/bin/sh\n. "$(dirname "$0")/lib.sh"\n', "/work/p/bin/lib.sh": "x=1\n"},
        ["bin/a.sh", "bin/lib.sh"],
    ),
    (
        "own-folder-in-a-variable",
        "bin/a.sh",
        {
            "/work/p/bin/a.sh": '#!/bin/bash\nHERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"\n"$HERE/b.sh"\n',
            "/work/p/bin/b.sh": "#!/bin/bash\n",
        },
        ["bin/a.sh", "bin/b.sh"],
    ),
    ("home", '"$HOME/a.sh"', {"/Users/kim/a.sh": "#!/bin/sh\n"}, ["/Users/kim/a.sh"]),
    ("variable", 'X=/srv/a.sh; "$X"', {"/srv/a.sh": "#!/bin/sh\n"}, ["/srv/a.sh"]),
    ("sh-c", "sh -c './a.sh'", {"/work/p/a.sh": "#!/bin/sh\n"}, ["a.sh"]),
    (
        "loop-of-scripts",
        "./a.sh",
        {"/work/p/a.sh": "#!/bin/sh\n./b.sh\n", "/work/p/b.sh": "#!/bin/sh\n./a.sh\n"},
        ["a.sh", "b.sh"],
    ),
    ("no-script", "./a.py", {"/work/p/a.py": "#!/usr/bin/env python3\n"}, []),
    ("binary", "./a", {"/work/p/a": "#!/bin/sh\n\0\0"}, []),
    ("missing", "./a.sh", {}, []),
    ("commented", "# ./a.sh", {"/work/p/a.sh": "#!/bin/sh\n"}, []),
]


@pytest.mark.parametrize(
    ("command", "files", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_reached(command: str | tuple[str, ...], files: dict[str, str], expected: list[str]) -> None:
    reached = [each.script.path for each in facts(command, files).reached if each.script.fixed is None]
    assert [path.removeprefix("/work/p/") for path in reached] == expected


@pytest.mark.parametrize(
    ("first", "path", "expected"),
    [
        ("#!/bin/bash", ("/opt/homebrew/bin", "/bin"), "macos-bash"),
        ("#!/usr/bin/env bash", ("/usr/bin", "/bin"), "env-bash"),
        ("#!/usr/bin/env bash", ("/opt/homebrew/bin", "/bin"), "other"),
        ("#!/opt/homebrew/bin/bash", ("/bin",), "other"),
        ("#!/bin/zsh", ("/bin",), "macos-zsh"),
    ],
)
def test_shell_of_a_script_depends_on_the_path(first: str, path: tuple[str, ...], expected: str) -> None:
    reached = facts("./a.sh", {"/work/p/a.sh": f"{first}\n"}, path=path).reached
    assert reached[-1].script.shell == expected


def test_sourced_script_is_run_by_the_shell_that_sources_it() -> None:
    files = {"/work/p/a.sh": "#!/bin/zsh\n. ./lib.sh\n", "/work/p/lib.sh": "#!/bin/bash\n"}
    assert facts("./a.sh", files).reached[-1].script.shell == "macos-zsh"
