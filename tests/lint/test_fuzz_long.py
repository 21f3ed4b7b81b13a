"""Many more random inputs than the quick tests try, of all three kinds."""

from __future__ import annotations

import pytest
from tests.lint import fuzz


@pytest.mark.slow
def test_scripts() -> None:
    assert sum(map(fuzz.try_script, fuzz.scripts(2, 20_000))) > 0


@pytest.mark.slow
def test_manifests() -> None:
    assert sum(map(fuzz.try_manifest, fuzz.manifests(2, 4_000))) > 0


def test_a_few_manifests() -> None:
    assert sum(map(fuzz.try_manifest, fuzz.manifests(3, 100))) > 0
