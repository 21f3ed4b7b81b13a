"""The lock file, read back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jobs.compile.files import Generated, digest, lock_bytes, read_lock
from jobs.compile.naming import is_generated_path

FILES = [
    Generated("lib/run.sh", b"run", "library"),
    Generated('bin/a"b', b"a", "wrapper", 'a"b', 'x.a"b'),
    Generated("launchd/x.é.plist", b"p", "plist", "é", "x.é", enabled=False),
]


def test_what_was_written_is_read_back() -> None:
    assert read_lock(lock_bytes("p", "x", FILES)) == {file.path: digest(file.data) for file in FILES}


def test_the_order_of_the_files_does_not_matter() -> None:
    assert lock_bytes("p", "x", FILES) == lock_bytes("p", "x", FILES[::-1])


def test_no_files() -> None:
    assert read_lock(lock_bytes("p", "x", [])) == {}


def test_one_line_a_file_so_that_git_can_merge() -> None:
    assert sum(b"sha256" in line for line in lock_bytes("p", "x", FILES).splitlines()) == len(FILES)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("<<<<<<< HEAD\n{}", id="a merge left its marks"),
        pytest.param("[]", id="no table"),
        pytest.param('{"version": 2, "files": {}}', id="another version"),
        pytest.param('{"version": 1}', id="no files"),
        pytest.param('{"version": 1, "files": []}', id="files are no table"),
        pytest.param('{"version": 1, "files": {"bin/a": "x"}}', id="an entry is no table"),
        pytest.param('{"version": 1, "files": {"bin/a": {}}}', id="an entry without a hash"),
        pytest.param(
            '{"version": 1, "files": {"../jobs.toml": {"sha256": "x"}}}', id="a path out of the folder"
        ),
        pytest.param('{"version": 1, "files": {"bin/..": {"sha256": "x"}}}', id="a folder above"),
        pytest.param('{"version": 1, "files": {"/etc/passwd": {"sha256": "x"}}}', id="an absolute path"),
        pytest.param("\xff", id="no UTF-8"),
    ],
)
def test_a_damaged_lock_file(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        read_lock(text.encode("latin-1"))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("bin/a", True), ("launchd/x.plist", True), ("lib/run.sh", True), ("bin/.hidden", True),
        ("bin", False), ("bin/", False), ("bin/a/b", False), ("bin/..", False), ("etc/a", False), ("/bin/a", False),
        ("jobs.lock.json", False), ("", False),
    ],
)  # fmt: skip
def test_which_paths_can_be_generated(path: Any, expected: bool) -> None:
    assert is_generated_path(path) is expected


def test_it_is_json_for_everybody() -> None:
    assert json.loads(lock_bytes("one-ceo", "com.example", FILES))["project"] == "one-ceo"
