#!/bin/sh
# How many articles the site has.
set -eu

set -- data/site/*.md
[ -e "$1" ] || shift
echo "articles on the site: $#"
