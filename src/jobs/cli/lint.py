"""`jobs lint`: what will go wrong, found before it does."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from jobs.errors import Exit, UsageError

if TYPE_CHECKING:
    from jobs.diagnostics import Diagnostic
    from jobs.lint.collect import Collection
    from jobs.lint.engine import Selection
    from jobs.lint.rule import Stale
    from jobs.model.job import Manifest
    from jobs.system.disk import RealDisk

MANY = 20  # files; fewer never pay for another process

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl lint                                   the manifest, its generated files, and what its jobs run
  jobsctl lint ~/Library/LaunchAgents scripts/   any property lists and scripts, with or without a manifest
  jobsctl lint --select L,B scripts/sync.sh      only locks and portability
  jobsctl lint --diff scripts/                   show the safe fixes; --fix makes them
  jobsctl lint --format sarif > jobs.sarif       for code scanning; github and junit are there too

Exit status: 1 when a finding of warning or above remains (--fail-on moves that), 2 for bad usage, 0 else.
"""


@app.command(
    epilog=EPILOG,
    help="Find what will go wrong: locks, quota, schedules, property lists, environment, bash 3.2.",
)
def lint(
    paths: list[Path] | None = typer.Argument(None, help="Scripts, property lists, folders, manifests."),
    manifest: Path | None = typer.Option(
        None, help="The manifest. Default: jobs.toml, here or in a folder above."
    ),
    form: str = typer.Option("text", "--format", help="text, json, sarif, github or junit."),
    as_json: bool = typer.Option(False, "--json", help="The same as --format json."),
    select: list[str] | None = typer.Option(None, help="Only these codes or groups: L, B012 …"),
    ignore: list[str] | None = typer.Option(None, help="Not these codes or groups."),
    fail_on: str | None = typer.Option(None, help="info, warning (default), error or never."),
    fix: bool = typer.Option(False, "--fix", help="Make the safe edits."),
    diff: bool = typer.Option(False, "--diff", help="Show the safe edits and change nothing."),
    no_follow: bool = typer.Option(
        False, "--no-follow", help="Do not look into what scripts source and run."
    ),
) -> int:
    """The exit status."""
    form = "json" if as_json else form
    _check_words(form, fail_on)
    chosen = _selection(select or (), ignore or (), (), ())  # a wrong code is told before anything is read
    # Trees point to their parents and live until the report: looking for garbage costs a fifth and finds none.
    gc.set_threshold(100_000, 50, 50)
    collection = collect([str(path) for path in paths or ()], manifest, chosen, follow=not no_follow)
    settings = collection.manifest.lint if collection.manifest is not None else None
    selection = _selection(
        select or (), ignore or (), settings.select if settings else (), settings.ignore if settings else ()
    )
    found = collection.findings(selection)
    if diff:
        from jobs.lint.fixes import difference, edits_by_file

        sys.stdout.write(_clean(difference(collection.sources, edits_by_file(found))))
        return Exit.OK
    if fix:
        found = _fix(found, collection)
    _print(found, form, collection)
    return _status(found, fail_on or (settings.fail_on if settings else "warning"))


def _check_words(form: str, fail_on: str | None) -> None:
    from jobs.lint.report import FORMATS

    if form not in FORMATS:
        raise UsageError(f"there is no format {form!r}: text, json, sarif, github or junit")
    if fail_on not in (None, "info", "warning", "error", "never"):
        raise UsageError(f"--fail-on takes info, warning, error or never, not {fail_on!r}")


def _selection(
    select: Sequence[str], ignore: Sequence[str], own_select: Sequence[str], own_ignore: Sequence[str]
) -> Selection:
    """The rules to run: the command line's choice, else the manifest's; both lists of ignored codes count."""
    from jobs.lint.collect import select_codes
    from jobs.lint.engine import Selection
    from jobs.lint.rules import codes

    chosen, left_out = select_codes(select) or tuple(own_select), (*select_codes(ignore), *own_ignore)
    for word in (*chosen, *left_out):
        if not any(code.startswith(word) for code in codes()):
            from difflib import get_close_matches

            near = get_close_matches(word.upper(), codes(), n=1)
            hint = f"did you mean {near[0]}?" if near else "`jobsctl rules` lists them"
            raise UsageError(f"no rule's code begins with {word!r}: {hint}")
    return Selection(chosen, left_out)


def collect(
    paths: Sequence[str], manifest: Path | None, selection: Selection | None = None, *, follow: bool
) -> Collection:
    """Everything that the call asks for, read. Raises UsageError and ManifestError.

    `selection` is the command line's own, for what other processes lint when there is much and no manifest.
    """
    from jobs.cli.manifest import find_manifest
    from jobs.lint.collect import Collection
    from jobs.lint.rule import Context
    from jobs.system.disk import RealDisk

    disk = RealDisk()
    collection = Collection(disk, Context(disk), follow)
    wanted = [path for path in paths if path.endswith(".toml")]
    if manifest is not None or not paths:
        wanted.append(str(find_manifest(manifest)))
    for path in wanted:
        _add_manifest(collection, path)
    found, named = _files([path for path in paths if path not in wanted], disk)
    if len(found) < MANY or wanted or selection is None:
        refused = [file for file in found if not collection.add_file(file)]
    else:
        refused = _add_many(collection, found, selection)
    for file in refused:
        if file in named:
            raise UsageError(f"{file} is neither a property list nor a script for a shell")
    return collection


def _files(paths: Sequence[str], disk: RealDisk) -> tuple[list[str], frozenset[str]]:
    """The files of a call, those of its folders included, and those among them that it names itself."""
    from jobs.lint.collect import files_in

    found: dict[str, None] = {}
    named: set[str] = set()
    for path in paths:
        if disk.names(path) or os.path.isdir(path):  # noqa: PTH112 - paths are shown as they were written
            found |= dict.fromkeys(files_in(path, disk))
        elif disk.head(path) is None:
            raise UsageError(f"{path}: there is no such file, or it cannot be read")
        else:
            found[path] = None
            named.add(path)
    return list(found), frozenset(named)


def _add_many(collection: Collection, files: list[str], selection: Selection) -> list[str]:
    """Take many files: the first share here, the others in processes of their own. The files that are not ours."""
    from jobs.cli.lint_many import join, split, start

    first, *others = split(files, collection.disk)
    shares = [start(share, selection, follow=collection.follow) for share in others]
    try:
        refused = [file for file in first if not collection.add_file(file)]
        if shares:
            collection.elsewhere += collection.take_findings(selection)
        for share in shares:
            result = share.result(collection.disk)
            refused += result.refused
            join(collection, result)
    finally:
        for share in shares:
            share.stop()
    return refused


def _add_manifest(collection: Collection, path: str) -> None:
    from dataclasses import replace

    from jobs.decode import load
    from jobs.lint.rule import Context

    if not Path(path).is_file():
        raise UsageError(f"there is no manifest {path}")
    loaded = load(Path(path))
    collection.found += loaded.diagnostics
    if loaded.manifest is None:
        collection.add_source(loaded.source)
        return
    collection.context = Context(collection.disk, loaded.manifest, tuple(_stale(loaded.manifest)))
    root, folder = loaded.manifest.project.root, str(Path(path).absolute().parent)
    collection.local = lambda written: _shown(_local(written, root, folder))
    collection.add_manifest(replace(loaded.manifest, path=path), loaded.source)


def _local(path: str, root: str, folder: str) -> str:
    """A path under the project's root, moved to where the manifest lies when the root is on another machine."""
    inside = path == root or path.startswith(root.rstrip("/") + "/")
    if inside and not Path(root).is_dir():
        return folder + path[len(root.rstrip("/")) :]
    return path


def _shown(path: str) -> str:
    """A path below the working directory, as a relative one."""
    here = str(Path.cwd())
    return path[len(here) + 1 :] if path.startswith(here + "/") else path


def _stale(manifest: Manifest) -> list[Stale]:
    """What of the generated files differs from a fresh build; nothing when nothing was built yet."""
    from jobs.cli.build import output_folder
    from jobs.compile.changes import is_stale, plan_changes
    from jobs.compile.plan import compile_manifest
    from jobs.lint.rule import Stale
    from jobs.system.output import known_hashes, read_output

    folder = output_folder(manifest)
    if not folder.is_dir():
        return []
    files = compile_manifest(manifest)
    try:
        known = known_hashes(folder)
    except ValueError:
        known = {}
    found = read_output(folder, {**files, **known})
    careful = plan_changes(files, found, known)
    by_hand = {change.path for change in careful if change.word in ("refused", "kept")}
    return [
        Stale(_shown(f"{folder}/{change.path}"), change.word, by_hand=change.path in by_hand)
        for change in plan_changes(files, found, known, force=True)
        if is_stale(change, found) or change.path in by_hand
    ]


def _fix(found: list[Diagnostic], collection: Collection) -> list[Diagnostic]:
    """Make the safe edits; what they mended is no longer among the findings that are returned."""
    from jobs.lint.fixes import edited, edits_by_file
    from jobs.system.files import write_atomic

    edits = edits_by_file(found)
    for path, changes in edits.items():
        if path in collection.sources:
            text = edited(collection.sources[path], changes)
            mode = collection.disk.mode(path)
            write_atomic(
                Path(collection.disk.real_path(path)), text.encode("utf-8", "surrogateescape"), mode or 0o644
            )
    made = {id(edit) for changes in edits.values() for edit in changes}
    left = [
        one
        for one in found
        if one.fix is None or not (one.fix.edits and all(id(edit) in made for edit in one.fix.edits))
    ]
    if made:
        print(f"{len(found) - len(left)} fixed in {len(edits)} file(s)", file=sys.stderr)
    return left


def _print(found: list[Diagnostic], form: str, collection: Collection) -> None:
    if form == "json":
        from jobs.lint.report.json import render

        text = render(found)
    elif form == "sarif":
        from jobs import __version__
        from jobs.lint.report import sarif

        text = sarif.render(found, collection.sources, __version__, folder=str(Path.cwd()))
    elif form == "github":
        from jobs.lint.report import github

        text = github.render(found)
    elif form == "junit":
        from jobs.lint.report import junit

        text = junit.render(found)
    else:
        from jobs.cli.console import paint
        from jobs.lint.report import text as plain

        text = plain.render(found, lambda part, colour: paint(part, colour, sys.stdout)) or _nothing(
            collection
        )
    sys.stdout.write(_clean(text))


def _nothing(collection: Collection) -> str:
    seen = len(collection.seen)
    parts = [f"{len(collection.jobs)} jobs"] if collection.manifest is not None else []
    return f"no findings in {', '.join([*parts, f'{seen} files'])}\n"


def _clean(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _status(found: Sequence[Diagnostic], fail_on: str) -> int:
    if fail_on == "never":
        return Exit.OK
    from jobs.diagnostics import Severity

    limit = Severity[fail_on.upper()]
    return Exit.FINDINGS if any(one.severity >= limit for one in found) else Exit.OK
