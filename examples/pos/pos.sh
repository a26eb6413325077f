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
# What is not sold without a look by a person:
# - A rejection (keywedge.scan.rejected) is no scan: keys were lost, or never came. What was read of
#   it may be a part of another product's code, so nothing is ever made of it: scan again.
# - A problem of severity "error" says that the code breaks a rule, such as a wrong check digit. If
#   that leaves no GTIN: scan again, even if the catalog knows the text. If the GTIN is good, the
#   error is elsewhere, in a serial number or a date: it is sold, and the cashier told.
# - A problem "rapid-lines" says that the scan is probably a line of a larger symbol, such as the post
#   code on a bill: the cashier is asked.
# - The label of a scale holds the price of the piece, or its weight. A price whose check digit is
#   wrong, or that can be read in two ways, must be typed in.
# - A lookup that is not "found", several products with one code, and a product without a price, in
#   another currency, or sold by weight or length: somebody must type something in.
# - An old price (price_stale), because the catalog could not be asked: the cashier is asked.
#
# The same code twice is two items, marked "(again)" for the cashier to see.
set -eu

currency=${POS_CURRENCY:-EUR}
# Money is counted in cents, because a shell knows whole numbers only, and because a sum of decimal
# fractions in floating point is wrong.
total=0
items=0
previous=
status=0

# jq puts what the till needs of an event on one line. The fields are separated by U+001F, which
# `read`, unlike with tabs, does not take together where a field is empty. What could move the
# cursor of the terminal, or look like a separator, is shown as "?": the text of a barcode is
# anything but trustworthy.
separator=$(printf '\037')
fields='
    def shown: tostring | gsub("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]"; "?");
    def on_label: .data.in_store // {};
    def is_doubtful:
        on_label.value_check_digit == "invalid" or any(.data.alternatives[]?; .in_store.price?);
    if length == 1 then .[0] else error("not one event") end
    | [
        .type // error("no event"),
        .data.reason // "",
        .data.keystrokes.count // 0,
        .data.text // "",
        .data.gtin // "",
        ([.data.problems[]? | select(.severity == "error") | .message][0] // ""),
        (any(.data.problems[]?; .code == "rapid-lines")),
        .data.lookup.status // "skipped",
        (.data.lookup.candidates // [] | length),
        .data.product.id // "",
        .data.product.name // .data.text // "",
        (if is_doubtful then "?" else on_label.price // .data.product.price // "" end),
        on_label.currency // .data.product.currency // "",
        (if on_label.price then "pcs" elif on_label.weight_kg then "kg" else .data.product.unit // "pcs" end),
        (.data.product.price_stale == true and (on_label.price | not))
    ]
    | map(shown) | join("\u001f")
'

# Sets cents to a price such as 3.49, or fails for one that is no whole number of cents.
read_cents() {
    case $1 in
    *[!0-9.]* | *.*.* | .*) return 1 ;;
    *.??) cents=${1%.*}${1#*.} ;;
    *) return 1 ;;
    esac
    # 008 would be taken for an octal number, and a wrong one at that.
    while [ "${cents#0?}" != "$cents" ]; do
        cents=${cents#0}
    done
}

# Values go to printf as arguments, never into its format.
show() { # PRICE TEXT
    printf '%10s  %s\n' "$1" "$2"
}

print_total() {
    echo "----------"
    show "$((total / 100)).$(printf '%02d' "$((total % 100))")" "$currency, $items items"
}

sell() {
    if [ "$candidates" -gt 1 ]; then
        show '?' "several products have this code: $text"
    elif [ "$rapid" = true ]; then
        show '?' "did you scan this, or is it a line of a larger symbol: $name"
    elif [ "$price" = '?' ]; then
        show '?' "type in the price of the label: $name"
    elif [ -z "$price" ]; then
        show '?' "no price: $name"
    elif [ "$is_old" = true ]; then
        show '?' "its price may have changed: $name, $price $product_currency"
    elif [ "$unit" != pcs ] && [ "$unit" != case ]; then
        show '?' "measure it: $name, $price $product_currency per $unit"
    elif [ "${product_currency:-$currency}" != "$currency" ]; then
        show '?' "another currency: $name, $price $product_currency"
    elif ! read_cents "$price"; then
        show '?' "no price in cents: $name, $price $product_currency"
    else
        total=$((total + cents))
        items=$((items + 1))
        again=
        [ "$id" != "$previous" ] || again=' (again)'
        show "$price" "$name$again"
        [ -z "$problem" ] || show '!' "look at it: $problem"
        previous=$id
        return
    fi
    previous=
}

take_scan() {
    if [ -n "$problem" ] && [ -z "$gtin" ]; then
        show '?' "scan again: $problem"
    elif [ "$lookup" = found ]; then
        sell
        return
    elif [ "$lookup" = not-found ]; then
        show '?' "not in the catalog: $text"
    else
        show '?' "no answer from the catalog ($lookup): $text"
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
    IFS=$separator read -r type reason keys text gtin problem rapid lookup candidates id name \
        price product_currency unit is_old <<EOF
$event
EOF
    case $type in
    keywedge.scan) take_scan ;;
    keywedge.scan.rejected)
        # The scanner read a code again that was sold already.
        [ "$reason" != repeated ] || continue
        show '?' "scan again: $reason, $keys keys"
        previous=
        ;;
    esac
done
finish
