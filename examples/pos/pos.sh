#!/bin/sh
# Adds up a receipt from product events: a till in shell.
#
# usage: keywedge listen --consumer till | examples/pos/pos.sh
#        keywedge run --config FILE | examples/pos/pos.sh
#        keywedge replay RECORDING --catalog FILE --format json | examples/pos/pos.sh
#
# Reads one event a line, prints one line for each scan as it comes, and the total at the end of the
# input or on Ctrl-C. pos.py prints the same. Needs jq. Exits with 1 if a line was no event.
#
# `data.charge` says what to charge, or why a person must decide (docs/charging.md). What else a till
# has to know:
# - A rejection (keywedge.scan.rejected) is not a scan: keys were lost, or never came. What was read of
#   it may be a part of another product's code, so nothing is ever made of it: scan again.
# - An error in a code that is sold is about something else, such as a serial number or a date: it is
#   sold, and the cashier is warned.
# - The same event twice (`source` and `id`) is one scan. The same code twice is two items, marked
#   "(again)" for the cashier to see.
set -eu

currency=${POS_CURRENCY:-EUR}
# Money is counted in the currency's smallest unit, because a shell knows whole numbers only, and
# because a sum of decimal fractions in floating point is wrong.
total=0
decimals=2
items=0
previous=
seen=' '
status=0

# jq puts what the till needs of an event on one line. The fields are separated by U+001F: `read`
# keeps empty fields between these, unlike between tabs. What could move the cursor of the terminal,
# or look like a separator, is shown as "?": the text of a barcode is anything but trustworthy.
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

# Sets units to an amount such as 3.49 in the smallest unit, and decimals to the currency's decimals.
read_amount() {
    decimals=0
    case $1 in
    *.*) decimals=${1#*.} decimals=${#decimals} ;;
    esac
    units=${1%.*}
    [ "$decimals" -eq 0 ] || units=$units${1#*.}
    # 008 would be taken for an octal number, and a wrong one at that.
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

# Ctrl-C also ends what writes the events, so the end of the input may come at the same moment: the
# total must be printed once, whichever is first.
finish() {
    trap '' INT TERM
    print_total
    exit "$status"
}
trap finish INT TERM

# IFS= and -r keep the line as it is; a last line without its end counts too.
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
    # Some hundred are enough: an event that comes again comes soon.
    [ "${#seen}" -lt 20000 ] || seen=" ${seen#" "*" "}"
    if [ "$type" = keywedge.scan ]; then
        sell
    elif [ "$reason" != repeated ]; then
        # A repeated code was sold already; anything else has to be scanned again.
        show '?' "scan again: $reason, $keys keys"
        previous=
    fi
done
finish
