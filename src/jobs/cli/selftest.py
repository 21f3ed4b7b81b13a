"""`jobs selftest`: the lock under a storm, on the user's own machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jobs.errors import Exit, MachineError

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl selftest                  in the state folder of jobs.toml's project
  jobsctl selftest --state /tmp/x --rounds 40

Exit status: 0 no run met another and no lock stayed taken, 1 otherwise.
"""


@app.command(epilog=EPILOG)
def selftest(
    rounds: Annotated[int, typer.Option(min=1, max=1000, help="Rounds on a lock whose owner has died.")] = 10,
    state: Annotated[
        Path | None, typer.Option(help="A folder on the disk to be tested. Default: the project's state.")
    ] = None,
    json_output: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    manifest: Annotated[
        Path | None, typer.Option(help="The manifest. Default: jobs.toml here or above.")
    ] = None,
) -> int:
    """Start many contenders for a lock at once and count the runs that met another one: here, with your own disk."""
    from dataclasses import asdict

    from jobs.selftest import DEAD_STARTERS, FREE_STARTERS, arenas, storm

    folder = state or _project_state(manifest)
    rows = []
    try:
        with arenas(folder) as (ours, common):
            for name, arena in (("jobs", ours), ("mkdir, pid, rm -rf", common)):
                free = storm(arena, rounds=1, starters=FREE_STARTERS, dead=False)
                dead = storm(arena, rounds=rounds, starters=DEAD_STARTERS, dead=True)
                rows.append((name, free, dead))
    except OSError as error:
        raise MachineError(f"cannot test in {folder}: {error.strerror}") from error
    if json_output:
        import json

        print(
            json.dumps(
                {name: {"free": asdict(free), "dead": asdict(dead)} for name, free, dead in rows}, indent=2
            )
        )
    else:
        print(
            f"{FREE_STARTERS} starts at once on a free lock, then {rounds} rounds of {DEAD_STARTERS} on a lock whose owner died"
        )
        print(f"{'lock':20} {'starts':>7} {'met another':>12} {'left taken':>11}")
        for name, _free, dead in rows:
            print(f"{name:20} {FREE_STARTERS + dead.starts:7} {dead.doubles:12} {dead.wedged:11}")
    _, _, mine = rows[0]
    return Exit.FINDINGS if mine.doubles or mine.wedged or rows[0][1].wedged else Exit.OK


def _project_state(manifest: Path | None) -> Path:
    from jobs.cli.manifest import require_manifest

    return Path(require_manifest(manifest).project.state)
