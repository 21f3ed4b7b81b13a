"""Each rule on property lists against its own examples."""

from __future__ import annotations

import pytest
from tests.lint.plist_findings import FakeDisk, codes

from jobs.lint.rules import ENTRIES, rule

PLIST = [
    entry.code
    for entry in ENTRIES
    if entry.subject == "plist" and entry.module.startswith(("plist.", "schedule.", "environment."))
]
BY_STAT = {"P111": {"modes": 0o664}, "P112": {"owners": 501}}


def disk_for(code: str, path: str) -> FakeDisk:
    """The disk that the bad example of a rule lies on."""
    if code == "P111":
        return FakeDisk(modes={path: 0o664})
    if code == "P112":
        return FakeDisk(owners={path: 501})
    return FakeDisk()


@pytest.mark.parametrize("code", PLIST)
def test_bad_example_gives_this_code_alone(code: str) -> None:
    of = rule(code)
    path = of.example_path
    assert set(codes(of.bad, path=path, disk=disk_for(code, path))) == {code}


@pytest.mark.parametrize("code", PLIST)
def test_good_examples_do_not_give_it(code: str) -> None:
    of = rule(code)
    for text in of.good:
        assert code not in codes(text, path=of.example_path), text


@pytest.mark.parametrize("code", PLIST)
def test_record_is_complete(code: str) -> None:
    of = rule(code)
    assert of.code == code
    assert of.why
    assert of.title
    assert of.sources
    assert of.example_path
    assert of.good or code in BY_STAT
