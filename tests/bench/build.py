"""What a build of many jobs costs beside the least that anybody would have to do."""

from __future__ import annotations

import os
import plistlib
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from jobs.compile.changes import plan_changes
from jobs.compile.plan import compile_manifest
from jobs.system.output import known_hashes, read_output, replace_output
from tests.bench.rows import Row, compare
from tests.compile.manifests import many


def bench_build_of_a_thousand_jobs() -> Iterator[Row]:
    """A thousand jobs from records to disk, against plistlib and plain writes of the same bytes."""
    manifest = many(1000)
    files = compile_manifest(manifest)
    plists = {path: plistlib.loads(data) for path, data in files.items() if path.endswith(".plist")}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        numbers = count()
        replace_output(folder / "ours", files)

        def anew() -> None:
            replace_output(folder / f"ours{next(numbers)}", compile_manifest(manifest))

        def plain() -> None:
            to = f"{folder}/plain{next(numbers)}"
            for part in ("bin", "launchd", "lib"):
                os.makedirs(f"{to}/{part}")  # noqa: PTH103
            for path, data in files.items():
                values = plists.get(path)
                data = data if values is None else plistlib.dumps(values, sort_keys=False)  # noqa: PLW2901
                with open(f"{to}/{path}", "wb") as stream:  # noqa: PTH123
                    stream.write(data)

        def unchanged() -> None:
            known = known_hashes(folder / "ours")
            compiled = compile_manifest(manifest)
            assert plan_changes(compiled, read_output(folder / "ours", {**compiled, **known}), known) == ()

        base = "plistlib and plain writes of the same bytes"
        yield compare("build of 1,000 jobs anew", anew, base, plain, most=4)
        yield compare("build of 1,000 jobs unchanged", unchanged, base, plain, most=4)
