"""Variations that no case names: locks under other names, in functions, behind wrappers, in other shells and line ends."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from tests.lint.script_findings import codes


class Row(NamedTuple):
    """`gives`: the front of a code that must be found; `never`: the front of codes that must not."""

    name: str
    gives: str
    never: str
    text: str


ROWS = (
    Row(
        "p-mutex",
        "L001",
        "",
        '#!/bin/bash\nM=~/.state/nightly\nif ! mkdir -p "$M"; then echo "another instance is running"; exit 0; fi\ntrap \'rmdir "$M"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "p-func",
        "L001",
        "",
        '#!/bin/bash\nLOCK=~/.s/x\nacquire() { mkdir -p "$LOCK" 2>/dev/null; }\nacquire || { echo busy; exit 0; }\ntrap \'rmdir "$LOCK"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "p-until",
        "L001",
        "",
        "#!/bin/bash\nuntil mkdir -p ~/.s/x.lock; do sleep 1; done\ntrap 'rmdir ~/.s/x.lock' EXIT\nrsync -a a b\n",
    ),
    Row(
        "until-ok",
        "",
        "L",
        "#!/bin/bash\nuntil mkdir ~/.s/x.lock 2>/dev/null; do sleep 1; done\ntrap 'rmdir ~/.s/x.lock' EXIT\nrsync -a a b\n",
    ),
    Row(
        "p-andor",
        "L001",
        "",
        '#!/bin/bash\nmkdir -p "$HOME/.s/sync.lock" && echo got || exit 0\ntrap \'rmdir "$HOME/.s/sync.lock"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "p-arg-func",
        "L001",
        "",
        '#!/bin/bash\ntake() { mkdir -p "$1" || return 1; }\ntake "$HOME/.s/a.lock" || exit 0\ntrap \'rm -rf "$HOME/.s/a.lock"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "p-cluster",
        "L001",
        "",
        '#!/bin/bash\nL=~/.s/a.lock\nmkdir -pv "$L" || exit 0\ntrap \'rmdir "$L"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "p-mode",
        "L001",
        "",
        '#!/bin/bash\nL=~/.s/a.lock\nmkdir -m 700 -p "$L" || exit 0\ntrap \'rmdir "$L"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "p-status",
        "L001",
        "",
        '#!/bin/bash\nL=~/.s/a.lock\nmkdir -p "$L"\nif [ $? -ne 0 ]; then echo "already running"; exit 0; fi\ntrap \'rmdir "$L"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "p-rc",
        "L001",
        "",
        '#!/bin/bash\nL=~/.s/a.lock\nmkdir -p "$L"; rc=$?\nif [ "$rc" -ne 0 ]; then exit 0; fi\ntrap \'rmdir "$L"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "p-bin",
        "L001",
        "",
        '#!/bin/bash\nL=~/.s/a.lock\n/bin/mkdir -p "$L" || exit 0\ntrap \'rmdir "$L"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "p-sudo",
        "L001",
        "",
        '#!/bin/bash\nL=~/.s/a.lock\nsudo mkdir -p "$L" || exit 0\ntrap \'sudo rmdir "$L"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "p-env-bash",
        "L001",
        "",
        '#!/usr/bin/env bash\nL=~/.s/a.lock\nmkdir -p "$L" || exit 0\ntrap \'rmdir "$L"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "p-zsh",
        "L001",
        "",
        "#!/bin/zsh\nL=~/.s/a.lock\nmkdir -p $L || exit 0\ntrap 'rmdir $L' EXIT\nrsync -a a b\n",
    ),
    Row(
        "p-crlf",
        "L001",
        "",
        '#!/bin/bash\r\nL=~/.s/a.lock\r\nmkdir -p "$L" || exit 0\r\ntrap \'rmdir "$L"\' EXIT\r\nrsync a b\r\n',
    ),
    Row(
        "p-bom",
        "L001",
        "",
        '\ufeff#!/bin/bash\nL=~/.s/a.lock\nmkdir -p "$L" || exit 0\ntrap \'rmdir "$L"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "p-noshebang",
        "L001",
        "",
        'L=~/.s/a.lock\nmkdir -p "$L" || exit 0\ntrap \'rmdir "$L"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "p-sh-c",
        "L001",
        "",
        '#!/bin/bash\nsh -c \'L=~/.s/a.lock; mkdir -p "$L" || exit 0; trap "rmdir $L" EXIT; rsync a b\'\n',
    ),
    Row(
        "p-nested",
        "L001",
        "",
        "#!/bin/bash\nbash -c \"sh -c 'mkdir -p ~/.s/a.lock || exit 0; rsync a b; rmdir ~/.s/a.lock'\"\n",
    ),
    Row(
        "dir-ok",
        "",
        "L",
        '#!/bin/bash\nD=~/.s/locks\nmkdir -p "$D" || exit 1\nmkdir "$D/a" 2>/dev/null || exit 0\ntrap \'rmdir "$D/a"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "dir-ok2",
        "",
        "L",
        '#!/bin/bash\nmkdir -p "$(dirname "$LOCK")" || exit 1\nln -s $$ "$LOCK" 2>/dev/null || exit 0\ntrap \'rm -f "$LOCK"\' EXIT\nrsync -a a b\n',
    ),
    Row("dir-ok3", "", "L", "#!/bin/bash\nmkdir -p ~/backups || { echo cannot; exit 1; }\nrsync -a a b\n"),
    Row(
        "noclobber",
        "",
        "L",
        '#!/bin/bash\nL=~/.s/a.lock\nif ! (set -C; echo $$ > "$L") 2>/dev/null; then exit 0; fi\ntrap \'rm -f "$L"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "noclobber2",
        "",
        "L",
        '#!/bin/bash\nL=~/.s/a.lock\nset -o noclobber\necho $$ > "$L" 2>/dev/null || exit 0\ntrap \'rm -f "$L"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "clobber",
        "L003",
        "",
        '#!/bin/bash\nL=~/.s/a.lock\nif ! echo $$ > "$L"; then echo "already running"; exit 0; fi\ntrap \'rm -f "$L"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "touch",
        "L003",
        "",
        '#!/bin/bash\nL=~/.s/a.lock\ntouch "$L" || { echo "already running"; exit 0; }\ntrap \'rm -f "$L"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "ln-sf",
        "L003",
        "",
        '#!/bin/bash\nL=~/.s/a.lock\nln -sf $$ "$L" || { echo "already running"; exit 0; }\ntrap \'rm -f "$L"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "ln-s",
        "",
        "L",
        '#!/bin/bash\nL=~/.s/a.lock\nln -s $$ "$L" 2>/dev/null || exit 0\ntrap \'rm -f "$L"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "ttc-test",
        "L002",
        "",
        '#!/bin/bash\nF=~/.s/running\ntest -e "$F" && exit 0\ntouch "$F"\ntrap \'rm -f "$F"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "ttc-brk",
        "L002",
        "",
        '#!/bin/bash\nF=~/.s/running\n[[ -f $F ]] && { echo busy; exit 0; }\n: > "$F"\ntrap \'rm -f "$F"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "ttc-func",
        "L002",
        "",
        '#!/bin/bash\nF=~/.s/a.lock\nis_locked() { [ -e "$F" ]; }\nif is_locked; then echo busy; exit 0; fi\ntouch "$F"\ntrap \'rm -f "$F"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "ttc-neg",
        "L002",
        "",
        '#!/bin/bash\nF=~/.s/a.lock\nif [ ! -f "$F" ]; then\ntouch "$F"\ntrap \'rm -f "$F"\' EXIT\nrsync a b\nelse echo "already running"; fi\n',
    ),
    Row(
        "ttc-mkdir",
        "L002",
        "",
        '#!/bin/bash\nF=~/.s/a.lock\nif [ -d "$F" ]; then exit 0; fi\nmkdir "$F"\ntrap \'rmdir "$F"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "while-lock",
        "L002",
        "",
        '#!/bin/bash\nF=~/.s/a.lock\nwhile [ -f "$F" ]; do sleep 5; done\ntouch "$F"\ntrap \'rm -f "$F"\' EXIT\nrsync -a a b\n',
    ),
    Row("uninstall", "", "L", '#!/bin/bash\n[ -f "$LOCK" ] && rm -f "$LOCK"\nrm -rf ~/app\n'),
    Row(
        "pnpm",
        "",
        "L",
        "#!/bin/bash\nif [ -f pnpm-lock.yaml ]; then pnpm install; exit 0; fi\ntouch pnpm-lock.yaml\n",
    ),
    Row("config", "", "L", "#!/bin/bash\nif [ ! -f ~/.apprc ]; then touch ~/.apprc; fi\nrun\n"),
    Row(
        "done-mark",
        "",
        "L",
        "#!/bin/bash\nif [ -f ~/.s/migrated ]; then exit 0; fi\nmigrate\ntouch ~/.s/migrated\n",
    ),
    Row("cd-cache", "", "L", "#!/bin/bash\n[ -d ~/.cache/x ] || mkdir ~/.cache/x\nrun\n"),
    Row(
        "trap-first",
        "L008",
        "",
        '#!/bin/bash\nL=~/.s/a.lock\ncleanup() { rmdir "$L"; }\ntrap cleanup EXIT\nmkdir "$L" 2>/dev/null || exit 0\nrsync -a a b\n',
    ),
    Row(
        "trap-zexit",
        "",
        "L",
        "#!/bin/bash\nL=~/.s/a.lock\nmkdir \"$L\" 2>/dev/null || exit 0\ntrap 'rmdir \"$L\"' EXIT\ntrap 'exit 143' TERM INT\nrsync -a a b\n",
    ),
    Row(
        "trap-noexit",
        "L009",
        "",
        '#!/bin/bash\nL=~/.s/a.lock\nmkdir "$L" 2>/dev/null || exit 0\ntrap \'rmdir "$L"\' EXIT TERM INT\nrsync -a a b\n',
    ),
    Row(
        "trap-over",
        "L010",
        "",
        '#!/bin/bash\nL=~/.s/a.lock\nmkdir "$L" 2>/dev/null || exit 0\ntrap \'rmdir "$L"\' EXIT\nT=$(mktemp)\ntrap \'rm -f "$T"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "tmp",
        "L011",
        "",
        '#!/bin/bash\nL=/tmp/a.lock\nmkdir "$L" 2>/dev/null || exit 0\ntrap \'rmdir "$L"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "pgrep",
        "L012",
        "",
        '#!/bin/bash\nif pgrep -f "$(basename "$0")" >/dev/null; then exit 0; fi\nrsync -a a b\n',
    ),
    Row(
        "psgrep",
        "L012",
        "",
        '#!/bin/bash\nif ps aux | grep "$0" | grep -v grep >/dev/null; then exit 0; fi\nrsync -a a b\n',
    ),
    Row(
        "flock",
        "L013",
        "",
        '#!/bin/bash\nexec 9>~/.s/l\nflock -n 9 || { echo "already running"; exit 0; }\nrsync -a a b\n',
    ),
    Row(
        "flock-ok",
        "",
        "L",
        "#!/bin/bash\nexec 9>~/.s/l\nif command -v flock >/dev/null; then flock -n 9 || exit 0; else /usr/bin/lockf -t 0 9 || exit 0; fi\nrsync -a a b\n",
    ),
    Row(
        "inherit",
        "L014",
        "",
        "#!/bin/bash\nexec 9>~/.s/l\n/usr/bin/lockf -s -t 0 9 || exit 0\nhelper &\nrsync -a a b\n",
    ),
    Row(
        "inherit-ok",
        "",
        "L",
        "#!/bin/bash\nexec 9>~/.s/l\n/usr/bin/lockf -s -t 0 9 || exit 0\nhelper 9>&- &\nrsync -a a b\n",
    ),
    Row(
        "takeover",
        "L007",
        "",
        '#!/bin/bash\nL=~/.s/a.lock\nif ! mkdir "$L" 2>/dev/null; then\n if ! kill -0 "$(<"$L/pid")" 2>/dev/null; then rm -rf "$L"; mkdir "$L" || exit 0; else exit 0; fi\nfi\necho $$ >"$L/pid"\ntrap \'rm -rf "$L"\' EXIT\nrsync -a a b\n',
    ),
    Row(
        "zsystem",
        "",
        "L",
        "#!/bin/zsh\nzmodload zsh/system\nzsystem flock -t 0 ~/.s/l || exit 0\nrsync -a a b\n",
    ),
    Row(
        "doc-q",
        "P123",
        "",
        '#!/bin/bash\ncat > ~/Library/LaunchAgents/com.example.a.plist <<\'EOF\'\n<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>Label</key><string>com.example.a</string><key>ProgramArguments</key><array><string>/bin/echo</string></array><key>StandardOutPath</key><string>$HOME/Library/Logs/a.log</string><key>StandardErrorPath</key><string>$HOME/Library/Logs/a.log</string></dict></plist>\nEOF\n',
    ),
    Row(
        "doc-bs",
        "P123",
        "",
        '#!/bin/bash\ncat > ~/Library/LaunchAgents/com.example.a.plist <<\\EOF\n<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>Label</key><string>com.example.a</string><key>ProgramArguments</key><array><string>/bin/echo</string></array><key>StandardOutPath</key><string>$HOME/Library/Logs/a.log</string><key>StandardErrorPath</key><string>$HOME/Library/Logs/a.log</string></dict></plist>\nEOF\n',
    ),
    Row(
        "doc",
        "",
        "P123",
        '#!/bin/bash\ncat > ~/Library/LaunchAgents/com.example.a.plist <<EOF\n<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>Label</key><string>com.example.a</string><key>ProgramArguments</key><array><string>/bin/echo</string></array><key>StandardOutPath</key><string>$HOME/Library/Logs/a.log</string><key>StandardErrorPath</key><string>$HOME/Library/Logs/a.log</string></dict></plist>\nEOF\n',
    ),
    Row("stat", "B013", "", '#!/bin/bash\nage=$(stat -c %Y "$L" || echo 0)\nrsync -a a b\n'),
    Row("date", "B012", "", "#!/bin/bash\nt=$(date -d yesterday +%F)\nrsync -a a b\n"),
    Row("timeout", "B010", "", "#!/usr/bin/env bash\ntimeout 60 rsync a b\n"),
    Row(
        "timeout-ok",
        "",
        "B010",
        "#!/usr/bin/env bash\nif command -v timeout >/dev/null; then timeout 60 rsync a b; else rsync a b; fi\n",
    ),
    Row("declare", "B001", "", "#!/bin/bash\ndeclare -A m\nm[a]=1\n"),
    Row("declare-hb", "", "B", "#!/opt/homebrew/bin/bash\ndeclare -A m\nm[a]=1\n"),
    Row("declare-zsh", "", "B001", "#!/bin/zsh\ndeclare -A m\nm[a]=1\n"),
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_variation(row: Row) -> None:
    found = codes(row.text)
    if row.gives:
        assert any(code.startswith(row.gives) for code in found), found
    if row.never:
        assert not any(code.startswith(row.never) for code in found), found
