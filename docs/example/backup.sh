#!/bin/sh
# Pack data/ into ~/Backups, keep the newest fourteen.
set -eu

folder=$HOME/Backups
mkdir -p data "$folder"
file=$folder/one-ceo-$(date +%Y-%m-%d).tar.gz
tar -czf "$file.part" data
mv "$file.part" "$file"
echo "packed $file"

# The names carry the date, so the order of the names is that of time.
set -- "$folder"/one-ceo-*.tar.gz
while [ $# -gt 14 ]; do
    rm -f "$1"
    echo "dropped $1"
    shift
done
