#!/bin/sh
# Close the month: totals, and a summary by the AI tool. BOOKS_TOKEN comes from the job's env_file.
set -eu

: "${BOOKS_TOKEN:?is not set: see docs/example/secrets/books.env.example}"
month=$(date +%Y-%m)
mkdir -p data/books
[ -e data/sales.csv ] || echo 'date,amount' >data/sales.csv
total=$(awk -F, -v month="$month" 'index($1, month) == 1 { total += $2 } END { printf "%.2f", total }' data/sales.csv)

file=data/books/$month.md
docs/example/ask.sh "$file" "Summarise the month $month, sales $total"
echo "closed $month: $total"
