#!/bin/sh
# The total of data/sales.csv (date,amount).
set -eu

mkdir -p data
[ -e data/sales.csv ] || echo 'date,amount' >data/sales.csv
awk -F, 'NR > 1 { total += $2; count++ } END { printf "%d sales, %.2f\n", count, total }' data/sales.csv
