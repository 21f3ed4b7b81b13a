"""Each rule on scripts against its own examples and its table of cases."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.lint.script_findings import Case, cases, codes

from jobs.lint.rules import ENTRIES, rule

SCRIPT = [entry.code for entry in ENTRIES if entry.subject == "script"]
OWN_CASES = [code for code in SCRIPT if code not in ("U002", "U003", "U004")]
CASES = tuple(cases())


@pytest.mark.parametrize("code", SCRIPT)
def test_bad_example_gives_this_code_alone(code: str) -> None:
    assert codes(rule(code).bad) == [code]


@pytest.mark.parametrize("code", SCRIPT)
def test_good_examples_give_nothing(code: str) -> None:
    assert [codes(text) for text in rule(code).good] == [[] for _text in rule(code).good]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.code}-{case.kind}-{case.name}" for case in CASES])
def test_case(case: Case) -> None:
    assert codes(case.text) == case.expected, case.text


@pytest.mark.parametrize("code", OWN_CASES)
def test_each_rule_has_eight_cases_of_both_kinds(code: str) -> None:
    count = Counter(case.kind for case in CASES if case.code == code)
    assert count["bad"] >= 8
    assert count["good"] >= 8


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.code for entry in ENTRIES])
def test_entry_matches_its_record(entry: object) -> None:
    from jobs.lint.rules import Entry

    assert isinstance(entry, Entry)
    of = rule(entry.code)
    assert (of.code, of.subject) == (entry.code, entry.subject)
    assert of.why
    assert of.title


def test_codes_and_names_are_given_once() -> None:
    assert max(Counter(entry.code for entry in ENTRIES).values()) == 1
    assert max(Counter(rule(entry.code).name for entry in ENTRIES).values()) == 1
