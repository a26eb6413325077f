#!/bin/sh
# How many of each product were scanned, and for how much: one awk over tab-separated values.
#
# usage: keywedge replay RECORDING --catalog FILE --format tsv | examples/pos/tsv-sold.sh
#
# Columns: 9 lookup, 11 product_name, 12 price, 13 currency, 14 unit, 15 problems, 19 price_stale. A column
# without a value is "-", so that none is ever empty; tabs and newlines inside a value are escaped.
# Prices are added in cents: whole numbers are exact in awk, decimal fractions are not.
set -eu

awk -F '\t' '
    $9 == "found" && $15 == "-" && $19 == "-" && $13 == "EUR" && $12 ~ /^[0-9]+\.[0-9][0-9]$/ &&
    ($14 == "pcs" || $14 == "case") {
        split($12, price, "."); pieces[$11]++; cents[$11] += price[1] * 100 + price[2]
    }
    END {
        for (name in pieces)
            printf "%3d  %6.0f.%02d  %s\n", pieces[name], (cents[name] - cents[name] % 100) / 100,
                cents[name] % 100, name
    }' | LC_ALL=C sort -k 3
