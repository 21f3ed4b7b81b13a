"""`jobs init`: a commented manifest to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jobs.errors import Exit, UsageError

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl init                                        for the folder that you are in
  jobsctl init --prefix com.example --name one-ceo
"""


@app.command(epilog=EPILOG)
def init(
    folder: Annotated[Path, typer.Argument(help="Where to write jobs.toml.")] = Path(),
    name: Annotated[str | None, typer.Option(help="Name of the project. Default: the folder's.")] = None,
    prefix: Annotated[str | None, typer.Option(help="First part of the labels. Default: local.USER.")] = None,
    root: Annotated[
        str | None, typer.Option(help="Folder of the project on the Mac. Default: this one.")
    ] = None,
    home: Annotated[str | None, typer.Option(help="Home on the Mac. Default: yours.")] = None,
) -> int:
    """Write a commented jobs.toml. An existing one is never overwritten."""
    import os
    import re

    from jobs.cli.manifest import FILE_NAME
    from jobs.decode import load_text
    from jobs.manifest_text import starter_text
    from jobs.system.files import write_new
    from jobs.text import SourceFile

    path = folder / FILE_NAME
    here = folder.resolve()
    home = home or os.environ.get("HOME") or str(Path.home())
    user = re.sub(r"[^A-Za-z0-9_-]+", "-", Path(home).name).strip("-") or "me"
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", here.name).strip("-._") or "project"
    text = starter_text(
        name=name or plain, prefix=prefix or f"local.{user}", root=root or str(here), home=home
    )
    loaded = load_text(SourceFile(str(path), text))
    if loaded.manifest is None:
        worst = loaded.diagnostics[0]
        raise UsageError(
            f"no manifest can be made of these: {worst.message} ({worst.fix.text if worst.fix else ''})"
        )
    try:
        write_new(path, text.encode(), 0o644)
    except FileExistsError:
        raise UsageError(f"{path} is there already: edit it, or move it away first") from None
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    print(f"wrote {path}; next: edit it, then `jobsctl build` and `jobsctl run hello --here`")
    return Exit.OK
