"""Random and mutated scripts: no traceback, and an end."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.lint.script_findings import cases, findings

FRAGMENTS = [
    "'", '"', "`", "$(", "${", "}", "))", "((", "[[ ", " ]]", "<<E\n", "E\n", "\n", "\\", "#", "if ", "; then ", " fi", " do ",
    " done", "case x in ", " esac", ";;", "&", "|", "||", "&&", "! ", "{ ", "(", ")", "trap '", "' EXIT", "mkdir -p $L || exit",
    "exec 9<>l", "flock 9", "sh -c '", "<(", "f() {", "x=(", "\0", "\r\n", "日", "\udcff", "$((", "for i in ", "while ", "]",
    "local -A ", "date -d ", "$?", "rm -rf $L", "kill -0 $p", "eval ", "# jobs: ignore[L001] x\n",
]  # fmt: skip
TEXTS = [case.text for case in cases()]


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join))
def test_fragments(text: str) -> None:
    findings(text)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.sampled_from(TEXTS), st.integers(0, 400), st.integers(0, 20), st.sampled_from(FRAGMENTS))
def test_mutations(text: str, at: int, cut: int, put: str) -> None:
    findings(text[:at] + put + text[at + cut :])


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.text(max_size=80))
def test_any_text(text: str) -> None:
    findings(text)


def test_a_large_script_is_refused_at_once() -> None:
    (found,) = findings("#!/bin/sh\n" + "echo x\n" * 1_500_000)
    assert (found.code, "too large" in found.message) == ("U001", True)
