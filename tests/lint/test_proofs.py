"""The proofs show their fault on this machine."""

from __future__ import annotations

import pytest

from jobs.lint.proofs import PROOFS, run
from jobs.lint.rules import codes


def test_every_proof_belongs_to_a_rule() -> None:
    assert set(PROOFS) <= set(codes())


@pytest.mark.parametrize("code", ["L001", "L008", "L009", "L013"])
def test_proof_shows_the_fault(code: str) -> None:
    proof = run(code)
    assert proof.shown, proof.text


@pytest.mark.slow
@pytest.mark.parametrize("code", ["L002", "L003", "L007"])
def test_race_shows_itself(code: str) -> None:
    assert any(run(code).shown for _attempt in range(5))
