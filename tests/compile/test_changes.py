"""What is written, what is pruned, and what is left alone."""

from __future__ import annotations

import pytest

from jobs.compile.changes import Change, Found, is_stale, plan_changes
from jobs.compile.files import digest

OLD, NEW, EDITED = b"old", b"new", b"edited"


def file(data: bytes, mode: int = 0o755) -> Found:
    return Found("file", data, mode)


@pytest.mark.parametrize(
    ("wanted", "found", "known", "word", "forced"),
    [
        # In the manifest.
        pytest.param(NEW, None, None, "added", "added", id="not there"),
        pytest.param(NEW, None, OLD, "added", "added", id="deleted by somebody"),
        pytest.param(NEW, file(NEW), NEW, None, None, id="as it should be"),
        pytest.param(NEW, file(NEW), None, None, None, id="as it should be, without a lock file"),
        pytest.param(NEW, file(OLD), OLD, "changed", "changed", id="of the last build"),
        pytest.param(NEW, file(EDITED), OLD, "refused", "changed", id="edited by hand"),
        pytest.param(NEW, file(EDITED), None, "refused", "changed", id="foreign"),
        pytest.param(NEW, Found("symlink"), OLD, "refused", "changed", id="a symlink"),
        pytest.param(NEW, Found("folder"), OLD, "refused", "refused", id="a folder"),
        pytest.param(NEW, Found("other"), OLD, "refused", "refused", id="a pipe"),
        pytest.param(NEW, file(NEW, 0o644), NEW, "mode", "mode", id="lost its execute bit"),
        pytest.param(NEW, file(OLD, 0o644), OLD, "changed", "changed", id="changed, and the mode with it"),
        # No longer in the manifest.
        pytest.param(None, file(OLD), OLD, "removed", "removed", id="pruned"),
        pytest.param(None, file(EDITED), OLD, "kept", "removed", id="pruned, but edited by hand"),
        pytest.param(None, None, OLD, None, None, id="pruned, and gone already"),
        pytest.param(None, Found("symlink"), OLD, "kept", "kept", id="pruned, but a symlink now"),
        pytest.param(None, Found("folder"), OLD, "kept", "kept", id="pruned, but a folder now"),
        pytest.param(None, file(EDITED), None, None, None, id="foreign, and in nobody's way"),
    ],
)
def test_one_file(
    wanted: bytes | None, found: Found | None, known: bytes | None, word: str | None, forced: str | None
) -> None:
    for force, expected in ((False, word), (True, forced)):
        changes = plan_changes(
            {"bin/a": wanted} if wanted is not None else {},
            {"bin/a": found} if found is not None else {},
            {"bin/a": {digest(known)}} if known is not None else {},
            force=force,
        )
        assert [change.word for change in changes] == ([expected] if expected else [])


def test_both_generations_of_a_killed_build_are_known() -> None:
    known = {"bin/a": {digest(OLD), digest(NEW)}}
    for data in (OLD, NEW):
        (change,) = plan_changes({"bin/a": b"third"}, {"bin/a": file(data)}, known)
        assert change.word == "changed"


def test_the_lock_file_itself_may_always_be_written() -> None:
    (change,) = plan_changes({"jobs.lock.json": NEW}, {"jobs.lock.json": file(OLD, 0o644)}, {})
    assert change.word == "changed"


@pytest.mark.parametrize(
    ("path", "mode", "stale"),
    [
        pytest.param("bin/a", 0o644, True, id="a wrapper that cannot be started"),
        pytest.param("bin/a", 0o700, False, id="cloned under umask 077"),
        pytest.param("bin/a", 0o775, False, id="cloned under umask 002"),
        pytest.param("bin/a", 0o777, True, id="everybody may write it"),
        pytest.param("lib/a", 0o755, True, id="a library that can be started"),
        pytest.param("lib/a", 0o664, False, id="library, umask 002"),
        pytest.param("lib/a", 0o666, True, id="library, everybody may write it"),
    ],
)
def test_which_modes_make_a_committed_build_stale(path: str, mode: int, stale: bool) -> None:
    found = {path: file(NEW, mode)}
    (change,) = plan_changes({path: NEW}, found, {})
    assert change.word == "mode"
    assert is_stale(change, found) is stale


def test_what_is_kept_does_not_make_a_build_stale() -> None:
    assert not is_stale(Change("bin/a", "kept"), {})
