#!/bin/sh
# One invoice for each line of data/clients.csv (name,amount).
set -eu

mkdir -p data/invoices
[ -e data/clients.csv ] || : >data/clients.csv
count=0
while IFS=, read -r name amount; do
    [ -n "$name" ] || continue
    count=$((count + 1))
    printf 'Invoice %s-%02d\nTo: %s\nAmount: %s\n' "$(date +%Y%m%d)" "$count" "$name" "$amount" \
        >"data/invoices/$(date +%Y%m%d)-$(printf '%02d' "$count").txt"
done <data/clients.csv
echo "$count invoices written"
