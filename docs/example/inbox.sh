#!/bin/sh
# Draft an answer to every message in data/inbox that has none yet.
set -eu

mkdir -p data/inbox data/answers
count=0
for message in data/inbox/*.txt; do
    [ -e "$message" ] || continue
    answer=data/answers/${message##*/}
    [ ! -e "$answer" ] || continue
    docs/example/ask.sh "$answer" "Answer this message: $(cat "$message")"
    count=$((count + 1))
done
echo "$count answers drafted"
