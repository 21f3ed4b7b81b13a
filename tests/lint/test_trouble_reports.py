"""Troubles that people reported, in own words: exact findings, exact silence."""

from __future__ import annotations

import pytest
from tests.lint.script_findings import codes, findings

# id, script, expected (line, code) pairs
REPORTS: list[tuple[str, str, list[tuple[int, str]]]] = [
    ("S23-source-exec", '. "$HOME/.cred"; exec agent\n', [(1, "E001")]),
    ("S25-ssh", "#!/bin/sh\nssh host true\ngit push\n", []),
    (
        "S36-status-after-if",
        'if launchctl bootstrap "gui/$UID" "$P"; then echo ok; fi; status=$?\n',
        [(1, "G003")],
    ),
    (
        "S41-mkdir-p",
        'LOCK=/tmp/sync.lock\nmkdir -p "$LOCK" || exit 0\ntrap \'rm -rf "$LOCK"\' EXIT\n',
        [(2, "L001")],
    ),
    (
        "S42-folder-of-locks",
        (
            'LOCK_DIR="$HOME/.state/locks"\nmkdir -p "$LOCK_DIR"\nexec 9>"$LOCK_DIR/sync.lock"\n'
            "/usr/bin/lockf -s -t 0 9 || exit 0\n"
        ),
        [],
    ),
    (
        "S42-root-then-mkdir",
        'if ! mkdir -p "$LOCK_ROOT"; then exit 1; fi\nmkdir "$LOCK_ROOT/job"\n',
        [],
    ),
    (
        "S43-test-then-create",
        'if [ -f "$L" ]; then echo busy; exit 0; fi\ntouch "$L"; do_backup; rm -f "$L"\n',
        [(1, "L002"), (2, "L016")],
    ),
    ("S43-uninstall", '[ -f "$LOCK" ] && rm "$LOCK"\n', []),
    ("S43-package-lock", "[ -f pnpm-lock.yaml ] && pnpm install\n", []),
    ("S44-trap-first", 'trap \'rmdir "$L"\' EXIT\nmkdir "$L" 2>/dev/null || exit 0\n', [(1, "L008")]),
    ("S44-other-order", 'mkdir "$L" 2>/dev/null || exit 0\ntrap \'rmdir "$L"\' EXIT\n', []),
    (
        "S45-handler-returns",
        'mkdir "$L" 2>/dev/null || exit 0\ncleanup() { rmdir "$L"; }\ntrap cleanup EXIT INT TERM\n',
        [(3, "L009")],
    ),
    (
        "S45-handler-exits",
        'mkdir "$L" 2>/dev/null || exit 0\ncleanup() { rmdir "$L"; exit 143; }\ntrap cleanup EXIT INT TERM\n',
        [],
    ),
    (
        "S45-handler-kills",
        (
            'mkdir "$L" 2>/dev/null || exit 0\ncleanup() { rmdir "$L"; kill -TERM $$; }\ntrap cleanup TERM\n'
            "trap 'rmdir \"$L\"' EXIT\n"
        ),
        [],
    ),
    (
        "S46-overwritten",
        '#!/bin/sh\nmkdir "$L" || exit 0\ntrap \'rmdir "$L"\' EXIT\na\nb\nc\nd\nTMP=$(mktemp)\ntrap \'rm -f "$TMP"\' EXIT\n',
        [(9, "L010")],
    ),
    (
        "S46-both",
        '#!/bin/sh\nmkdir "$L" || exit 0\ntrap \'rmdir "$L"\' EXIT\nTMP=$(mktemp)\ntrap \'rm -f "$TMP"; rmdir "$L"\' EXIT\n',
        [],
    ),
    (
        "S47-take-over",
        (
            'if ! mkdir "$L" 2>/dev/null; then\n  kill -0 "$(cat "$L/pid")" 2>/dev/null && exit 0\n'
            '  rm -rf "$L"; mkdir "$L" || exit 0\nfi\necho $$ > "$L/pid"\n'
        ),
        [(3, "L007")],
    ),
    (
        "S48-child-keeps-descriptor",
        'exec 9>"$HOME/l"; flock -n 9 || exit 0; nohup helper &\n',
        [(1, "L013"), (1, "L014")],
    ),
    (
        "S49-recycled-pid",
        (
            'P=$HOME/.state/pid\nif [ -f "$P" ] && kill -0 "$(cat "$P")"; then exit 0; fi\necho $$ > "$P"\n'
            "trap 'rm -f \"$P\"' EXIT\n"
        ),
        [(2, "L005")],
    ),
    (
        "S50-no-flock",
        'exec 9>"$HOME/l"\nflock -n 9 || { echo "already running"; exit 1; }\n',
        [(2, "L013"), (2, "L015")],
    ),
    (
        "S50-guarded",
        'if command -v flock >/dev/null; then exec 9>"$HOME/l"; flock -n 9 || exit 0; fi\n',
        [],
    ),
    (
        "S51-lock-in-tmp",
        'LOCK=/tmp/x.lock\nmkdir "$LOCK" || exit 0\ntrap \'rmdir "$LOCK"\' EXIT\n',
        [(1, "L011")],
    ),
    ("S53-finds-itself", 'pgrep -f "$0" && exit 0\n', [(1, "L012")]),
    (
        "S59-bash-4",
        '#!/bin/bash\ndeclare -A m\necho "${name,,}"\n',
        [(2, "B001"), (3, "B002")],
    ),
    ("S59-own-bash", '#!/opt/homebrew/bin/bash\ndeclare -A m\necho "${name,,}"\n', []),
    ("S60-date-d", 'x=$(date -d "$t" +%s 2>/dev/null || echo 0)\n', [(1, "B012")]),
    ("S61-stat-c", 'x=$(stat -c %Y "$L" || echo now)\n', [(1, "B013")]),
    ("S61-both-forms", 'x=$(stat -f %m "$L" || stat -c %Y "$L")\n', []),
    ("S62-timeout", 'timeout 600 claude -p "write"\n', [(1, "B010")]),
    (
        "S62-guarded",
        'if command -v timeout >/dev/null; then timeout 600 claude -p "write"; else claude -p "write"; fi\n',
        [],
    ),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in REPORTS], ids=[row[0] for row in REPORTS])
def test_report(text: str, expected: list[tuple[int, str]]) -> None:
    found = [(one.place.line, one.code) for one in findings(text) if one.place is not None]
    assert found == expected


def test_s27_link_into_desktop_is_resolved(tmp_path: object) -> None:
    from pathlib import Path

    from jobs.lint.collect import Collection
    from jobs.lint.engine import Selection
    from jobs.lint.rule import Context
    from jobs.system.disk import RealDisk

    assert isinstance(tmp_path, Path)

    class Disk(RealDisk):
        def real_path(self, path: str) -> str:
            return super().real_path(path).replace(str(tmp_path), "/Users/kim")

    desktop = tmp_path / "Desktop"
    desktop.mkdir()
    (desktop / "secrets.env").write_text("export TOKEN=x\n")
    project = tmp_path / "project"
    project.mkdir()
    (project / ".env").symlink_to(desktop / "secrets.env")
    script = project / "run.sh"
    script.write_text("#!/bin/bash\nsource ./.env\nwork\n")
    disk = Disk()
    collection = Collection(disk, Context(disk))
    collection.add_file(str(script))
    (found,) = collection.findings(Selection())
    assert (found.code, found.place and found.place.line) == ("E004", 2)
    assert "/bin/bash" in (found.fix.text if found.fix else "")


HEREDOC = """\
cat > "$HOME/Library/LaunchAgents/com.example.a.plist" <<{delimiter}
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>com.example.a</string>
  <key>ProgramArguments</key><array><string>/usr/local/bin/a</string></array>
  <key>StandardOutPath</key><string>$HOME/Library/Logs/a.log</string>
  <key>StartCalendarInterval</key>
  <dict><key>Hour</key><integer>9</integer><key>Minute</key><integer>30</integer></dict>
</dict>
</plist>
END
"""


def test_s09_expanding_here_document_is_right() -> None:
    assert codes(HEREDOC.format(delimiter="END")) == []


def test_s09_quoted_here_document_stays_literal() -> None:
    found = findings(HEREDOC.format(delimiter="'END'"))
    assert [(one.code, one.place and one.place.line) for one in found] == [("P123", 8)]
