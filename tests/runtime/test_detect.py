from __future__ import annotations

import json
import re
import shutil
import subprocess
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from jobs.runtime.detect import ALIASES, TOOLS, cheap_words, judge
from jobs.runtime.detect.rows import ROWS, tools_of
from jobs.runtime.detect.screen import read_line
from tests.runtime.quota_cases import CASES, NOW, ZONE, Case

SAMPLES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "quota-samples.json").read_text("utf-8")
)
MEANING = {
    "quota_window": "quota",
    "quota_billing": "billing",
    "throttle": "throttle",
    "overload": "throttle",
    "auth": "auth",
}
ZONES = ("UTC", "Asia/Tokyo", "America/New_York")
STRANGER = "fp-npm-429"  # a throttle, but of no tool that a guard stands for


def seen_at(sample: dict[str, Any]) -> int:
    seen = sample["observed_at"] or "2026-12-01T01:00:00Z"
    return int(datetime.fromisoformat(seen).timestamp())


@pytest.fixture(params=ZONES)
def process_zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    import time

    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("named", [True, False], ids=["tool named", "any tool"])
@pytest.mark.parametrize("sample", SAMPLES, ids=[sample["id"] for sample in SAMPLES])
def test_sample(sample: dict[str, Any], named: bool, process_zone: str) -> None:
    tool = sample["tool"] if named else None
    found = judge(sample["text"], sample["exit_code"], tool, (), seen_at(sample), "Asia/Tokyo")
    assert (found.verdict in {"quota", "billing"}) == sample["is_quota"], process_zone
    expected = MEANING.get(sample["class"])
    if expected is not None and sample["id"] != STRANGER:
        assert found.verdict == expected
    epoch = (sample["reset"] or {}).get("epoch")
    if epoch is not None:
        assert found.until == epoch


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_case(case: Case) -> None:
    found = judge(case.text, case.exit_status, case.tool, case.patterns, NOW, ZONE)
    assert (found.verdict, found.until, found.maybe_quota) == (case.verdict, case.until, case.maybe), (
        found.reason
    )


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_case_as_bytes_and_without_end_of_line(case: Case) -> None:
    found = judge(case.text.rstrip("\n").encode(), case.exit_status, case.tool, case.patterns, NOW, ZONE)
    assert (found.verdict, found.until) == (case.verdict, case.until)


def test_ids_are_unique() -> None:
    ids = [case.id for case in CASES]
    assert sorted(set(ids)) == sorted(ids)


def all_texts() -> list[tuple[str, str]]:
    found = [
        (sample["id"], sample["text"])
        for sample in SAMPLES
        if judge(sample["text"], sample["exit_code"], None, (), seen_at(sample), ZONE).verdict
        not in {"ok", "failed"}
    ]
    return found + [
        (case.id, case.text)
        for case in CASES
        if case.verdict not in {"ok", "failed"} and not case.patterns and not case.id.startswith("exit-75")
    ]


@pytest.mark.parametrize(("name", "text"), all_texts(), ids=[name for name, _ in all_texts()])
def test_cheap_words_are_in_every_stop(name: str, text: str) -> None:
    assert re.search(cheap_words(), text, re.IGNORECASE), name


def test_cheap_words_are_grep_s_language() -> None:
    grep = shutil.which("grep")
    assert grep is not None
    texts = "".join(f"{' '.join(text.split())}\n" for _, text in all_texts())
    done = subprocess.run(
        [grep, "-c", "-i", "-E", "-e", cheap_words()],
        input=texts,
        capture_output=True,
        text=True,
        check=True,
        env={"LC_ALL": "C"},
    )
    assert int(done.stdout) == len(all_texts())


def test_cheap_words_match_everything_where_the_user_has_patterns() -> None:
    assert re.search(cheap_words(("x",)), "anything")


@pytest.mark.parametrize("row", [row for row in ROWS if row.start], ids=lambda row: row.start)
def test_a_row_begins_in_lower_case_with_plain_quotes(row: Any) -> None:
    assert row.start == row.start.lower()
    assert row.start.isascii()
    re.compile(row.rest)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.tools}: {row.start}{row.rest[:20]}")
def test_a_row_names_tools_that_there_are(row: Any) -> None:
    assert set(row.tools.split()) <= set(TOOLS)


@pytest.mark.parametrize("name", [*TOOLS, *ALIASES])
def test_every_name_of_a_tool_is_known(name: str) -> None:
    assert tools_of(name)


def test_an_unknown_tool_is_refused() -> None:
    with pytest.raises(KeyError):
        judge("", 0, "clod")


def test_a_bad_pattern_is_refused() -> None:
    with pytest.raises(re.error):
        judge("", 0, None, ("(",))


def test_a_stop_at_the_end_of_megabytes_is_found() -> None:
    text = b"working\n" * 1_000_000 + b"Credit balance is too low\n"
    assert judge(text, 1, "claude", (), NOW, ZONE).verdict == "billing"
    assert judge(text, 0, "claude", (), NOW, ZONE).verdict == "ok"


def test_the_end_of_an_output_is_not_the_whole_of_it() -> None:
    assert judge("Credit balance is too low\n", 0, "claude", (), NOW, ZONE, whole=False).verdict == "ok"


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        "{" * 200_000,
        '{"type":"result",' * 10_000,
        "\x1b[" * 100_000,
        "```\n" * 50_001,
        "\0" * 100_000,
        "a" * 3_000_000,
    ],
    ids=["brackets", "braces", "torn objects", "escapes", "fences", "NULs", "one long line"],
)
def test_hostile_output_is_only_a_failure(text: str) -> None:
    assert judge(text.encode(), 1, None, (), NOW, ZONE).verdict == "failed"


def test_a_zone_that_is_not_known_is_told() -> None:
    found = judge("You've hit your weekly limit · resets 1pm (Mars/Base)", 1, "claude", (), NOW, ZONE)
    assert found.until is not None
    assert "Mars/Base" in found.warning


def said() -> list[str]:
    """Every line, and every string of every JSON, that the cases and samples hold; bare, as rows see them."""
    texts = [case.text for case in CASES] + [sample["text"] for sample in SAMPLES]
    lines: list[str] = []
    for text in texts:
        for raw in [*text.split("\n"), *re.findall(r'"((?:[^"\\]|\\.)*)"', text)]:
            line = read_line(raw, fenced=False)
            if line is not None:
                lines.append(line.bare)
    return lines


SAID = said()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.tools}: {row.start}{row.rest[:20]}")
def test_every_row_is_told_by_a_case(row: Any) -> None:
    told = [
        line
        for line in SAID
        if line.lower().startswith(row.start)
        and (not row.rest or re.compile(row.rest, re.IGNORECASE).match(line, len(row.start)))
    ]
    assert told
    if row.meaning != "works":
        assert all(re.search(cheap_words(), line, re.IGNORECASE) for line in told)
