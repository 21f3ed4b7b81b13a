"""`python -m tests.bench [WORD]...`: how long things take, as ratios to something everybody knows.

Runs every function `bench_...` of the modules beside this one (those whose name holds one of the words); each returns
rows. Milliseconds are of this machine and this moment; the ratios are what to compare.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from tests.bench.rows import Row


def benchmarks(words: list[str]) -> Iterator[tuple[str, Callable[[], Iterable[Row]]]]:
    """Name and function of each benchmark, in the order of the modules."""
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem in {"__init__", "__main__", "rows"}:
            continue
        module = import_module(f"tests.bench.{path.stem}")
        for name, function in vars(module).items():
            full = f"{path.stem}.{name.removeprefix('bench_')}"
            if name.startswith("bench_") and (not words or any(word in full for word in words)):
                yield full, function


def main() -> int:
    """0, or 1 when a ratio is above its limit and `--strict` was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("words", nargs="*", help="only benchmarks whose name holds one of these")
    parser.add_argument("--json", action="store_true", help="one JSON object a row")
    parser.add_argument("--strict", action="store_true", help="exit 1 when a ratio is above its limit")
    options = parser.parse_args()
    above = False
    for _, function in benchmarks(options.words):
        for row in function():
            too_much = row.most is not None and row.ratio > row.most
            above |= too_much
            if options.json:
                print(json.dumps(asdict(row) | {"ratio": round(row.ratio, 3)}), flush=True)
                continue
            limit = "" if row.most is None else f"  (aim: {row.most:g}{', MISSED' if too_much else ''})"
            print(
                f"{row.ratio:8.2f} x  {row.name}: {row.ours_s * 1000:.1f} ms; {row.base}: {row.base_s * 1000:.1f} ms{limit}",
                flush=True,
            )
    return 1 if above and options.strict else 0


if __name__ == "__main__":
    sys.exit(main())
