"""Cases from public trouble reports: the exact findings, and the exact silences."""

from __future__ import annotations

import plistlib
from typing import Any

import pytest
from tests.lint.plist_findings import FakeDisk, codes, findings

from jobs.diagnostics import Severity
from jobs.lint.embedded import lint_embedded_plist
from jobs.lint.rule import Context
from jobs.lint.sample import AGENT_PATH, DAEMON_PATH, DECLARATION, environment, flag, job, key, number, times
from jobs.text import SourceFile

TWO = "<dict><key>Hour</key><integer>{}</integer><key>Minute</key><integer>0</integer></dict>"
MIDNIGHT = "<key>Hour</key><integer>0</integer><key>Minute</key><integer>0</integer><key>Weekday</key><string>6-7</string>"
KEEP = "<key>KeepAlive</key><dict><key>Crashed</key><false/><key>SuccessfulExit</key><false/></dict>"
EMPTY = job(
    key("StandardOutPath", ""), key("StandardErrorPath", ""), key("WorkingDirectory", ""), argv=("",)
).replace("<string>com.example.tidy</string>", "<string></string>")
HOUR_10 = times("Hour=10 Minute=0")

CASES = [
    (
        "S01-weekday-range",
        job(trigger=f"<key>StartCalendarInterval</key><dict>{MIDNIGHT}</dict>"),
        ["S103", "S111"],
    ),
    ("S02-hour-alone", job(trigger=times("Hour=6")), ["S101"]),
    (
        "S03-dict-after-dict",
        job(trigger="<key>StartCalendarInterval</key>" + TWO.format(8) + TWO.format(13)),
        ["P006"],
    ),
    ("S04-raw-ampersand", job(key("WorkingDirectory", "/Users/ann/R&D")), ["P002"]),
    ("S04-escaped", job(key("WorkingDirectory", "/Users/ann/R&amp;D")), []),
    ("S05-dashes-in-comment", job("<!-- run with --limit 5 -->"), ["P003"]),
    ("S05-goes-on", job("<!-- run with --limit 5 -->", trigger=times("Hour=6")), ["P003", "S101"]),
    ("S06-curly-quotes", job().replace(DECLARATION, '<?xml version=”1.0" encoding=”UTF-8"?>\n'), ["P004"]),
    ("S07-comment-first", "<!-- see https://host.example/x -->\n" + job(), ["P005"]),
    (
        "S08-home-in-log-and-path",
        job(
            key("StandardOutPath", "$HOME/Library/Logs/a.log"),
            environment(PATH="$HOME/.local/bin:/usr/bin:/bin"),
        ),
        ["P123", "P123"],
    ),
    ("S08-shell", job(argv=("/bin/bash", "-c", "echo $HOME")), []),
    ("S10-quotes", job(argv=("/usr/local/bin/osqueryd", ' --conf="/etc/app/a.conf"')), ["P121"]),
    ("S10-json", job(argv=("/usr/bin/hidutil", "property", "--set", '{"a": "b"}')), []),
    ("S11-app-path", job(argv=("/Applications/My Tool.app/Contents/MacOS/My Tool",)), []),
    ("S11-command-line", job(argv=("/usr/bin/rsync -a /src /dst",)), ["P120"]),
    (
        "S12-bare-name",
        job(environment(PATH="/opt/homebrew/bin:/usr/bin:/bin"), argv=("mytool", "run")),
        ["P126"],
    ),
    ("S12-full-path", job(argv=("/usr/bin/rsync", "-a", "/a", "/b")), []),
    (
        "S13-program-array",
        job("<key>Program</key><array><string>/usr/local/bin/x</string></array>"),
        ["P102"],
    ),
    ("S14-library-logs", job(key("StandardOutPath", "/Library/Logs/MyJobs/a.log")), ["P128"]),
    ("S14-own-logs", job(key("StandardOutPath", "/Users/kim/Library/Logs/MyJobs/a.log")), []),
    ("S16-two-schedules", job(number("StartInterval", 86400), trigger=times("Hour=7 Minute=15")), ["S112"]),
    ("S17-crashed-false", job(KEEP), ["P130"]),
    ("S18-keep-alive-interval", job(flag("KeepAlive"), trigger=number("StartInterval", 300)), ["P130"]),
    ("S18-daemon", job(flag("KeepAlive"), flag("RunAtLoad"), trigger=""), []),
    ("S21-empty-strings", EMPTY, ["P108"] * 5),
    ("S22-env-npx", job(argv=("/usr/bin/env", "npx", "tool", "sync")), ["E101"]),
    (
        "S22-versioned-path",
        job(argv=("/Users/kim/.nvm/versions/node/v22.1.0/bin/node", "/usr/local/a.js")),
        ["E103"],
    ),
    (
        "S26-background-keychain",
        job(
            key("LimitLoadToSessionType", "Background"),
            argv=("/bin/sh", "-c", "restic -p $(security find-generic-password -s r -w) backup"),
        ),
        ["E107"],
    ),
    ("S28-volume", job(key("WorkingDirectory", "/Volumes/Ext/data")), ["E106"]),
    ("S37-night", job(trigger=times("Hour=3 Minute=0")), ["S111"]),
    ("S38-day-interval", job(trigger=number("StartInterval", 86400)), ["S113"]),
    ("S40-spring", job(trigger=times("Hour=2 Minute=30", "Hour=12 Minute=0")), ["S110"]),
    ("S40-autumn", job(trigger=times("Hour=1 Minute=30", "Hour=12 Minute=0")), ["S110"]),
    ("S56-weekdays", job(trigger=times(*(f"Weekday={day} Hour=7 Minute=0" for day in range(1, 6)))), []),
    ("S56-sunday-0", job(trigger=times("Weekday=0 Hour=7 Minute=0")), []),
    ("S56-sunday-7", job(trigger=times("Weekday=7 Hour=7 Minute=0")), []),
    ("S57-day-or-weekday", job(trigger=times("Day=13 Weekday=5 Hour=10 Minute=0")), ["S107"]),
]


@pytest.mark.parametrize(("text", "expected"), [pytest.param(*case[1:], id=case[0]) for case in CASES])
def test_exactly(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


@pytest.mark.parametrize(
    ("name", "words", "line", "severity"),
    [
        (
            "S01-weekday-range",
            "Weekday must be an integer 0-7; launchd treats this as every day",
            10,
            Severity.ERROR,
        ),
        ("S02-hour-alone", "no Minute: fires every minute from 06:00 to 06:59", 10, Severity.ERROR),
        (
            "S03-dict-after-dict",
            "value without key, line 10; put several times into an array",
            10,
            Severity.ERROR,
        ),
        ("S04-raw-ampersand", "raw `&`", 10, Severity.ERROR),
        (
            "S05-dashes-in-comment",
            "comment holds --; launchd reads it, plistlib and xmllint do not",
            10,
            Severity.WARNING,
        ),
        ("S06-curly-quotes", "typographic quotes", 1, Severity.ERROR),
        (
            "S07-comment-first",
            "XML declaration must be the first thing in the file, now on line 2",
            2,
            Severity.ERROR,
        ),
        ("S08-home-in-log-and-path", "$HOME in StandardOutPath is not expanded", 10, Severity.ERROR),
        ("S10-quotes", "leading blank and quotes", 9, Severity.WARNING),
        ("S11-command-line", "whole command line in one string", 8, Severity.ERROR),
        ("S12-bare-name", '"mytool" is not on launchd\'s search path', 8, Severity.ERROR),
        ("S13-program-array", "Program is one string", 10, Severity.ERROR),
        ("S14-library-logs", "last exit 78", 10, Severity.ERROR),
        ("S16-two-schedules", "both fire, independently", 10, Severity.WARNING),
        ("S17-crashed-false", "Crashed=false means restart when it did not crash", 10, Severity.ERROR),
        ("S18-keep-alive-interval", "a job on a schedule must not be kept alive", 10, Severity.ERROR),
        ("S22-env-npx", "npx is not on the job's PATH", 9, Severity.ERROR),
        ("S26-background-keychain", "36", 12, Severity.WARNING),
        ("S28-volume", "external volume: needs a privacy right, may be absent", 10, Severity.WARNING),
        ("S37-night", "night only", 10, Severity.INFO),
        ("S57-day-or-weekday", "either matches", 10, Severity.WARNING),
    ],
)
def test_words_place_and_severity(name: str, words: str, line: int, severity: Severity) -> None:
    text = next(case[1] for case in CASES if case[0] == name)
    first = next(one for one in findings(text) if words in one.message)
    assert first.place is not None
    assert first.place.line == line
    assert first.severity == severity


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("S08-home-in-log-and-path", "write /Users/kim/Library/Logs/a.log"),
        ("S08-home-in-log-and-path", "write /Users/kim/.local/bin:/usr/bin:/bin"),
        ("S10-quotes", "write --conf=/etc/app/a.conf"),
        (
            "S11-command-line",
            "write <string>/usr/bin/rsync</string><string>-a</string><string>/src</string><string>/dst</string>",
        ),
        ("S12-bare-name", "write the full path, or /bin/sh -c 'exec mytool run'"),
        ("S14-library-logs", "write /Users/kim/Library/Logs/a.log"),
        ("S04-raw-ampersand", "write &amp;"),
    ],
)
def test_advice(name: str, advice: str) -> None:
    text = next(case[1] for case in CASES if case[0] == name)
    assert advice in [one.fix.text for one in findings(text) if one.fix is not None]


def test_s12_system_program_is_information() -> None:
    (one,) = findings(job(argv=("rsync", "-a", "/a", "/b")))
    assert (one.code, one.severity) == ("P126", Severity.INFO)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (0o664, ["P111"]),
        (0o666, ["P111"]),
        (0o646, ["P111"]),
        (0o777, ["P111"]),
        (0o644, []),
        (0o600, []),
        (0o444, []),
        (0o755, []),
    ],
)
def test_s15_mode(mode: int, expected: list[str]) -> None:
    assert codes(job(), disk=FakeDisk(modes={AGENT_PATH: mode})) == expected


@pytest.mark.parametrize(
    ("path", "owners", "expected"),
    [
        (DAEMON_PATH, {DAEMON_PATH: 501}, ["P112"]),
        (DAEMON_PATH, {DAEMON_PATH: 0}, []),
        (DAEMON_PATH, {}, []),
        (AGENT_PATH, {AGENT_PATH: 502, "/Users/kim": 501}, ["P112"]),
        (AGENT_PATH, {AGENT_PATH: 501, "/Users/kim": 501}, []),
        (AGENT_PATH, {AGENT_PATH: 0, "/Users/kim": 501}, []),
        (AGENT_PATH, {AGENT_PATH: 502}, []),
        (
            "/Library/LaunchAgents/com.example.tidy.plist",
            {"/Library/LaunchAgents/com.example.tidy.plist": 501},
            ["P112"],
        ),
        ("repo/com.example.tidy.plist", {"repo/com.example.tidy.plist": 501}, []),
    ],
)
def test_owner(path: str, owners: dict[str, int], expected: list[str]) -> None:
    assert codes(job(), path=path, disk=FakeDisk(owners=owners)) == expected


@pytest.mark.parametrize(
    ("path", "label", "expected"),
    [
        ("com.me.sync.plist", "com.me.synch", [("P109", Severity.WARNING)]),
        ("com.me.sync.plist", "com.me.sync", []),
        ("sync.plist", "com.me.sync", []),
        ("launchd.plist", "com.me.sync", [("P109", Severity.INFO)]),
        ("x/LaunchAgents/sync.plist", "com.me.sync", [("P109", Severity.WARNING)]),
        ("com.me.sync.plist.template", "{{ label }}", []),
        ("com.me.sync.plist.in", "@LABEL@", []),
        ("com.me.sync.plist.template", "com.me.other", []),
        ("com.me.$NAME.plist", "com.me.x", []),
    ],
)
def test_s20_label_and_file_name(path: str, label: str, expected: list[tuple[str, Severity]]) -> None:
    found = findings(job().replace("com.example.tidy", label), path=path)
    assert [(one.code, one.severity) for one in found] == expected


HEREDOC = job(key("StandardOutPath", "$HOME/Library/Logs/a.log"), argv=("$BIN/run.sh", "${NAME}", "`pwd`"))


@pytest.mark.parametrize(("expands", "expected"), [(True, []), (False, ["P123", "P123", "P123", "P123"])])
def test_s09_here_document(*, expands: bool, expected: list[str]) -> None:
    found = lint_embedded_plist(HEREDOC, shell_expands=expands, context=Context(FakeDisk()))
    assert [one.code for one in found] == expected


def test_here_document_places_are_in_the_script() -> None:
    front = "#!/bin/sh\nP=x.plist\ncat > \"$P\" <<'EOF'\n"
    text = job(key("StandardOutPath", "$HOME/a.log"))
    script = SourceFile("install.sh", f"{front}{text}EOF\n")
    (one,) = lint_embedded_plist(
        text, shell_expands=False, context=Context(FakeDisk()), source=script, offset=len(front)
    )
    assert one.place is not None
    assert (one.place.path, one.place.line) == ("install.sh", 13)
    assert one.source_line is not None
    assert "$HOME/a.log" in one.source_line


@pytest.mark.parametrize(
    ("text", "expands", "target", "expected"),
    [
        ("echo hello\n", True, "", []),
        ("<html></html>", True, "", []),
        (job(key("StandardErrPath", "$LOG")), True, "", ["P101"]),
        (job(argv=("$PYTHON $SCRIPT",)), True, "", []),
        (job(argv=("$PYTHON $SCRIPT",)), False, "", ["P120", "P123"]),
        (job(trigger="<key>StartInterval</key><integer>$N</integer>"), True, "", []),
        (job(trigger="<key>StartInterval</key><integer>$N</integer>"), False, "", ["P011"]),
        (job("$EXTRA"), True, "", []),
        (job("$EXTRA"), False, "", ["P010"]),
        (job().replace("    <string>/usr/local/bin/tidy</string>\n", "$ARGS\n"), True, "", []),
        (job(key("StandardOutPath", "\\$HOME/a.log")), True, "", ["P123"]),
        (job(key("UserName", "$USER")), True, "$HOME/Library/LaunchAgents/$LABEL.plist", ["P106"]),
        (job(key("UserName", "$USER")), True, "/Library/LaunchDaemons/$LABEL.plist", []),
        (job(key("WorkingDirectory", "$HOME/Documents/x")), True, "", ["E105"]),
        (job(argv=("/bin/sh", "-c", "cd $DIR &amp;&amp; exec $CMD")), True, "", []),
    ],
)
def test_here_documents(*, text: str, expands: bool, target: str, expected: list[str]) -> None:
    found = lint_embedded_plist(text, shell_expands=expands, context=Context(FakeDisk()), target=target)
    assert [one.code for one in found] == expected


@pytest.mark.parametrize(
    "change",
    [
        {"StandardOutPath": "$HOME/a.log"},
        {"ProgramArguments": ["/usr/bin/rsync -a /src /dst"]},
        {"StartCalendarInterval": {"Hour": 6}},
        {"KeepAlive": True},
        {"StandardErrPath": "/a"},
        {"Nice": "10"},
        {"WorkingDirectory": "/Volumes/x"},
        {"EnvironmentVariables": {"A": 1}},
        {"ProgramArguments": ["mytool"]},
        {"StartCalendarInterval": {"Day": 30, "Month": 2, "Hour": 9, "Minute": 0}},
    ],
    ids="-".join,
)
def test_binary_lists_are_judged_alike(change: dict[str, Any]) -> None:
    base: dict[str, Any] = {
        "Label": "com.example.tidy",
        "ProgramArguments": ["/usr/local/bin/tidy"],
        "StartCalendarInterval": {"Hour": 9, "Minute": 30},
    }
    xml = codes(plistlib.dumps({**base, **change}))
    binary = findings(plistlib.dumps({**base, **change}, fmt=plistlib.FMT_BINARY))
    assert xml
    assert sorted(one.code for one in binary) == xml
    assert {one.place.line for one in binary if one.place is not None} == {1}


@pytest.mark.parametrize(
    ("path", "content"),
    [
        (
            "Info.plist",
            {"CFBundleIdentifier": "com.example.a", "CFBundleExecutable": "a", "CFBundlePackageType": "APPL"},
        ),
        ("com.apple.dock.plist", {"autohide": True, "tilesize": 36}),
        ("x.entitlements", {"com.apple.security.app-sandbox": True}),
        ("ExportOptions.plist", {"method": "app-store", "teamID": "X"}),
        (
            "profile.plist",
            {"PayloadContent": [], "PayloadType": "Configuration", "Label": "x", "Program": "y"},
        ),
        ("manifest.plist", {"catalogs": ["a"], "managed_installs": ["b"]}),
        ("list.plist", ["a", "b"]),
        ("empty.plist", {}),
    ],
)
def test_lists_of_others_are_nobodys_business(path: str, content: Any) -> None:
    assert codes(plistlib.dumps(content), path=path) == []


def test_keychain_in_a_script_on_disk() -> None:
    text = job(key("LimitLoadToSessionType", "Background"), argv=("/bin/sh", "/usr/local/bin/backup.sh"))
    asks = FakeDisk(
        files={"/usr/local/bin/backup.sh": b"#!/bin/sh\nsecurity find-generic-password -s a -w\n"}
    )
    assert codes(text, disk=asks) == ["E107"]
    assert codes(text, disk=FakeDisk(files={"/usr/local/bin/backup.sh": b"#!/bin/sh\ntrue\n"})) == []


@pytest.mark.parametrize(
    ("mode", "expected"), [(0o644, ["P135"]), (None, ["P135"]), (0o600, []), (0o640, ["P135"]), (0o400, [])]
)
def test_secrets_in_a_list_that_only_its_owner_reads(mode: int | None, expected: list[str]) -> None:
    modes = {} if mode is None else {AGENT_PATH: mode}
    assert codes(job(environment(DB_PASSWORD="correct-horse")), disk=FakeDisk(modes=modes)) == expected


def test_programs_on_disk_settle_doubts() -> None:
    path = environment(PATH="/Users/kim/bin:/usr/bin:/bin")
    text = job(path, argv=("/usr/bin/env", "mytool"))
    assert codes(text, disk=FakeDisk(files={"/Users/kim/bin/mytool": b""})) == []
    assert codes(text, disk=FakeDisk(files={"/Users/kim/bin/other": b""})) == ["E101"]
    assert codes(text) == []
    blank = job(argv=("/usr/local/bin/my tool.sh x",))
    assert codes(blank) == ["P120"]
    assert codes(blank, disk=FakeDisk(files={"/usr/local/bin/my tool.sh x": b""})) == []
