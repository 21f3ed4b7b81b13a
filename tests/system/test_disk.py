"""The disk as the linter sees it: what cannot be read is None, and nothing raises."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jobs.system.disk import RealDisk

DISK = RealDisk()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "file").write_text("text")
    (tmp_path / "deep").mkdir()
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "circle").symlink_to("circle")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("file", b"text"),
        ("link", b"text"),
        ("deep", None),
        ("dangling", None),
        ("circle", None),
        ("pipe", None),
        ("missing", None),
        ("nul\0", None),
        ("x" * 5000, None),
    ],
    ids=lambda value: str(value)[:10],
)
def test_read(folder: Path, name: str, data: bytes | None) -> None:
    assert DISK.read(f"{folder}/{name}") == data


@pytest.mark.parametrize(("name", "there"), [("file", True), ("dangling", True), ("missing", False)])
def test_exists(folder: Path, name: str, there: bool) -> None:
    assert DISK.exists(f"{folder}/{name}") is there


def test_names_modes_and_owners(folder: Path) -> None:
    (folder / "file").chmod(0o640)
    assert DISK.names(str(folder)) == ("circle", "dangling", "deep", "file", "link", "pipe")
    assert DISK.names(str(folder / "file")) == ()
    assert DISK.mode(str(folder / "file")) == 0o640
    assert DISK.mode(str(folder / "missing")) is None
    assert DISK.owner(str(folder / "file")) == os.getuid()
    assert DISK.owner(str(folder / "nul\0")) is None


def test_no_descriptor_is_left_open(folder: Path) -> None:
    before = len(list(Path("/dev/fd").iterdir()))
    for name in ("file", "deep", "pipe", "missing"):
        DISK.read(f"{folder}/{name}")
    assert len(list(Path("/dev/fd").iterdir())) == before
