#!/bin/sh
# Append a line to data/prices.csv. The price itself stands in data/price, where something else puts it.
set -eu

mkdir -p data
price=unknown
if [ -r data/price ]; then
    read -r price <data/price || :
fi
printf '%s,%s\n' "${JOBS_SLOT:-$(date +%Y%m%dT%H%M)}" "$price" >>data/prices.csv
echo "price: $price"
