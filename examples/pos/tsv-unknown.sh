#!/bin/sh
# The codes that were scanned well but are in no catalog, each once: what somebody should add.
#
# usage: keywedge replay RECORDING --catalog FILE --format tsv | examples/pos/tsv-unknown.sh
#
# Columns: 5 text, 9 lookup, 15 problems; see tsv-sold.sh.
set -eu

awk -F '\t' '$9 == "not-found" && $15 == "-"' | cut -f 5 | LC_ALL=C sort -u
