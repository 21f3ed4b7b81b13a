#!/bin/sh
# Take the messages that fell into ~/Dropbox/in.
set -eu

mkdir -p data/inbox
for message in "$HOME"/Dropbox/in/*.txt; do
    [ -e "$message" ] || continue
    mv "$message" data/inbox/
    echo "took ${message##*/}"
done
