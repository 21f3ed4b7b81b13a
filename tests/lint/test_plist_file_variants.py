"""Variants of the rules on the file as a file, its keys and its label."""

from __future__ import annotations

from typing import Any

import pytest
from tests.lint.plist_findings import codes
from tests.lint.variants import Table, rows

from jobs.lint.sample import AGENT_PATH, DECLARATION, DOCTYPE, PROGRAM, flag, job, key, number, wrapped


def inner(text: Any) -> str:
    return job(str(text))


def whole(text: Any) -> str:
    return str(text)


def labelled(label: Any) -> str:
    return job().replace("com.example.tidy", str(label))


def directory(text: Any) -> str:
    return job(key("WorkingDirectory", str(text)))


BASE = job()
FILES = (
    Table(
        "P001",
        whole,
        bad=[
            BASE.replace("</string>", "</strin>", 1),
            BASE.replace("</dict>\n</plist>", "</plist>"),
            BASE.replace("</array>", "</dict>", 1),
            BASE.replace("</key>", "<key>", 1),
            BASE.partition("</array>")[0],
            BASE + "<dict/>",
            BASE.replace("tidy", "ti\x01dy"),
            BASE.replace("</plist>", "<!-- end"),
            BASE.replace('version="1.0" enc', "version=1.0 enc"),
            BASE.replace("/usr/local", "/usr/<your name>/local"),
            BASE.replace("/usr/local", "/usr < local"),
        ],
        good=[
            BASE,
            BASE.replace("\n", "\r\n"),
            BASE.replace("<dict>\n", "<dict >\n"),
            BASE.replace('<plist version="1.0">', "<plist>"),
            BASE.replace("<string>", "\n <string>"),
            BASE + "\n<!-- end -->\n\n",
            BASE.replace("tidy", "t&#105;dy"),
            BASE.replace("/usr/local", "/usr/&lt;b&gt;/local"),
            BASE.replace("</dict>\n</plist>", "<?editor fold?></dict>\n</plist>"),
        ],
    ),
    Table(
        "P002",
        directory,
        bad=["/R&D", "a & b", "&", "x&&y", "/a&b&c", "?a=1&b=2", "AT&T;", "&nbsp;", "&copy;x", "& amp;", "&#;"],
        good=["/R&amp;D", "&lt;", "&gt;x", "&quot;", "&apos;", "&#38;", "&#x26;", "<![CDATA[a & b]]>", "plain"],
    ),
    Table(
        "P003",
        lambda text: job(f"<!--{text}-->"),
        bad=[" --x ", "--", " a -- b ", "<key>a</key> --limit ", "---", " run --now\n", " x -", "\n--\n--\n"],
        good=[" x ", "", " a - b ", " - - ", " <key>x</key> ", "\n", " é “q” ", " a-b "],
    ),
    Table(
        "P004",
        whole,
        bad=[
            BASE.replace('version="1.0" encoding', f"version={left}1.0{right} encoding")
            for left, right in ("””", "“”", "‘’", "«»", "„“", '”"', '"”', "″″")
        ]
        + [BASE.replace('<plist version="1.0">', "<plist version=”1.0”>"), BASE.replace('"-//Apple', "“-//Apple")],
        good=[
            BASE,
            BASE.replace('"1.0" encoding="UTF-8"', "'1.0' encoding='UTF-8'"),
            BASE.replace(' encoding="UTF-8"', ""),
            BASE.replace(DECLARATION, ""),
            job("<!-- “x” -->"),
            directory("/usr/“x”"),
            BASE.replace("UTF-8", "utf-8"),
            BASE.replace('"UTF-8"?>', '"UTF-8" standalone="yes"?>'),
        ],
    ),
    Table(
        "P005",
        lambda front: f"{front}{BASE}",
        bad=["<!-- x -->", "<!-- x -->\n", "\n", " ", "\n\n", "\t", "#\n", "// by me\n"],
        good=[""] * 8,
    ),
    Table(
        "P006",
        inner,
        bad=[
            "<string>x</string>",
            "<key>Nice</key>",
            "<key>Nice</key><key>Umask</key><integer>18</integer>",
            "<key>Nice</key><integer>1</integer><integer>2</integer>",
            "<true/>",
            "<key>EnvironmentVariables</key><dict><key>A</key></dict>",
            "<key>EnvironmentVariables</key><dict><string>A</string></dict>",
            "<key>WatchPaths</key><string>/a</string><string>/b</string>",
            "<array><string>x</string></array>",
        ],
        good=[
            number("Nice", 1),
            key("WorkingDirectory", "/a"),
            flag("RunAtLoad", value=False),
            "<key>WatchPaths</key><array><string>/a</string><string>/b</string></array>",
            "<key>EnvironmentVariables</key><dict><key>A</key><string>b</string></dict>",
            "<key>EnvironmentVariables</key><dict/>",
            "",
            "<key>Nice</key><!-- ten --><integer>10</integer>",
        ],
    ),
    Table(
        "P007",
        inner,
        bad=[
            number("Nice", 1) * 2,
            key("Label", "com.example.tidy"),
            flag("RunAtLoad") + flag("RunAtLoad", value=False),
            key("StandardOutPath", "/a") + key("StandardOutPath", "/b"),
            "<key>EnvironmentVariables</key><dict><key>A</key><string>b</string><key>A</key><string>c</string></dict>",
            "<key>KeepAlive</key><dict><key>Crashed</key><true/><key>Crashed</key><true/></dict>",
            "<key>ProgramArguments</key><array><string>/bin/ls</string></array>",
            number("Umask", 18) + number("Nice", 1) + number("Umask", 18),
        ],
        good=[
            number("Nice", 1),
            key("StandardOutPath", "/a") + key("StandardErrorPath", "/a"),
            "<key>EnvironmentVariables</key><dict><key>Label</key><string>b</string></dict>",
            "<key>EnvironmentVariables</key><dict><key>a</key><string>b</string><key>A</key><string>c</string></dict>",
            "",
            "<!-- <key>Label</key><string>x</string> -->",
            flag("RunAtLoad"),
            number("ExitTimeOut", 5) + number("Nice", 1),
        ],
    ),
    Table(
        "P008",
        lambda element: job(f"<key>Nice</key>{element}"),
        bad=[
            "<int>1</int>",
            "<Integer>1</Integer>",
            "<INTEGER>1</INTEGER>",
            "<number>1</number>",
            "<True/>",
            "<bool>true</bool>",
            "<boolean>false</boolean>",
            "<str>1</str>",
            "<sting>1</sting>",
            "<yes/>",
            "<list><string>a</string></list>",
        ],
        good=[
            "<integer>1</integer>",
            "<true/>",
            "<true></true>",
            "<false />",
            "<string>1</string>",
            "<real>1.0</real>",
            "<array/>",
            "<dict></dict>",
        ],
    ),
    Table(
        "P009",
        whole,
        bad=[
            "",
            "\n \n",
            '{"Label": "a"}',
            "{ Label = x; }",
            "label: x\nprogram: y\n",
            '<plist version="1.0"></plist>',
            '<plist version="1.0"><array/></plist>',
            '<plist version="1.0"><string>x</string></plist>',
            "<dict><key>Label</key><string>com.example.tidy</string></dict>",
            '<plist version="1.0"><dict/><dict/></plist>',
            '<!DOCTYPE plist [<!ENTITY a "b">]><plist version="1.0"><dict/></plist>',
            b"bplist00garbage".decode(),
        ],
        good=[
            BASE,
            BASE.replace(DOCTYPE, ""),
            BASE.replace(DECLARATION, ""),
            BASE.replace("\n", "\r\n"),
            wrapped(""),
            job("<!-- x -->"),
            BASE.replace("<plist version", "<!-- a -->\n<plist version"),
            BASE.replace('version="1.0">', 'version="1.0" >'),
        ],
    ),
    Table(
        "P010",
        inner,
        bad=[
            "x", "# comment", "// comment", "every day", "<key>Nice</key>= <integer>1</integer>", "0", "é",
            "<key>WatchPaths</key><array>/a</array>", "<key>EnvironmentVariables</key><dict>A=b</dict>",
        ],
        good=["", " ", "\n\n", "\t", "<!-- x -->", number("Nice", 1), "<?x y?>", "<!-- # --> <!-- // -->"],
    ),
    Table(
        "P011",
        lambda element: job(f"<key>Nice</key>{element}"),
        bad=[
            "<integer>ten</integer>",
            "<integer></integer>",
            "<integer>1.5</integer>",
            "<integer>1 000</integer>",
            "<integer>10s</integer>",
            "<integer>99999999999999999999999</integer>",
            "<integer>$N</integer>",
            "<true>false</true>",
            "<real>x</real>",
            "<date>tomorrow</date>",
            "<data>!!</data>",
        ],
        good=[
            "<integer>10</integer>",
            "<integer>-5</integer>",
            "<integer>+5</integer>",
            "<integer>08</integer>",
            "<integer>0x0A</integer>",
            "<integer>\n 10 \n</integer>",
            "<true> </true>",
            "<real>1e3</real>",
            "<date>2026-12-01T09:30:00Z</date>",
            "<data>aGFsbG8=</data>",
        ],
    ),
    Table(
        "P101",
        inner,
        bad=[
            key("StandardErrPath", "/a"),
            key("workingDirectory", "/a"),
            key("label", "x"),
            flag("RunAtload"),
            flag("KeepAllive", value=False),
            number("Startinterval", 60),
            key("Working Directory", "/a"),
            key("ProgramArgument", "x"),
            "<key>KeepAlive</key><dict><key>Succesfulexit</key><false/></dict>",
            "<key>SoftResourceLimits</key><dict><key>maxfiles</key><integer>1</integer></dict>",
            flag("DisableKeychainAccess"),
            key(" UserName", "x"),
            key("Schedule", "daily"),
        ],
        good=[
            key("StandardErrorPath", "/a"),
            flag("AbandonProcessGroup"),
            number("ExitTimeOut", 30),
            "<key>KeepAlive</key><dict><key>Crashed</key><true/></dict>",
            "<key>SoftResourceLimits</key><dict><key>NumberOfFiles</key><integer>1</integer></dict>",
            "<key>EnvironmentVariables</key><dict><key>label</key><string>x</string></dict>",
            "<key>MachServices</key><dict><key>com.example.x</key><true/></dict>",
            "<key>Sockets</key><dict><key>L</key><dict><key>SockServiceName</key><string>80</string></dict></dict>",
            "<key>Sockets</key><dict><key>L</key><array><dict><key>SockType</key><string>dgram</string></dict></array></dict>",
            "<key>LaunchEvents</key><dict><key>com.apple.x</key><dict><key>y</key><dict/></dict></dict>",
            flag("LegacyTimers"),
        ],
    ),
    Table(
        "P102",
        inner,
        bad=[
            key("Nice", "10"),
            "<key>Program</key><array><string>/bin/ls</string></array>",
            key("RunAtLoad", "true"),
            number("RunAtLoad", 1),
            key("StartInterval", "3600"),
            "<key>EnvironmentVariables</key><dict><key>A</key><integer>1</integer></dict>",
            "<key>EnvironmentVariables</key><array/>",
            key("WatchPaths", "/a"),
            key("KeepAlive", "YES"),
            "<key>ThrottleInterval</key><real>5.0</real>",
            number("StandardOutPath", 1),
            "<key>SoftResourceLimits</key><dict><key>NumberOfFiles</key><string>1</string></dict>",
        ],
        good=[
            number("Nice", 10),
            key("Umask", "022"),
            number("Umask", 18),
            flag("KeepAlive", value=False),
            "<key>EnvironmentVariables</key><dict><key>A</key><string>1</string></dict>",
            "<key>WatchPaths</key><array/>",
            "<key>LimitLoadToSessionType</key><array><string>Aqua</string></array>",
            key("LimitLoadToSessionType", "Aqua"),
            "<key>AssociatedBundleIdentifiers</key><array><string>a</string></array>",
            "<key>MachServices</key><dict><key>x</key><dict><key>ResetAtClose</key><true/></dict></dict>",
        ],
    ),
    Table(
        "P103",
        inner,
        bad=[
            number("Nice", 21),
            number("Nice", -21),
            number("StartInterval", 0),
            number("StartInterval", -60),
            number("ThrottleInterval", -1),
            number("ExitTimeOut", -5),
            number("Umask", 777),
            key("Umask", "999"),
            key("Umask", "rwx"),
            key("ProcessType", "background"),
            key("ProcessType", "Foreground"),
            key("LimitLoadToSessionType", "GUI"),
            "<key>LimitLoadToSessionType</key><array><string>aqua</string></array>",
        ],
        good=[
            number("Nice", -20),
            number("Nice", 20),
            number("ExitTimeOut", 0),
            number("ThrottleInterval", 0),
            number("Umask", 511),
            key("Umask", "077"),
            key("Umask", "0"),
            key("ProcessType", "Interactive"),
            key("LimitLoadToSessionType", "LoginWindow"),
            number("ExitTimeOut", 4294967295),
        ],
    ),
    Table(
        "P104",
        inner,
        bad=[
            number("TimeOut", 60),
            flag("OnDemand"),
            flag("ServiceIPC", value=False),
            "<key>LimitLoadToHosts</key><array><string>a</string></array>",
            "<key>LimitLoadFromHosts</key><array/>",
            key("HopefullyExitsFirst", "x"),
            key("HopefullyExitsLast", "x"),
            key("ServiceDescription", "tidies"),
            "<key>KeepAlive</key><dict><key>NetworkState</key><true/></dict>",
        ],
        good=[
            number("ExitTimeOut", 60),
            flag("KeepAlive", value=False),
            "<key>LimitLoadToHardware</key><dict/>",
            flag("LegacyTimers"),
            "<key>WatchPaths</key><array><string>/a</string></array>",
            number("Nice", 1),
            "<key>KeepAlive</key><dict><key>PathState</key><dict/></dict>",
            "",
        ],
    ),
    Table(
        "P105",
        inner,
        bad=[
            key("POSIXSpawnType", "App"), key("SandboxProfile", "x"), flag("MultipleInstances"), key("JetsamPriority", "1"),
            flag("DisableASLR"), key("QuarantineData", "x"), flag("EventMonitor"), "<key>SpawnConstraint</key><dict/>",
            "<key>KeepAlive</key><dict><key>AfterInitialDemand</key><true/></dict>", key("CFBundleIdentifier", "a"),
        ],
        good=[
            key("ProcessType", "Standard"), number("Nice", 1), flag("LowPriorityBackgroundIO"), flag("EnableGlobbing"),
            key("AssociatedBundleIdentifiers", "a"), flag("MaterializeDatalessFiles"), "<key>MachServices</key><dict/>", "",
        ],
    ),
    Table(
        "P106",
        inner,
        bad=[
            key("UserName", "root"), key("GroupName", "wheel"), flag("InitGroups"), key("RootDirectory", "/a"),
            key("UserName", "kim"), key("GroupName", "staff"), flag("InitGroups", value=False), key("RootDirectory", "/"),
        ],
        good=[
            key("LimitLoadToSessionType", "Aqua"), number("Nice", 1), flag("RunAtLoad"), key("WorkingDirectory", "/a"),
            number("Umask", 18), flag("SessionCreate"), key("ProcessType", "Background"), "",
        ],
    ),
    Table(
        "P107",
        whole,
        bad=[
            wrapped(""),
            wrapped(key("Label", "com.example.tidy")),
            wrapped(key("Program", PROGRAM)),
            wrapped(key("Label", "com.example.tidy") + flag("RunAtLoad")),
            wrapped(key("Label", "com.example.tidy") + "<key>ProgramArguments</key><array/>"),
            wrapped("<key>ProgramArguments</key><array><string>/bin/ls</string></array>" + flag("RunAtLoad")),
            wrapped(flag("RunAtLoad")),
            wrapped(key("Label", "com.example.tidy") + key("WorkingDirectory", "/a")),
        ],
        good=[
            BASE,
            wrapped(key("Label", "com.example.tidy") + key("Program", PROGRAM)),
            wrapped(key("Label", "com.example.tidy") + key("BundleProgram", "a")),
            job(key("Program", PROGRAM)),
            BASE.replace("\n", "\r\n"),
            job(flag("RunAtLoad")),
            job(argv=("/bin/ls", "-l")),
            job(key("Program", PROGRAM), argv=()),
        ],
    ),
    Table(
        "P108",
        inner,
        bad=[
            key("StandardOutPath", ""), key("StandardErrorPath", ""), key("WorkingDirectory", " "), key("Program", ""),
            key("StandardInPath", ""), key("UserName", ""), key("RootDirectory", ""),
            "<key>WatchPaths</key><array><string></string></array>", "<key>StandardOutPath</key><string/>",
            "<key>QueueDirectories</key><array><string> </string></array>",
        ],
        good=[
            key("StandardOutPath", "/a"), key("WorkingDirectory", "/"), "<key>WatchPaths</key><array/>",
            "<key>EnvironmentVariables</key><dict><key>A</key><string></string></dict>", number("Nice", 0),
            key("Program", PROGRAM), key("StandardInPath", "/dev/null"), "",
        ],
    ),
    Table(
        "P109",
        labelled,
        bad=["com.example.tidyy", "com.example.Tidy", "tidy", "com.example", "com.example.tidy.plist", "example.tidy", "x", "com-example-tidy"],
        good=["com.example.tidy", "$LABEL", "{{ label }}", "__LABEL__", "@LABEL@", "${LABEL}", "YOUR_LABEL", "%LABEL%"],
    ),
    Table(
        "P110",
        labelled,
        bad=[
            "com.apple.launchd", "com.apple.launchd.x", "COM.APPLE.LAUNCHD.x", "com.apple.launchctl.y", "a\nb", "com.example.a b",
            "com.example/a", " com.example.a", "com.example.a\n",
        ],
        good=["com.example.tidy", "tidy", "com.apple.tidy", "a_b-c.1", "com.Example.Tidy", "é", "com.applelaunchd.x", "com.example.launchd"],
    ),
)  # fmt: skip


@pytest.mark.parametrize(("code", "text", "path"), rows(FILES, bad=True))
def test_bad(code: str, text: str, path: str) -> None:
    assert code in codes(text, path=path)


@pytest.mark.parametrize(("code", "text", "path"), rows(FILES, bad=False))
def test_good(code: str, text: str, path: str) -> None:
    assert code not in codes(text, path=path)


def test_tables_are_wide() -> None:
    assert all(len(table.bad) >= 8 and len(table.good) >= 8 for table in FILES)
    assert AGENT_PATH.endswith(".plist")
