#!/bin/sh
# A till in shell: adds up a receipt from scan events.
#
# usage: keywedge listen --consumer till | examples/pos/pos.sh
#        keywedge run --config FILE | examples/pos/pos.sh
#        keywedge replay RECORDING --catalog FILE --format json | examples/pos/pos.sh
#
# Reads one event per line. Prints a line for each scan as it arrives, and the total at the end of the
# input or on Ctrl-C. pos.py prints the same. Needs jq. Exits with 1 if a line is not an event.
#
# `data.charge` says what to charge, or why a person must decide (docs/charging.md). A till must know a
# few more things:
# - A rejection (keywedge.scan.rejected) is not a scan: for instance, keys were lost. The rest may look
#   like another product's code, so a till must not use it: scan again.
# - A code with a charge may still contain an error, for instance in a serial number or a date: it is
#   sold, and the cashier is warned.
# - Two events with the same `source` and `id` are one scan. Two scans of the same code are two items;
#   the second is marked "(again)" for the cashier.
set -eu

currency=${POS_CURRENCY:-EUR}
# The total is in the currency's smallest unit, because a shell has only whole numbers, and floating
# point cannot add decimal fractions exactly.
total=0
decimals=2
items=0
previous=
seen=' '
status=0

# jq writes the fields that the till needs on one line, separated by U+001F: `read` keeps empty fields
# between these, unlike between tabs. A character that could move the terminal's cursor or look like a
# separator becomes "?", because the text of a barcode cannot be trusted.
separator=$(printf '\037')
fields='
    def shown: tostring | gsub("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]"; "?");
    if length == 1 then .[0] else error("not one event") end
    | [
        .type // error("no event"),
        ("\(.source)=\(.id)" | gsub(" "; "_")),
        .data.reason // "",
        .data.keystrokes.count // 0,
        .data.text // "",
        ([.data.problems[]? | select(.severity == "error") | .message][0] // ""),
        .data.charge.amount // "",
        .data.charge.currency // "",
        (if (.data.charge.quantity // "1") == "1" then ""
            else ", \(.data.charge.quantity) \(.data.charge.unit)" end),
        .data.charge.reason // "no-catalog",
        .data.product.id // "",
        .data.product.name // .data.text // "",
        "\(.data.product.price) \(.data.product.currency)",
        (.data.product.unit // "" | if . == "" then . else " per \(.)" end)
    ]
    | map(shown) | join("\u001f")
'

# read_amount AMOUNT: for 3.49, sets units to 349 and decimals to 2.
read_amount() {
    decimals=0
    case $1 in
    *.*) decimals=${1#*.} decimals=${#decimals} ;;
    esac
    units=${1%.*}
    [ "$decimals" -eq 0 ] || units=$units${1#*.}
    # Remove leading zeros: the shell would read 008 as an invalid octal number.
    while [ "${units#0?}" != "$units" ]; do
        units=${units#0}
    done
}

# Values go to printf as arguments, never into its format.
show() { # PRICE TEXT
    printf '%10s  %s\n' "$1" "$2"
}

print_total() {
    scale=1
    places=$decimals
    while [ "$places" -gt 0 ]; do
        scale=$((scale * 10)) places=$((places - 1))
    done
    sum=$((total / scale))
    [ "$decimals" -eq 0 ] || sum=$sum.$(printf "%0${decimals}d" "$((total % scale))")
    echo "----------"
    show "$sum" "$currency, $items items"
}

# Why a person must decide, in words for the cashier.
words() {
    case $charge_reason in
    invalid-code) echo "scan again: $problem" ;;
    not-found) echo "not in the catalog: $text" ;;
    failed | timed-out) echo "no answer from the catalog ($charge_reason): $text" ;;
    no-catalog) echo "no catalog is configured: $text" ;;
    ambiguous) echo "the code can be read in several ways: $name" ;;
    several-products) echo "several products have this code: $text" ;;
    rapid-lines) echo "did you scan this, or is it a line of a larger symbol: $name" ;;
    coupon) echo "a coupon: $name" ;;
    logistic-unit) echo "count the contents: $name" ;;
    unreadable-label | unknown-currency) echo "type in the price of the label: $name" ;;
    no-price) echo "no price: $name" ;;
    old-price) echo "its price may have changed: $name, $price" ;;
    measure) echo "measure it: $name, $price$per" ;;
    unknown-unit) echo "how is it sold: $name, $price$per" ;;
    fraction) echo "its price cannot be paid exactly: $name" ;;
    *) echo "look at it ($charge_reason): $name" ;;
    esac
}

sell() {
    if [ -z "$amount" ]; then
        show '?' "$(words)"
    elif [ "$charge_currency" != "$currency" ]; then
        show '?' "another currency: $name, $amount $charge_currency"
    else
        read_amount "$amount"
        total=$((total + units))
        items=$((items + 1))
        again=
        [ "$id" != "$previous" ] || again=' (again)'
        show "$amount" "$name$quantity$again"
        [ -z "$problem" ] || show '!' "look at it: $problem"
        previous=$id
        return
    fi
    previous=
}

# Ctrl-C also stops the program that writes the events, so the input may end at the same moment. The
# total must be printed exactly once.
finish() {
    trap '' INT TERM
    print_total
    exit "$status"
}
trap finish INT TERM

# IFS= and -r keep the line as it is; a last line without a newline counts too.
while IFS= read -r line || [ -n "$line" ]; do
    if ! event=$(printf '%s\n' "$line" | jq -rs "$fields" 2>/dev/null); then
        printf 'pos.sh: not an event: %.60s\n' "$(printf '%s' "$line" | tr -c '[:print:]' '?')" >&2
        status=1
        continue
    fi
    IFS=$separator read -r type key reason keys text problem amount charge_currency quantity \
        charge_reason id name price per <<EOF
$event
EOF
    case $type in
    keywedge.scan | keywedge.scan.rejected) ;;
    *) continue ;;
    esac
    case $seen in
    *" $key "*) continue ;;
    esac
    seen="$seen$key "
    # A few hundred are enough: an event that comes again comes soon.
    [ "${#seen}" -lt 20000 ] || seen=" ${seen#" "*" "}"
    if [ "$type" = keywedge.scan ]; then
        sell
    elif [ "$reason" != repeated ]; then
        # A repeat needs nothing, since the first scan counts; any other rejection means to scan again.
        show '?' "scan again: $reason, $keys keys"
        previous=
    fi
done
finish
