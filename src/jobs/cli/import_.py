"""`jobs import`: property lists and crontabs into the manifest, with the proof that they mean the same."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jobs.errors import Exit, ManifestError, UsageError

if TYPE_CHECKING:
    from jobs.importing.assemble import Result
    from jobs.importing.cron import Found
    from jobs.importing.found import Candidate

app = typer.Typer(add_completion=False, rich_markup_mode=None)

AGENTS = "Library/LaunchAgents"
BREW = "homebrew.mxcl."
EPILOG = """\b
Examples:
  jobsctl import ~/Library/LaunchAgents --skip 'com.google.*'    every property list of the folder
  crontab -l | jobsctl import --crontab - --dry-run    show what a crontab would become
  jobsctl import --brew    the services of Homebrew

Exit status: 0 everything was carried, 1 something was not (it is listed), 2 bad usage or bad manifest.
Nothing of the sources is changed, and nothing is unloaded: the commands for that are printed.
"""


@app.command("import", epilog=EPILOG)
def import_(
    sources: Annotated[list[Path] | None, typer.Argument(help="Property lists, or folders of them.")] = None,
    crontab: Annotated[
        Path | None, typer.Option(help="A crontab; - reads the output of `crontab -l`.")
    ] = None,
    user_column: Annotated[
        bool | None,
        typer.Option(
            "--user-column/--no-user-column",
            help="Whether the crontab's sixth field is a user. Default: for /etc/crontab.",
        ),
    ] = None,
    brew: Annotated[bool, typer.Option("--brew", help=f"The services of Homebrew in ~/{AGENTS}.")] = False,
    only: Annotated[
        list[str] | None, typer.Option(help="Only labels that match, such as 'com.kim.*'.")
    ] = None,
    skip: Annotated[list[str] | None, typer.Option(help="No labels that match.")] = None,
    manifest: Annotated[
        Path | None,
        typer.Option(help="The manifest; made when it is not there. Default: jobs.toml here or above."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="For a new manifest: name of the project.")] = None,
    prefix: Annotated[str | None, typer.Option(help="For a new manifest: first part of the labels.")] = None,
    root: Annotated[
        str | None, typer.Option(help="For a new manifest: folder of the project on the Mac.")
    ] = None,
    home: Annotated[
        str | None, typer.Option(help="Home on the Mac: what ~ and $HOME mean. Default: yours.")
    ] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="Import a missing Minute as every minute, as launchd takes it.")
    ] = False,
    verify: Annotated[
        bool, typer.Option("--verify/--no-verify", help="Compile, and refuse what would not mean the same.")
    ] = True,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the manifest, write nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Report as JSON.")] = False,
) -> int:
    """Bring property lists and a crontab into jobs.toml. Comments are kept, and what cannot be carried is said."""
    from jobs.decode import load
    from jobs.importing.assemble import NewProject, assemble

    if not sources and crontab is None and not brew:
        raise UsageError("say what to import: property lists, a folder of them, --crontab FILE, or --brew")
    path = _target(manifest)
    existing = load(path) if path.exists() else None
    if existing is not None and existing.manifest is None:
        raise ManifestError(f"{path} has mistakes already: mend them first", existing.diagnostics)
    if existing is not None and (name or prefix or root):
        raise UsageError(f"{path} is there already, and says itself what its name, prefix and root are")
    project = existing.manifest.project if existing is not None and existing.manifest is not None else None
    home = _home(home, project.home if project else None)
    candidates = _plists(
        [*(sources or ()), *(_brew(home) if brew else ())], home, exact=exact, only=only, skip=skip
    )
    found = _crontab(crontab, home, user_column)
    new = NewProject(
        name or _plain(path.absolute().parent.name), root or str(path.absolute().parent), home, prefix
    )
    result = assemble(
        [*candidates, *found.candidates],
        str(path),
        existing,
        new,
        tail=found.tail if found.candidates else (),
        verify=verify,
    )
    written = bool(result.imported) and not dry_run
    if written:
        _write(path, result.text, new=existing is None)
    _report(result, path, dry_run=dry_run, written=written, as_json=as_json)
    return Exit.OK if result.complete else Exit.FINDINGS


def _target(given: Path | None) -> Path:
    """The manifest to write to: as everywhere, or jobs.toml here when there is none."""
    from jobs.cli.manifest import FILE_NAME, find_manifest

    try:
        return find_manifest(given)
    except UsageError:
        return Path(FILE_NAME)


def _home(given: str | None, of_project: str | None) -> str:
    import os

    home = given or of_project or os.environ.get("HOME") or str(Path.home())
    if not home.startswith("/"):
        raise UsageError(f"--home is {home!r}, but must be an absolute path")
    return home.rstrip("/") or "/"


def _plain(text: str) -> str:
    import re

    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-._") or "jobs"


def _brew(home: str) -> list[Path]:
    found = sorted((Path(home) / AGENTS).glob(f"{BREW}*.plist"))
    if not found:
        raise UsageError(f"there are no services of Homebrew in {home}/{AGENTS}")
    return found


def _plists(
    sources: Sequence[Path], home: str, *, exact: bool, only: Sequence[str] | None, skip: Sequence[str] | None
) -> list[Candidate]:
    """The candidates of property lists, each file once, in the order given and then by name."""
    from fnmatch import fnmatchcase

    from jobs.importing.plist import candidate_of
    from jobs.read.plist import read_plist

    files: dict[Path, None] = {}
    for source in sources:
        files |= dict.fromkeys(_files(source))
    found = []
    for file in files:
        candidate = candidate_of(read_plist(file), _shown(file, home), home, exact=exact)
        label = candidate.label or file.stem
        wanted = not only or any(fnmatchcase(label, pattern) for pattern in only)
        if wanted and not any(fnmatchcase(label, pattern) for pattern in skip or ()):
            found.append(candidate)
    return found


def _files(source: Path) -> list[Path]:
    try:
        if source.is_dir():
            found = sorted(file for file in source.iterdir() if file.suffix == ".plist" and file.is_file())
            if not found:
                raise UsageError(f"there is no property list in {source}")
            return found
        if not source.exists():
            raise UsageError(f"there is no {source}")
    except OSError as error:
        raise UsageError(f"cannot read {source}: {error.strerror}") from None
    return [source]


def _shown(file: Path, home: str) -> str:
    text = str(file)
    return f"~{text[len(home) :]}" if text.startswith(f"{home.rstrip('/')}/") else text


def _crontab(path: Path | None, home: str, user_column: bool | None) -> Found:
    from jobs.importing.cron import Found, candidates_of
    from jobs.read.crontab import parse_crontab
    from jobs.text import SourceFile

    if path is None:
        return Found()
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    shown = "crontab" if str(path) == "-" else _shown(path, home)
    source = SourceFile(shown if shown == "crontab" else str(path), data.decode(errors="replace"))
    system = (
        str(path.absolute()).startswith(("/etc/crontab", "/etc/cron.d/"))
        if user_column is None
        else user_column
    )
    return candidates_of(parse_crontab(source, user_column=system), shown, home)


def _write(path: Path, text: str, *, new: bool) -> None:
    from jobs.system.files import write_atomic, write_new

    try:
        if new:
            write_new(path, text.encode(), 0o644)
        else:
            write_atomic(path.resolve(), text.encode(), path.stat().st_mode & 0o777)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def _report(result: Result, path: Path, *, dry_run: bool, written: bool, as_json: bool) -> None:
    from jobs.cli.console import print_diagnostics

    notes = [note for candidate in result.candidates for note in candidate.notes]
    if as_json:
        import json

        print(json.dumps(_json(result, path, written), indent=2))
        return
    if dry_run:
        sys.stdout.write(_printable(result.text))
    print_diagnostics([note.diagnostic() for note in notes if not note.quiet])
    out = sys.stderr if dry_run else sys.stdout
    for candidate in result.skipped:
        print(f"{candidate.origin}: is in {path} already", file=out)
    jobs = result.imported
    refused = len([candidate for candidate in result.candidates if candidate.refused])
    told = f"{len(jobs)} job{'' if len(jobs) == 1 else 's'} {'would come' if dry_run else 'came'} into {path}"
    print(told + (f", {refused} refused" if refused else ""), file=out)
    without = sum(note.quiet for candidate in jobs for note in candidate.notes)
    if without:
        print(
            f"{without} of them set no PATH, and get that of [project] instead of the system's short one",
            file=out,
        )
    steps = _steps(result)
    if steps and not dry_run:
        print("The old ones still run. When the new ones are installed:", file=out)
        for step in steps:
            print(f"  {step}", file=out)
    if written:
        print("next: `jobsctl build`, then `jobsctl lint`", file=out)


def _printable(text: str) -> str:
    """The text as the terminal's encoding can show it."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _steps(result: Result) -> list[str]:
    """What takes the old jobs away, as commands and advice."""
    steps: list[str] = []
    for candidate in result.imported:
        steps += [step for step in _step(candidate, result) if step not in steps]
    return steps


def _step(candidate: Candidate, result: Result) -> list[str]:
    import shlex

    if candidate.kind == "crontab":
        return [f"crontab -e    # remove line {candidate.place.line}: {candidate.hint}"]
    if candidate.label and candidate.label.startswith(BREW):
        return [f"brew services stop {shlex.quote(candidate.label.removeprefix(BREW))}"]
    prefix = result.manifest.project.prefix if result.manifest else ""
    new = f"{prefix}.{candidate.name}"
    label = candidate.label or Path(candidate.place.path).stem
    told = "keeps its label" if new == label else f"its label is {new} now"
    domain = "system" if candidate.daemon else "gui/$(id -u)"
    file = shlex.quote(candidate.place.path)
    return [f"launchctl bootout {domain}/{shlex.quote(label)}; mv {file} {file}.off    # {told}"]


def _json(result: Result, path: Path, written: bool) -> dict[str, Any]:
    prefix = result.manifest.project.prefix if result.manifest else ""
    return {
        "manifest": str(path),
        "written": written,
        "complete": result.complete,
        "jobs": [
            {
                "name": candidate.name or None,
                "label": f"{prefix}.{candidate.name}" if candidate.name else None,
                "old_label": candidate.label,
                "origin": candidate.origin,
                "path": candidate.place.path,
                "line": candidate.place.line,
                "remove_old": _step(candidate, result) if candidate.name else [],
                "notes": [
                    {
                        "fate": note.fate.value,
                        "message": note.message,
                        "fix": note.fix or None,
                        "path": note.place.path,
                        "line": note.place.line,
                        "column": note.place.column,
                    }
                    for note in candidate.notes
                ],
            }
            for candidate in result.candidates
        ],
        "skipped": [candidate.origin for candidate in result.skipped],
        "text": result.text,
    }
