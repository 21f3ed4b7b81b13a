#!/bin/sh
# Move every finished draft to the site.
set -eu

mkdir -p data/drafts data/site
for draft in data/drafts/*.md; do
    [ -e "$draft" ] || continue
    mv "$draft" data/site/
    echo "published ${draft##*/}"
done
