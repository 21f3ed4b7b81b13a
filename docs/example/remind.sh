#!/bin/sh
# remind.sh TEXT: put a reminder on the list.
set -eu

mkdir -p data
printf '%s %s\n' "$(date +%Y-%m-%d)" "$1" >>data/reminders.txt
echo "reminder: $1"
