#!/bin/sh
# auto-post-note.sh [--random]: write one article, about the first topic of the list or about any of them.
set -eu

topics=docs/example/note/topics.txt
line=1
if [ "${1-}" = --random ]; then
    count=$(wc -l <"$topics")
    # The day picks: no $RANDOM in sh, and a second try of the same day has the same topic.
    line=$(($(date +%s) / 86400 % count + 1))
fi
topic=$(sed -n "${line}p" "$topics")

mkdir -p data/drafts
file=data/drafts/$(date +%Y-%m-%d).md
docs/example/ask.sh "$file" "Write an article: $topic"
echo "draft: $file ($topic)"
