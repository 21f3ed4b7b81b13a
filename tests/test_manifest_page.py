"""docs/manifest.md is what the table of keys says. JOBS_UPDATE_GOLDEN=1 writes it anew."""

from __future__ import annotations

import os
from pathlib import Path

from jobs.reference import manifest_keys

PAGE = Path(__file__).parents[1] / "docs" / "manifest.md"
HEAD = """\
# The manifest

Every key of `jobs.toml`, from the table that the program itself reads (`src/jobs/model/fields.py`). For an editor:
`jobsctl schema`. Durations are `90s`, `45m`, `6h`, `1h30m`; `~` is `home`, and relative paths lie under `root`.

"""


def test_the_page_is_current() -> None:
    page = HEAD + manifest_keys().rstrip("\n") + "\n"
    if os.environ.get("JOBS_UPDATE_GOLDEN") == "1":
        PAGE.write_text(page, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page
