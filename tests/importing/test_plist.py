"""Property lists into the manifest: 200 generated ones round-trip; what people get wrong is mended and said."""

from __future__ import annotations

import plistlib
from random import Random

import pytest

from jobs.compile.plan import compile_manifest
from jobs.importing.found import Fate
from jobs.model.job import Argv, ShellLine
from tests.importing.sources import RAW, imported, lost, of_keys, of_xml, random_plist, told

SILENT = ("MachServices", "Sockets", "LaunchEvents", "inetdCompatibility")


def test_generated_lists_round_trip() -> None:
    random = Random(20261201)
    lists = [random_plist(random, number) for number in range(200)]
    assert {key.name for key in RAW} <= {name for keys in lists for name in keys}
    result = imported(*(of_keys(keys, binary=number % 2 == 0) for number, keys in enumerate(lists)))
    assert result.manifest is not None
    assert [message for message in lost(result) if not message.startswith(SILENT)] == []
    assert {candidate.label for candidate in result.imported} == {keys["Label"] for keys in lists}
    files = compile_manifest(result.manifest)
    by_label = {candidate.label: candidate for candidate in reversed(result.imported)}
    for keys in lists:
        job = result.manifest.job(by_label[keys["Label"]].name)
        assert job is not None
        got = plistlib.loads(files[f"launchd/{job.label}.plist"])
        for key in RAW:
            assert got.get(key.name) == keys.get(key.name), key.name
        for name in ("RunAtLoad", "KeepAlive", "WatchPaths"):
            assert got.get(name, False) == keys.get(name, False)
        assert got["StandardOutPath"] == keys["StandardOutPath"]
        env = keys.get("EnvironmentVariables", {})
        assert got["EnvironmentVariables"]["LANG"] == env.get("LANG", "en_US.UTF-8")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            "<dict><key>Hour</key><integer>6</integer></dict>", {"at": "06:00"}, id="S02-hour-without-minute"
        ),
        pytest.param(
            "<dict><key>Weekday</key><integer>1</integer></dict>", {"at": "mon 00:00"}, id="weekday-alone"
        ),
        pytest.param(
            "<dict><key>Minute</key><integer>30</integer></dict>", {"cron": "30 * * * *"}, id="hourly"
        ),
        pytest.param(
            "<dict><key>Day</key><integer>13</integer><key>Weekday</key><integer>5</integer>"
            "<key>Hour</key><integer>4</integer><key>Minute</key><integer>0</integer></dict>",
            {"cron": "0 4 13 * 5"},
            id="day-or-weekday",
        ),
        pytest.param(
            "<array>"
            + "".join(
                f"<dict><key>Hour</key><integer>18</integer><key>Minute</key><integer>30</integer>"
                f"<key>Weekday</key><integer>{day}</integer></dict>"
                for day in range(1, 6)
            )
            + "</array>",
            {"at": "mon-fri 18:30"},
            id="working-days",
        ),
        pytest.param(
            "<array><dict><key>Hour</key><integer>8</integer><key>Minute</key><integer>0</integer></dict>"
            "<dict><key>Day</key><integer>1</integer><key>Hour</key><integer>7</integer><key>Minute</key><integer>5</integer>"
            "</dict></array>",
            {"at": ["08:00", {"time": "07:05", "day": 1}]},
            id="time-and-date",
        ),
        pytest.param(
            "<dict><key>Hour</key><string>5</string><key>Minute</key><integer>0</integer></dict>",
            {"at": "05:00"},
            id="number-as-text",
        ),
    ],
)
def test_times(body: str, expected: dict[str, object]) -> None:
    result = imported(of_xml(f"<key>StartCalendarInterval</key>{body}"))
    (candidate,) = result.imported
    assert {key: candidate.keys[key] for key in ("at", "cron") if key in candidate.keys} == expected
    assert lost(result) == []


def test_a_missing_minute_is_every_minute_when_asked() -> None:
    body = "<key>StartCalendarInterval</key><dict><key>Hour</key><integer>6</integer></dict>"
    (candidate,) = imported(of_xml(body, exact=True)).imported
    assert candidate.keys["cron"] == "* 6 * * *"
    assert [note.fate for note in candidate.notes if "rules" in note.touches] == []


HOURLY = "<key>StartInterval</key><integer>3600</integer>"
DAILY = "<key>StartCalendarInterval</key><dict><key>Hour</key><integer>8</integer><key>Minute</key><integer>0</integer></dict>"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        pytest.param(
            "<key>StartCalendarInterval</key><dict><key>Hour</key><integer>0</integer><key>Weekday</key><string>6-7</string></dict>",
            "whose Weekday is '6-7'",
            id="S01-weekday-as-text",
        ),
        pytest.param(
            "<key>StartCalendarInterval</key><dict><key>Hour</key><integer>24</integer></dict>",
            "whose Hour is 24",
            id="hour-24",
        ),
        pytest.param(
            "<key>StartCalendarInterval</key><dict><key>hour</key><integer>4</integer></dict>",
            "the key hour",
            id="lower-case-key",
        ),
        pytest.param(
            "<key>StartCalendarInterval</key><dict><key>Month</key><integer>2</integer><key>Day</key><integer>30</integer></dict>",
            "no year has the day 30",
            id="30-february",
        ),
        pytest.param(
            "<key>StartInterval</key><string>300</string>", "StartInterval '300'", id="interval-as-text"
        ),
        pytest.param(
            f"{DAILY}<key>KeepAlive</key><true/>", "KeepAlive beside `at`", id="S18-kept-alive-on-a-schedule"
        ),
        pytest.param(
            f"{HOURLY}<key>KeepAlive</key><dict><key>Crashed</key><false/><key>SuccessfulExit</key><false/></dict>",
            "KeepAlive beside `every`",
            id="S17-conditions-on-a-schedule",
        ),
        pytest.param(
            f"{HOURLY}<key>StandardInPath</key><string>/tmp/in</string>",
            "input is empty",
            id="standard-input",
        ),
        pytest.param(
            f"{HOURLY}<key>StandardOutPath</key><string>/tmp/o</string><key>StandardErrorPath</key><string>/tmp/e</string>",
            "both streams go to",
            id="two-logs",
        ),
        pytest.param(f"{HOURLY}<key>MachServices</key><dict/>", "answers the wrapper", id="mach-services"),
        pytest.param(
            f"{HOURLY}<key>Nice</key><date>2026-01-01T00:00:00Z</date>", "TOML cannot hold", id="date"
        ),
        pytest.param(
            f"{HOURLY}<key>Nice</key><string>5</string>", "Nice is a string", id="raw-key-of-another-type"
        ),
        pytest.param(
            f"{HOURLY}<key>LowPriorityIo</key><true/>", "LowPriorityIO was perhaps meant", id="misspelt-key"
        ),
        pytest.param(
            "<key>QueueDirectories</key><array/>", "only QueueDirectories starts it", id="no-trigger-of-ours"
        ),
        pytest.param("", "nothing that could be carried ever starts it", id="no-trigger"),
        pytest.param(
            f"{HOURLY}<key>WorkingDirectory</key><string>$WORK/x</string>",
            "nothing expands",
            id="variable-in-path",
        ),
        pytest.param(
            f"{HOURLY}<key>ExitTimeOut</key><integer>0</integer>", "ExitTimeOut 0", id="no-kill-at-all"
        ),
    ],
)
def test_what_cannot_be_carried_is_said_at_its_line(body: str, words: str) -> None:
    result = imported(of_xml(body))
    found = [
        note.diagnostic()
        for candidate in result.candidates
        for note in candidate.notes
        if note.fate in {Fate.LOST, Fate.REFUSED} and words in f"{note.message} {note.fix}"
    ]
    assert found
    assert found[0].place is not None
    assert found[0].place.line >= 2
    assert "# not carried: " in result.text
    assert not result.complete


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        pytest.param("/usr/bin/rsync -a /src /dst", ["/usr/bin/rsync", "-a", "/src", "/dst"], id="S11-line-in-one-string"),
        pytest.param("/Applications/My Tool.app/Contents/MacOS/My Tool", ["/Applications/My Tool.app/Contents/MacOS/My Tool"], id="S11-app"),
        pytest.param("~/bin/x", ["/Users/kim/bin/x"], id="tilde"),
        pytest.param("$HOME/bin/x", ["/Users/kim/bin/x"], id="S08-variable"),
        pytest.param("rsync", ["/usr/bin/rsync"], id="S12-bare-program-of-the-system"),
        pytest.param("mytool", ["mytool"], id="S12-bare-program"),
        pytest.param("bin/x", ["/bin/x"], id="relative"),
        pytest.param("cd /tmp &amp;&amp; ./x", "cd /tmp && ./x", id="shell-line-in-one-string"),
        pytest.param("/Users/ann/R&amp;D/x", ["/Users/ann/R&D/x"], id="S04-ampersand"),
    ],
)  # fmt: skip
def test_commands(program: str, expected: list[str] | str) -> None:
    result = imported(of_xml(HOURLY, program=program))
    (candidate,) = result.imported
    assert candidate.keys["run"] == expected
    assert lost(result) == []
    assert result.manifest is not None
    run = result.manifest.jobs[0].run
    assert run == (Argv(tuple(expected)) if isinstance(expected, list) else ShellLine(expected))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["/bin/sh", "-c", "echo $HOME ~"], "echo $HOME ~"),
        (["/bin/sh", "-c", "echo $0"], ["/bin/sh", "-c", "echo $0"]),
        (["/bin/bash", "-c", "a\nb 'c'\n"], ["/bin/bash", "-c", "a\nb 'c'\n"]),
        (["/bin/sh", "-c", "a\nb \"c\"\n'''\n"], "a\nb \"c\"\n'''\n"),
        (["/x", "~/a", "${HOME}/b", "~"], ["/x", "/Users/kim/a", "/Users/kim/b", "/Users/kim"]),
        (["/x", "", "\x01\x1b[31m", "\u202e"], None),
    ],
    ids=(
        "code-is-left-alone",
        "own-name",
        "many-lines",
        "three-quotes",
        "home-in-arguments",
        "control-characters",
    ),
)
def test_arguments(words: list[str], expected: object) -> None:
    result = imported(
        of_keys({"Label": "com.kim.x", "ProgramArguments": words, "RunAtLoad": True}, binary=True)
    )
    (candidate,) = result.imported
    assert candidate.keys["run"] == (words if expected is None else expected)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["/bin/ls", "~/a b"], ["/bin/ls", "/Users/kim/a b"]),
        (["/bin/ls", "~/*.txt", "it's"], "exec /bin/ls /Users/kim/*.txt 'it'\"'\"'s'"),
        (["/bin/ls", "a b/[ab]?"], "exec /bin/ls 'a b/'[ab]?"),
    ],
    ids=("tilde", "wildcard", "quoted-around-wildcards"),
)
def test_globbing(arguments: list[str], expected: object) -> None:
    keys = {"Label": "com.kim.x", "ProgramArguments": arguments, "RunAtLoad": True, "EnableGlobbing": True}
    result = imported(of_keys(keys))
    assert result.imported[0].keys["run"] == expected
    assert lost(result) == []


def test_interval_beside_times_becomes_two_jobs_that_share_a_lock() -> None:
    result = imported(of_xml(DAILY + HOURLY + "<key>RunAtLoad</key><true/>"))
    assert result.manifest is not None
    first, second = result.manifest.jobs
    assert (first.name, second.name) == ("x", "x-every")
    assert (first.every_s, second.every_s, second.schedule) == (None, 3600, None)
    assert (first.at_load, second.at_load) == (True, False)
    assert first.lock == second.lock
    assert first.log != second.log


def test_two_jobs_on_one_log() -> None:
    body = (
        HOURLY
        + "<key>StandardOutPath</key><string>/tmp/o.log</string><key>StandardErrorPath</key><string>/tmp/o.log</string>"
    )
    result = imported(of_xml(body, label="com.kim.a"), of_xml(body, label="com.kim.b"))
    assert len(result.imported) == 2
    assert any("is that of another job" in message for message in lost(result))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"bplist00garbage", id="broken-binary"),
        pytest.param(b"<plist><dict><key>Label</key></dict></plist>", id="key-without-value"),
        pytest.param(b"<plist><array/></plist>", id="no-dictionary"),
        pytest.param(b"<plist><dict><key>Label</key><string></string></dict></plist>", id="S21-empty-label"),
        pytest.param(
            '<?xml version=”1.0" encoding=”UTF-8"?><plist><dict/></plist>'.encode(), id="S06-quotes"
        ),
        pytest.param(b'<!-- x -->\n<?xml version="1.0"?><plist><dict/></plist>', id="S07-late-declaration"),
        pytest.param(
            b"<plist><dict><key>Program</key><array><string>/x</string></array></dict></plist>", id="S13"
        ),
        pytest.param(b"\xff\xfe\x00\x00\x01", id="noise"),
    ],
)
def test_broken_files_are_refused_with_a_place(data: bytes) -> None:
    from jobs.importing.plist import candidate_of
    from jobs.read.plist import parse_plist

    result = imported(candidate_of(parse_plist(data, "/x/y.plist"), "y.plist", "/Users/kim"))
    assert result.imported == ()
    assert told(result, Fate.REFUSED)
    assert "# from y.plist" in result.text


def test_a_daemon_is_refused_where_agents_live() -> None:
    from jobs.importing.plist import candidate_of
    from jobs.read.plist import parse_plist

    data = plistlib.dumps({"Label": "com.kim.d", "ProgramArguments": ["/x"], "RunAtLoad": True})
    candidate = candidate_of(
        parse_plist(data, "/Library/LaunchDaemons/com.kim.d.plist"), "d.plist", "/Users/kim"
    )
    assert any("daemon" in message for message in told(imported(candidate), Fate.REFUSED))
