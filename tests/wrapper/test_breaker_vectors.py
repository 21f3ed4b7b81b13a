"""The wrapper's shell and runtime/breaker.py do the same arithmetic: the vectors of the one, run through the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobs.model.fields import TOOLS as MANIFEST_TOOLS
from jobs.model.job import Guard
from jobs.runtime.breaker import read
from jobs.runtime.detect import TOOLS, cheap_words
from tests.runtime.breaker_vectors import SAME, VECTORS, Vector
from tests.wrapper.sandbox import Sandbox, daily


@pytest.mark.parametrize("vector", VECTORS, ids=[vector.id for vector in VECTORS])
def test_the_shell_follows_the_table(sandbox: Sandbox, vector: Vector) -> None:
    base = sandbox.base
    sandbox.guards = (Guard("claude", tool="claude", cooldown_s=vector.cooldown),)
    breaker = sandbox.state / "guard" / "claude"
    breaker.parent.mkdir(parents=True)
    meanwhile = ""
    if vector.before is not None and vector.canary:
        breaker.write_text(vector.before)
    elif vector.before is not None:
        # Not the canary: the breaker came to this state while the run was on its way.
        (base / "before").write_text(vector.before)
        meanwhile = f"cp '{base}/before' '{breaker}'; "
    status = 0 if vector.verdict == "ok" else 1
    sandbox.add("digest", f"{meanwhile}echo limit; exit {status}", schedule=daily(0, 30), guards=("claude",))
    (base / "answer").write_text(f"{vector.verdict} {vector.until} {vector.words}\n".replace("\n\t", " "))
    judge = base / "judge"
    judge.write_text(f"#!/bin/sh\ncat '{base}/answer'\n")
    judge.chmod(0o755)
    (sandbox.state / "tool").write_text(f"{judge}\n")
    force = vector.canary and read(vector.before, vector.now).state == "open"
    sandbox.run("digest", now=vector.now, env={"JOBS_FORCE": "1"} if force else None)
    got = breaker.read_text() if breaker.exists() else None
    assert got == (vector.before if vector.after == SAME else vector.after)


def test_the_cheap_words_are_the_detectors_own(sandbox: Sandbox) -> None:
    library = (Path(sandbox.base) / "generated" / "lib" / "guard.sh").read_text()
    assert f"q_words='{cheap_words(())}'\n" in library


def test_the_manifest_knows_every_detector() -> None:
    assert set(MANIFEST_TOOLS) == set(TOOLS)
