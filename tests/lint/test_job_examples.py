"""The examples of the rules on jobs and manifests, read by the real loader."""

from __future__ import annotations

import pytest
from tests.lint.plist_findings import FakeDisk

from jobs.decode import load_text
from jobs.lint.collect import Collection
from jobs.lint.engine import Selection
from jobs.lint.rule import Context, Stale
from jobs.lint.rules import ENTRIES, rule
from jobs.text import SourceFile

OUTPUT = {
    "M001": Stale("generated/bin/tidy", "changed"),
    "M002": Stale("generated/bin/tidy", "refused", by_hand=True),
}
CODES = [entry.code for entry in ENTRIES if entry.subject in ("job", "manifest")]


def codes(text: str, code: str, *, stale: bool) -> set[str]:
    """The codes that a manifest gives; for the rules on output, with a file that is stale."""
    of = rule(code)
    disk = FakeDisk({f"/Users/kim/tidy/{name}": content.encode() for name, content in of.files.items()})
    loaded = load_text(SourceFile("jobs.toml", text))
    assert loaded.manifest is not None, [one.message for one in loaded.diagnostics]
    output = (OUTPUT[code],) if stale and code in OUTPUT else ()
    collection = Collection(disk, Context(disk, loaded.manifest, output))
    collection.add_manifest(loaded.manifest, loaded.source)
    return {one.code for one in collection.findings(Selection())}


@pytest.mark.parametrize("code", CODES)
def test_bad_example_gives_this_code_alone(code: str) -> None:
    assert codes(rule(code).bad, code, stale=True) == {code}


@pytest.mark.parametrize("code", CODES)
def test_good_examples_do_not_give_it(code: str) -> None:
    for text in rule(code).good:
        assert code not in codes(text, code, stale=False), text
