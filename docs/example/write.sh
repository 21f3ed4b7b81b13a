#!/bin/sh
# write.sh KIND: ask the AI tool with prompts/KIND.txt and keep the answer in data/KIND/DATE.md.
set -eu

kind=$1
prompt=$(cat "docs/example/prompts/$kind.txt")
mkdir -p "data/$kind"
file=data/$kind/$(date +%Y-%m-%d-%H%M).md

docs/example/ask.sh "$file" "$prompt"
echo "wrote $file"
