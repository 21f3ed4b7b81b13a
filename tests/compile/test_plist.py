"""What stands in a plist."""

from __future__ import annotations

import plistlib
import subprocess
from pathlib import Path
from typing import Any

import pytest

from jobs.compile.naming import mode_of, plist_path
from jobs.compile.plan import compile_manifest
from jobs.compile.plist import OWNED_KEYS
from jobs.errors import ManifestError
from jobs.model.job import CatchupReason, CatchupSettings, JobCatchup, KeepAlive, Manifest
from jobs.schedule.rule import Rule, Schedule
from tests.compile.manifests import job, manifest, many
from tests.tools import require_tool


def plist(of: Manifest, name: str = "note-post") -> dict[str, Any]:
    found = plistlib.loads(compile_manifest(of)[plist_path(f"com.example.{name}")])
    assert isinstance(found, dict)
    return found


def calendar(*rules: Rule) -> Any:
    return plist(manifest(job(schedule=Schedule(rules))))["StartCalendarInterval"]


def test_the_whole_of_a_plain_job() -> None:
    found = plist(manifest())
    assert list(found.items()) == [
        ("Label", "com.example.note-post"),
        ("ProgramArguments", ["/Users/kim/work/one-ceo/generated/bin/note-post"]),
        (
            "EnvironmentVariables",
            {
                "PATH": "/opt/homebrew/bin:/usr/bin:/bin",
                "HOME": "/Users/kim",
                "USER": "kim",
                "LOGNAME": "kim",
                "LANG": "en_US.UTF-8",
            },
        ),
        ("StartCalendarInterval", {"Minute": 30, "Hour": 9}),
        ("ExitTimeOut", 30),
        ("StandardOutPath", "/Users/kim/Library/Logs/one-ceo/note-post.log"),
        ("StandardErrorPath", "/Users/kim/Library/Logs/one-ceo/note-post.log"),
    ]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        pytest.param({"every_s": 1800}, {"StartInterval": 1800}, id="every"),
        pytest.param({"watch": ("/in", "/b")}, {"WatchPaths": ["/in", "/b"]}, id="watch"),
        pytest.param({"at_load": True}, {"RunAtLoad": True}, id="at load"),
        pytest.param({"keep_alive": KeepAlive()}, {"KeepAlive": True}, id="keep alive"),
        pytest.param(
            {"keep_alive": KeepAlive({"SuccessfulExit": False})},
            {"KeepAlive": {"SuccessfulExit": False}},
            id="keep alive under conditions",
        ),
        pytest.param({"umask": 0o077}, {"Umask": 63}, id="umask is a number, and plists are decimal"),
        pytest.param({"kill_after_s": 60}, {"ExitTimeOut": 70}, id="launchd waits longer than the wrapper"),
        pytest.param({"kill_after_s": 0}, {"ExitTimeOut": 10}, id="never ExitTimeOut 0, which is for ever"),
        pytest.param({"launchd": {"Nice": 10, "LowPriorityIO": True}}, {"Nice": 10, "LowPriorityIO": True}, id="raw keys"),
        pytest.param(
            {"env": (("PATH", "/own"), ("TOKEN", "x"))},
            {"EnvironmentVariables": {
                "PATH": "/own", "HOME": "/Users/kim", "USER": "kim", "LOGNAME": "kim", "LANG": "en_US.UTF-8", "TOKEN": "x",
            }},
            id="a job's own environment wins",
        ),
    ],
)  # fmt: skip
def test_a_key_of_the_manifest_gives_a_key_of_the_plist(
    keys: dict[str, Any], expected: dict[str, Any]
) -> None:
    found = plist(manifest(job(**keys)))
    assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        pytest.param("gui", (None, None), id="gui: Aqua is launchd's own default"),
        pytest.param("user", ("Background", None), id="user"),
        pytest.param("system", (None, "kim"), id="system"),
    ],
)
def test_the_domain_decides_about_session_and_user(
    domain: str, expected: tuple[str | None, str | None]
) -> None:
    found = plist(manifest(domain=domain))
    assert (found.get("LimitLoadToSessionType"), found.get("UserName")) == expected


def test_a_raw_key_wins_over_a_default_of_the_domain() -> None:
    found = plist(manifest(job(launchd={"LimitLoadToSessionType": "StandardIO"}), domain="user"))
    assert found["LimitLoadToSessionType"] == "StandardIO"


@pytest.mark.parametrize("key", sorted(OWNED_KEYS))
def test_a_raw_key_never_replaces_what_is_compiled(key: str) -> None:
    with pytest.raises(ManifestError, match=key):
        compile_manifest(manifest(job(launchd={key: "x"})))


@pytest.mark.parametrize(("reason", "at_load"), [("guard", None), ("missed", True)])
def test_the_catchup_job_looks_at_login_for_what_was_missed(
    reason: CatchupReason, at_load: bool | None
) -> None:
    nine = Schedule((Rule((0,), (9,)),))
    of = manifest(
        job(schedule=nine, catchup=JobCatchup((reason,), "today")), catchup=CatchupSettings(every_s=600)
    )
    assert plist(of, "catchup").get("RunAtLoad") is at_load


def test_the_catchup_job() -> None:
    found = plist(manifest(catchup=CatchupSettings(every_s=600)), "catchup")
    assert found["StartInterval"] == 600
    assert found["ProgramArguments"] == ["/Users/kim/work/one-ceo/generated/bin/catchup"]
    assert found["StandardErrorPath"] == "/Users/kim/Library/Logs/one-ceo/catchup.log"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\0", id="NUL"),
        pytest.param("\x1b[1m", id="escape"),
        pytest.param("a\rb", id="CR would be read back as LF"),
        pytest.param("\udc80", id="not text"),
        pytest.param("\uffff", id="no character of XML"),
    ],
)
def test_what_xml_cannot_carry_is_refused(text: str) -> None:
    with pytest.raises(ManifestError, match=r"com\.example\.note-post"):
        compile_manifest(manifest(job(env=(("X", text),))))


def test_s04_markup_in_paths_and_values_comes_back_as_it_was() -> None:
    texts = (
        "/Users/ann/R&D",
        "--tag=<new>",
        "]]>\"'",
        "two\nlines",
        "\ttab ",
        " ",
        "ナイーブ naïve 🙂",
        "&amp;",
    )
    env = tuple((f"X{i}", text) for i, text in enumerate(texts))
    found = plist(manifest(job(env=env), home="/Users/ann/R&D"))
    assert found["EnvironmentVariables"]["HOME"] == "/Users/ann/R&D"
    assert tuple(found["EnvironmentVariables"][f"X{i}"] for i in range(len(texts))) == texts


def test_s01_weekdays_are_whole_numbers_one_dictionary_each() -> None:
    found = calendar(Rule((0,), (0,), weekdays=(0, 6)))
    assert {entry["Weekday"] for entry in found} == {0, 6}
    assert all(type(value) is int for entry in found for value in entry.values())


def test_s02_minute_and_hour_are_always_written() -> None:
    assert calendar(Rule((0,), (6,))) == {"Hour": 6, "Minute": 0}


def test_s05_s08_no_comments_and_nothing_left_to_expand() -> None:
    for path, data in compile_manifest(many(5)).items():
        if path.endswith(".plist"):
            assert b"<!--" not in data
            assert b"$" not in data
            assert b"~" not in data


def test_s12_programs_are_named_by_their_whole_path() -> None:
    for path, data in compile_manifest(many(5)).items():
        if path.endswith(".plist"):
            assert all(word.startswith("/") for word in plistlib.loads(data)["ProgramArguments"])


def test_s15_nobody_else_may_write_a_plist() -> None:
    assert {mode_of(path) for path in compile_manifest(many(5)) if path.endswith(".plist")} == {0o644}


def test_s24_a_job_has_a_language_even_if_the_manifest_names_none() -> None:
    assert plist(manifest(catchup=CatchupSettings()), "catchup")["EnvironmentVariables"]["LANG"].endswith(
        "UTF-8"
    )


@pytest.mark.parametrize(
    ("weekdays", "expected"),
    [
        pytest.param((1, 2, 3, 4, 5), [1, 2, 3, 4, 5], id="S56: monday to friday"),
        pytest.param((0,), [0], id="S56: sunday is 0"),
    ],
)
def test_s56_weekday_numbers_are_not_shifted(weekdays: tuple[int, ...], expected: list[int]) -> None:
    found = calendar(Rule((0,), (7,), weekdays=weekdays))
    entries = found if isinstance(found, list) else [found]
    assert sorted(entry["Weekday"] for entry in entries) == expected


def test_s57_cron_with_both_day_fields_fires_on_either() -> None:
    found = calendar(Rule((0,), (4,), days=(13,), weekdays=(5,), either=True))
    entries = found if isinstance(found, list) else [found]
    assert {("Day", 13), ("Weekday", 5)} <= {item for entry in entries for item in entry.items()}
    assert all(entry["Hour"] == 4 and entry["Minute"] == 0 for entry in entries)


def test_plistutil_reads_every_plist(tmp_path: Path) -> None:
    # Its exit status is 0 for anything, so the answer is compared.
    plistutil = require_tool("plistutil")
    odd = job("odd", every_s=60, env=(("X", "R&D <new> naïve"),))
    of = manifest(*many(5).jobs, odd, catchup=CatchupSettings())
    for path, data in compile_manifest(of).items():
        if path.endswith(".plist"):
            source = tmp_path / "in.plist"
            source.write_bytes(data)
            binary = subprocess.run(
                [plistutil, "-i", str(source), "-f", "bin"], capture_output=True, check=True
            ).stdout
            assert plistlib.loads(binary, fmt=plistlib.FMT_BINARY) == plistlib.loads(data)


def test_every_minute_is_an_empty_dictionary_and_not_no_schedule() -> None:
    assert calendar(Rule(tuple(range(60)), tuple(range(24)))) == {}
