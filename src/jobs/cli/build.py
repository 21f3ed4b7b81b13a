"""`jobs build`: compile the manifest and write what differs."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from jobs.errors import Exit

if TYPE_CHECKING:
    from jobs.compile.changes import Change, Found
    from jobs.model.job import Manifest

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl build                      write what differs into the manifest's output folder
  jobsctl build --check              write nothing; exit 1 with a diff when the folder is stale
  jobsctl build --output /tmp/look   write the same bytes somewhere else
"""


@app.command(
    epilog=EPILOG,
    help="Compile the manifest into plists and wrappers. Only files that jobs wrote itself are replaced or removed.",
)
def build(
    manifest: Path | None = typer.Option(
        None, help="The manifest. Default: jobs.toml, here or in a folder above."
    ),
    output: Path | None = typer.Option(
        None, help="Another output folder. The files still point to the manifest's own."
    ),
    check: bool = typer.Option(
        False, "--check", help="Write nothing; exit 1 with a diff when files are stale."
    ),
    force: bool = typer.Option(
        False, "--force", help="Also replace files that were edited by hand or are not from jobs."
    ),
    as_json: bool = typer.Option(False, "--json", help="Report as JSON."),
) -> int:
    """The exit status: 1 when files are stale (--check), or stand in the way."""
    from jobs.cli.manifest import require_manifest

    loaded = require_manifest(manifest)
    folder = output if output is not None else output_folder(loaded)
    if check:
        return _check(loaded, folder, as_json)
    return _build(loaded, folder, force, as_json)


def output_folder(manifest: Manifest) -> Path:
    """The folder of the generated files on this machine: beside the manifest, wherever the command is called."""
    return Path(manifest.path).absolute().parent / manifest.project.output


def _build(manifest: Manifest, folder: Path, force: bool, as_json: bool) -> int:
    from jobs.compile.plan import compile_manifest
    from jobs.system.output import one_build_at_a_time, write_output

    files = compile_manifest(manifest)
    with one_build_at_a_time(folder):
        changes, _ = _plan(files, folder, force)
        refused = [change for change in changes if change.word == "refused"]
        if changes and not refused:
            write_output(folder, files, changes)
    if refused:
        if as_json:
            _report(folder, files, changes, as_json, written=False)
        _explain(refused, folder)
        return Exit.FINDINGS
    _report(folder, files, changes, as_json, written=bool(changes))
    return Exit.OK


def _check(manifest: Manifest, folder: Path, as_json: bool) -> int:
    from jobs.compile.changes import is_stale
    from jobs.compile.plan import compile_manifest

    files = compile_manifest(manifest)
    changes, found = _plan(files, folder, force=True)
    stale = [change for change in changes if is_stale(change, found)]
    if not as_json:
        for change in stale:
            sys.stdout.writelines(_diff(change, files, found))
    _report(folder, files, stale, as_json, written=False)
    if stale:
        print(f"error: {folder} is stale: run `jobsctl build` and commit the result", file=sys.stderr)
        return Exit.FINDINGS
    return Exit.OK


def _plan(
    files: Mapping[str, bytes], folder: Path, force: bool
) -> tuple[Sequence[Change], Mapping[str, Found]]:
    """What differs, and what lies there. Raises MachineError."""
    from jobs.compile.changes import plan_changes
    from jobs.compile.naming import LOCK_FILE
    from jobs.errors import MachineError
    from jobs.system.output import known_hashes, read_output

    try:
        known = known_hashes(folder)
    except ValueError as error:
        if not force:
            raise MachineError(
                f"{folder / LOCK_FILE} is damaged ({error}), so nobody knows which files are generated: "
                "restore it, or replace everything with `jobsctl build --force`"
            ) from error
        known = {}
    found = read_output(folder, {**files, **known})
    return plan_changes(files, found, known, force=force), found


def _report(
    folder: Path, files: Mapping[str, bytes], changes: Sequence[Change], as_json: bool, *, written: bool
) -> None:
    # What is kept or removed is not among the compiled files.
    up_to_date = len(files) - sum(change.path in files for change in changes)
    if as_json:
        import json

        rows = [
            {"path": c.path, "change": c.word} | ({"reason": c.reason} if c.reason else {}) for c in changes
        ]
        report = {"output": str(folder), "written": written, "up_to_date": up_to_date, "changes": rows}
        print(json.dumps(report, indent=2))
        return
    for change in changes:
        print(f"{change.word:8} {change.path}" + (f"  ({change.reason})" if change.reason else ""))
    words = Counter(change.word for change in changes)
    told = [f"{words[word]} {word}" for word in ("added", "changed", "removed") if words[word]]
    print(", ".join([*told, f"{up_to_date} files up to date"]))


def _explain(refused: Sequence[Change], folder: Path) -> None:
    for change in refused:
        print(f"error: {folder / change.path}: {change.reason}", file=sys.stderr)
    print("nothing was written", end="", file=sys.stderr)
    if all(change.forcible for change in refused):
        print(
            ": change jobs.toml instead, or replace these with `jobsctl build --force`",
            end="",
            file=sys.stderr,
        )
    print(file=sys.stderr)


def _diff(change: Change, files: Mapping[str, bytes], found: Mapping[str, Found]) -> list[str]:
    """A change as a unified diff from what lies there to what would be written."""
    from difflib import unified_diff

    if change.word == "mode":
        return [f"{change.path}: mode {change.reason}\n"]
    if change.word == "refused":
        return [f"{change.path}: {change.reason}\n"]
    was, wanted = found.get(change.path), files.get(change.path)
    if was is not None and was.what == "symlink":
        return [f"{change.path}: a symlink instead of a file\n"]
    lines = unified_diff(
        _lines(was.data) if was else [],
        _lines(wanted or b""),
        f"a/{change.path}" if was else "/dev/null",
        f"b/{change.path}" if wanted is not None else "/dev/null",
    )
    return [line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines]


def _lines(data: bytes) -> list[str]:
    *whole, rest = data.decode(errors="backslashreplace").split("\n")
    return [f"{line}\n" for line in whole] + ([rest] if rest else [])
