#!/bin/sh
# ask.sh FILE PROMPT: ask the AI tool and keep its answer in FILE.
# A failure ends with the tool's own status, and what it said goes to the log, where the guard reads it.
set -eu

status=0
"${AI:-claude}" -p "$2" >"$1.part" || status=$?
if [ "$status" -ne 0 ]; then
    cat "$1.part"
    rm -f "$1.part"
    exit "$status"
fi
mv "$1.part" "$1"
