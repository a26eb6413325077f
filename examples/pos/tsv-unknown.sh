#!/bin/sh
# Lists each code that has no problems but is in no catalog, so that somebody can add it.
#
# usage: keywedge replay RECORDING --catalog FILE --format tsv | examples/pos/tsv-unknown.sh
#
# Columns: 5 text, 9 lookup, 15 problems; see tsv-sold.sh.
set -eu

awk -F '\t' '$9 == "not-found" && $15 == "-"' | cut -f 5 | LC_ALL=C sort -u
