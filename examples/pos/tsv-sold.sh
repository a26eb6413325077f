#!/bin/sh
# Prints how many of each product were scanned, and for how much: one awk over tab-separated values.
#
# usage: keywedge replay RECORDING --catalog FILE --format tsv | examples/pos/tsv-sold.sh
#
# Columns: 11 product_name, 20 charge, 21 charge_currency, 22 charge_quantity. A column without a value is
# "-", so none is ever empty; tabs and newlines inside a value are escaped. If the charge is "-", a person
# must decide, and column 24, charge_reason, says why. Amounts are added in cents, because awk adds whole
# numbers exactly, but not decimal fractions.
set -eu

awk -F '\t' '
    $20 ~ /^[0-9]+\.[0-9][0-9]$/ && $21 == "EUR" {
        split($20, amount, "."); pieces[$11]++; cents[$11] += amount[1] * 100 + amount[2]
    }
    END {
        for (name in pieces)
            printf "%3d  %6.0f.%02d  %s\n", pieces[name], (cents[name] - cents[name] % 100) / 100,
                cents[name] % 100, name
    }' | LC_ALL=C sort -k 3
