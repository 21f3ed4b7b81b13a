"""`python -m tests.lint.fuzz COUNT [SEED [KIND]...]`: random and mutated scripts, manifests and property lists.

Half of the inputs are scripts, the others manifests and property lists in turn. Each input must come to an end within
SLOW_S, without an exception, in bounded memory; the first that does not is printed as a Python literal.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.lint.plist_findings import FakeDisk
from tests.lint.script_findings import cases
from tests.lint.script_findings import findings as script_findings
from tests.lint.test_fuzz import FRAGMENTS
from tests.lint.test_plist_fuzz import inputs as plists

from jobs.decode.loading import load_bytes
from jobs.lint.engine import Subjects, run
from jobs.lint.rule import Context
from jobs.read.plist import parse_plist

SLOW_S = 10.0
MOST_MB = 1_500
TOML_PIECES = [
    "[", "]", "[[", "]]", "=", '"', "'", '"""', "'''", "\n", "\\", "{", "}", ",", ".", "#", "jobs.a", "[jobs.b]\n", "at = ", "every = ",
    "cron = ", "run = ", "[project]\n", "1", "-1", "1e999", "9" * 400, "true", "nan", "2026-02-30", "25:61", "\0", "\udcff", "日", "\r", "\t",
    'guard = "x"\n', "[lint]\n", "env = {A=1}", "version = 1\n", "at = [1, 2", "\u202e", '"\\u0000"', "launchd = {Label = 1}\n",
]  # fmt: skip
MANIFEST = (Path(__file__).resolve().parents[2] / "jobs.toml").read_text()


def mutated(dice: random.Random, text: str, pieces: list[str]) -> str:
    """The text with up to eight stretches cut, doubled, moved or replaced."""
    for _ in range(dice.randrange(1, 9)):
        at = dice.randrange(len(text) + 1)
        cut = dice.randrange(30)
        match dice.randrange(4):
            case 0:
                text = text[:at] + dice.choice(pieces) + text[at:]
            case 1:
                text = text[:at] + text[at + cut :]
            case 2:
                text = text[:at] + text[max(0, at - cut) : at] + text[at:]
            case _:
                other = dice.randrange(len(text) + 1)
                text = text[:at] + text[other : other + cut] + text[at:]
    return text


def scripts(seed: int, count: int) -> Iterator[str]:
    """Soup, mutated cases, and two cases run into one another, in turn."""
    dice = random.Random(seed)
    known = [case.text for case in cases()]
    for number in range(count):
        match number % 4:
            case 0:
                yield "".join(dice.choice(FRAGMENTS) for _ in range(dice.randrange(60)))
            case 1:
                first, second = dice.choice(known), dice.choice(known)
                yield first[: dice.randrange(len(first))] + second[dice.randrange(len(second)) :]
            case _:
                yield mutated(dice, dice.choice(known), FRAGMENTS)


def manifests(seed: int, count: int) -> Iterator[str]:
    """Soup, and the example's manifest cut to some tables and mutated."""
    dice = random.Random(seed)
    head, *tables = MANIFEST.split("\n[jobs.")
    for number in range(count):
        if number % 4 == 0:
            yield "".join(dice.choice(TOML_PIECES) for _ in range(dice.randrange(60)))
            continue
        chosen = "".join("\n[jobs." + dice.choice(tables) for _ in range(dice.randrange(1, 4)))
        yield mutated(dice, head + chosen, TOML_PIECES)


def try_script(text: str) -> int:
    """How many findings."""
    return len(script_findings(text))


def try_manifest(text: str) -> int:
    """How many findings, the decoder's and the rules'."""
    from jobs.lint.collect import Collection
    from jobs.lint.engine import Selection

    loaded = load_bytes(text.encode("utf-8", "surrogateescape"), "/work/jobs.toml")
    found = len(loaded.diagnostics)
    if loaded.manifest is not None:
        disk = FakeDisk({})
        collection = Collection(disk, Context(disk, loaded.manifest))
        collection.add_manifest(loaded.manifest, loaded.source)
        found += len(collection.findings(Selection()))
    return found


def try_plist(data: bytes) -> int:
    """How many findings."""
    file = parse_plist(data, "/Users/kim/Library/LaunchAgents/a.plist")
    return len(run(Subjects(plists=(file,)), Context(FakeDisk())))


def main() -> int:
    """0, or 1 at the first input that fails."""
    count = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    kinds: tuple[tuple[str, Iterator[Any], Callable[[Any], int]], ...] = (
        ("scripts", scripts(seed, count), try_script),
        ("manifests", manifests(seed, count), try_manifest),
        ("property lists", plists(seed, count), try_plist),
    )
    for name, texts, attempt in kinds:
        if len(sys.argv) > 3 and name not in sys.argv[3:]:
            continue
        began, slowest, total, hits = time.monotonic(), 0.0, 0, 0
        for each in texts:
            start = time.monotonic()
            try:
                found = attempt(each)
            except Exception:
                print(f"{name}: {each!r}", file=sys.stderr)
                raise
            took = time.monotonic() - start
            if took > SLOW_S:
                print(f"{name}, {took:.1f} s: {each!r}", file=sys.stderr)
                return 1
            slowest, total, hits = max(slowest, took), total + 1, hits + bool(found)
        unit = 1 << 20 if sys.platform == "darwin" else 1 << 10  # bytes there, kilobytes elsewhere
        mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
        print(
            f"{total:,} {name}: {hits:,} with findings, {time.monotonic() - began:.0f} s, slowest {slowest * 1000:.0f} ms, "
            f"most memory so far {mb:.0f} MB",
            flush=True,
        )
        if mb > MOST_MB:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
