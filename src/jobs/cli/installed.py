"""What the verbs on installed jobs share: finding the project, and how they print."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jobs.errors import Exit, JobsError, ManifestError, UsageError

if TYPE_CHECKING:
    from jobs.install.operation import Operation, Options
    from jobs.install.site import Site
    from jobs.model.job import Manifest

MANIFEST_HELP = "The manifest; default: jobs.toml here, or JOBS_MANIFEST."
STATE_HELP = "The state folder of the installed project, when its manifest is gone."


def site_of_manifest(manifest: Manifest) -> Site:
    """Where the manifest's jobs belong on this machine. Raises UsageError."""
    from jobs.install.site import running_person, site_of

    return site_of(manifest.project, running_person())


def operation_on(site: Site, options: Options) -> Operation:
    """The operation on a site with this machine's launchctl. Raises UsageError, MachineError."""
    from jobs.install.operation import Operation
    from jobs.system.launchctl import find

    return Operation(site, find(), options, progress=show_progress)


def open_installed(manifest: Path | None, state: Path | None, options: Options) -> Operation:
    """The operation on an installed project: by --state, by its manifest, or, without one, the only one there is.

    Raises UsageError, ManifestError, MachineError.
    """
    if state is not None:
        return operation_on(_site_in(state), options)
    from jobs.cli.manifest import require_manifest

    try:
        found = require_manifest(manifest)
    except (ManifestError, UsageError) as error:
        sites = installed_sites()
        if manifest is not None or not sites:
            raise
        if len(sites) > 1:
            names = "; ".join(f"--state {site.state}" for site in sites)
            raise UsageError(f"{error}; several projects are installed, name one: {names}") from error
        print(f"{error}; working on what is installed: {sites[0].project}", file=sys.stderr)
        return operation_on(sites[0], options)
    return operation_on(site_of_manifest(found), options)


def _site_in(state: Path) -> Site:
    from jobs.install.receipt import Archive

    site = Archive(state.absolute()).receipt().site
    if site is None:
        raise UsageError(f"nothing was installed from the state folder {state}")
    return site


def installed_sites() -> list[Site]:
    """Every project of this user with a receipt at the usual place."""
    from jobs.install.receipt import Archive
    from jobs.install.site import running_person

    found = []
    support = Path(running_person().home) / "Library" / "Application Support"
    for path in sorted(support.glob("*/install/receipt.json")):
        try:
            receipt = Archive(path.parent.parent).receipt()
        except JobsError:
            continue
        if receipt.site is not None and receipt.jobs:
            found.append(receipt.site)
    return found


def switch_jobs(
    names: Sequence[str],
    manifest: Path | None,
    state: Path | None,
    options: Options,
    act: Callable[[Operation, str], str],
    *,
    as_json: bool,
) -> int:
    """The exit status of one act on several installed jobs; one that fails does not stop the others.

    Raises UsageError, ManifestError, NoSessionError.
    """
    from jobs.install.switch import labels_of
    from jobs.system.launchctl import NoSessionError

    operation = open_installed(manifest, state.expanduser() if state else None, options)
    rows = []
    with operation.locked():
        for label in labels_of(operation, names):
            name = operation.receipt.jobs[label].name
            try:
                rows.append({"name": name, "ok": True, "text": act(operation, label)})
            except (NoSessionError, UsageError):
                raise
            except JobsError as error:
                rows.append({"name": name, "ok": False, "text": str(error)})
    if as_json:
        print_json(rows)
    for row in [] if as_json else rows:
        print(
            row["text"] if row["ok"] else f"{row['name']}: {row['text']}",
            file=None if row["ok"] else sys.stderr,
        )
    return Exit.OK if all(row["ok"] for row in rows) else Exit.FINDINGS


@contextlib.contextmanager
def told_when_interrupted(verb: str) -> Iterator[None]:
    """Nothing; ^C inside is told, with what completes the work."""
    try:
        yield
    except KeyboardInterrupt:
        print(
            f"\ninterrupted: some jobs may not be loaded now; `jobsctl {verb}` completes the work",
            file=sys.stderr,
        )
        raise


def show_progress(number: int, count: int, name: str) -> None:
    """One line that is overwritten, on a terminal only."""
    if sys.stderr.isatty():
        end = "\n" if number == count else ""
        print(f"\r\x1b[K[{number}/{count}] {name}", end=end, file=sys.stderr, flush=True)


def print_json(value: object) -> None:
    """Print a value as JSON."""
    print(json.dumps(value, indent=2, ensure_ascii=False))


def check_names(names: Collection[str], known: Collection[str]) -> None:
    """Nothing, or UsageError for a name that is not known."""
    from difflib import get_close_matches

    for name in names:
        if name not in known:
            near = get_close_matches(name, list(known), n=1)
            hint = f": did you mean {near[0]!r}?" if near else ""
            raise UsageError(f"there is no job {name!r}{hint}")
