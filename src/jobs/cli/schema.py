"""`jobs schema`: the JSON Schema of the manifest."""

from __future__ import annotations

import typer

from jobs.errors import Exit

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl schema > jobs.schema.json     for an editor: put `#:schema ./jobs.schema.json` on top of jobs.toml
"""


@app.command(epilog=EPILOG)
def schema() -> int:
    """Print the JSON Schema (draft 2020-12) of jobs.toml, with a description, an example and the default of each key."""
    import json

    from jobs.schema import manifest_schema

    print(json.dumps(manifest_schema(), indent=2, ensure_ascii=False))
    return Exit.OK
