from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _plain_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that the caller has set for himself reaches a test."""
    for name in (
        "FORCE_COLOR",
        "JOBS_FORCE",
        "JOBS_LAUNCHCTL",
        "JOBS_MANIFEST",
        "JOBS_NOW",
        "JOBS_TRIGGER",
        "NO_COLOR",
    ):
        monkeypatch.delenv(name, raising=False)
