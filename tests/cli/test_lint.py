"""The commands lint, rules and explain, run as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jobs.cli.app import main
from jobs.lint.rules import codes

CLEAN = "#!/bin/sh\necho hello\n"
BROKEN = '#!/bin/sh\nLOCK="$HOME/a.lock"\nmkdir -p "$LOCK" || exit 0\ntrap \'rm -rf "$LOCK"\' EXIT\n'
HINT = '#!/bin/bash\ncd "$(dirname "$(readlink -f "$0")")"\n'
UNUSED = "#!/bin/sh\ntrue # jobs: ignore[B011] in a container\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JOBS_MANIFEST", raising=False)
    for name, text in (("clean.sh", CLEAN), ("broken.sh", BROKEN), ("hint.sh", HINT), ("unused.sh", UNUSED)):
        (tmp_path / name).write_text(text)
    (tmp_path / "notes.txt").write_text("mkdir -p lock\n")
    return tmp_path


STATUS = [
    ("clean", ["clean.sh"], 0),
    ("error", ["broken.sh"], 1),
    ("hint", ["hint.sh"], 0),
    ("hint-counts", ["hint.sh", "--fail-on", "info"], 1),
    ("never", ["broken.sh", "--fail-on", "never"], 0),
    ("not-selected", ["broken.sh", "--select", "B"], 0),
    ("ignored", ["broken.sh", "--ignore", "L001"], 0),
    ("folder", ["."], 1),
    ("missing", ["nope.sh"], 2),
    ("other-file", ["notes.txt"], 2),
    ("no-manifest", [], 2),
    ("no-such-manifest", ["--manifest", "nope.toml"], 2),
    ("unknown-code", ["clean.sh", "--select", "Q1"], 2),
    ("unknown-format", ["clean.sh", "--format", "xml"], 2),
    ("unknown-level", ["clean.sh", "--fail-on", "bad"], 2),
    ("unknown-option", ["clean.sh", "--bogus"], 2),
]


@pytest.mark.parametrize(("words", "status"), [row[1:] for row in STATUS], ids=[row[0] for row in STATUS])
@pytest.mark.usefixtures("folder")
def test_exit_status(words: list[str], status: int) -> None:
    assert main(["lint", *words]) == status


@pytest.mark.usefixtures("folder")
def test_text_report(capsys: pytest.CaptureFixture[str]) -> None:
    main(["lint", "broken.sh"])
    shown = capsys.readouterr().out
    assert shown.startswith("broken.sh:3:1: L001 error: ")
    assert '\n    mkdir -p "$LOCK" || exit 0\n    ^^^^^^^^^^^^^^^^\n' in shown
    assert "see: jobs explain L001" in shown


@pytest.mark.usefixtures("folder")
def test_clean_says_what_was_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    main(["lint", "clean.sh"])
    assert capsys.readouterr().out == "no findings in 1 files\n"


@pytest.mark.parametrize("form", ["json", "sarif", "github", "junit"])
@pytest.mark.usefixtures("folder")
def test_formats(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", ".", "--format", form]) == 1
    assert "L001" in capsys.readouterr().out


def test_fix_takes_out_an_unused_comment(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "unused.sh", "--diff"]) == 0
    assert "-true # jobs: ignore[B011] in a container\n+true \n" in capsys.readouterr().out
    assert (folder / "unused.sh").read_text() == UNUSED
    assert main(["lint", "unused.sh", "--fix"]) == 0
    assert (folder / "unused.sh").read_text() == "#!/bin/sh\ntrue \n"


def test_fix_leaves_unsafe_edits(folder: Path) -> None:
    assert main(["lint", "broken.sh", "--fix"]) == 1
    assert (folder / "broken.sh").read_text() == BROKEN


def test_followed_script_is_linted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "outer.sh").write_text("#!/bin/sh\n./broken.sh\n")
    assert main(["lint", "outer.sh"]) == 1
    assert "broken.sh:3:1: L001" in capsys.readouterr().out
    assert main(["lint", "outer.sh", "--no-follow"]) == 0


def test_plist_leads_to_its_script(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from jobs.lint.sample import job

    (folder / "com.example.tidy.plist").write_text(job(argv=(str(folder / "broken.sh"),)))
    main(["lint", "com.example.tidy.plist"])
    assert "L001" in capsys.readouterr().out


PLIST_COMMANDS = [
    ("script", ("/bin/bash", "{folder}/broken.sh"), True),
    ("behind-env", ("/usr/bin/env", "bash", "{folder}/broken.sh"), True),
    (
        "text",
        ("/bin/sh", "-c", "mkdir -p /var/lock/a.lock || exit 0; trap 'rmdir /var/lock/a.lock' EXIT; work"),
        True,
    ),
    ("script-in-text", ("/bin/sh", "-c", "{folder}/broken.sh --all"), True),
    ("other-program", ("/usr/bin/rsync", "{folder}/broken.sh"), False),
]


@pytest.mark.parametrize(
    ("argv", "found"), [row[1:] for row in PLIST_COMMANDS], ids=[row[0] for row in PLIST_COMMANDS]
)
def test_command_line_of_a_plist_is_followed(
    argv: tuple[str, ...], found: bool, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from jobs.lint.sample import job

    words = tuple(word.format(folder=folder).replace("&", "&amp;") for word in argv)
    (folder / "com.example.tidy.plist").write_text(job(argv=words))
    main(["lint", "com.example.tidy.plist", "--select", "L"])
    assert ("L001" in capsys.readouterr().out) is found


def test_pipe_in_a_folder_does_not_stop_it(folder: Path) -> None:
    import os

    os.mkfifo(folder / "pipe.sh")
    (folder / "loop").symlink_to(folder)
    assert main(["lint", ".", "--select", "L"]) == 1


def test_rules_lists_every_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(codes())
    assert main(["rules", "L", "--json"]) == 0
    assert all(row["code"].startswith("L") for row in json.loads(capsys.readouterr().out))


def test_explain_by_code_and_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "l001"]) == 0
    by_code = capsys.readouterr().out
    assert main(["explain", "mkdir-p-as-lock"]) == 0
    assert capsys.readouterr().out == by_code
    assert main(["explain", "L099"]) == 2
    assert main(["explain", "B001", "--prove"]) == 2
