#!/usr/bin/env python3
"""Adds up a receipt from product events: a till in Python.

usage: keywedge listen --consumer till | examples/pos/pos.py
       keywedge run --config FILE | examples/pos/pos.py
       keywedge replay RECORDING --catalog FILE --format json | examples/pos/pos.py

Reads one event a line, prints one line for each scan as it comes, and the total at the end of the
input or on Ctrl-C. pos.sh prints the same, and says what is not sold without a look by a person.
Exits with 1 if a line was no event.
"""
import json
import os
import re
import signal
import sys
import unicodedata
from decimal import Decimal

CURRENCY = os.environ.get("POS_CURRENCY", "EUR")
# What is sold by the piece. All else must be weighed or measured.
PIECES = ("pcs", "case")
# Control and format characters, line and paragraph separators: what could move the cursor of the
# terminal. The text of a barcode is anything but trustworthy.
UNSAFE = ("Cc", "Cf", "Zl", "Zp")


class NotSold(Exception):
    """Why a scan adds nothing to the receipt, in words for the cashier."""


class Receipt:
    """What was sold so far."""

    def __init__(self):
        # Decimal, because a sum of decimal fractions in floating point is wrong.
        self.total = Decimal("0.00")
        self.items = 0
        self.previous = None
        # How many lines were no event.
        self.surprises = 0

    def take(self, event):
        """Adds a scan, or says why not; events of other types are none of a till's business."""
        if event["type"] not in ("keywedge.scan", "keywedge.scan.rejected"):
            return
        if event["data"].get("reason") == "repeated":
            # The scanner read a code again that was sold already.
            return
        try:
            product, price = sold(event)
        except NotSold as reason:
            self.previous = None
            show("?", reason)
            return
        self.total += price
        self.items += 1
        again = " (again)" if product["id"] == self.previous else ""
        self.previous = product["id"]
        show(price, product.get("name", event["data"]["text"]) + again)
        if error := error_in(event["data"]):
            show("!", f"look at it: {error}")

    def finish(self):
        print("-" * 10)
        show(self.total, f"{CURRENCY}, {self.items} items")


def sold(event):
    """The product and the price a scan sells; NotSold where it sells nothing."""
    data = event["data"]
    text = data.get("text", "")
    if event["type"] == "keywedge.scan.rejected":
        raise NotSold(f"scan again: {data['reason']}, {data['keystrokes']['count']} keys")
    error = error_in(data)
    if error and not data.get("gtin"):
        raise NotSold(f"scan again: {error}")
    lookup = data["lookup"]
    if lookup["status"] == "not-found":
        raise NotSold(f"not in the catalog: {text}")
    if lookup["status"] != "found":
        raise NotSold(f"no answer from the catalog ({lookup['status']}): {text}")
    if len(lookup.get("candidates", [])) > 1:
        raise NotSold(f"several products have this code: {text}")
    if any(p["code"] == "rapid-lines" for p in data.get("problems", [])):
        name = data["product"].get("name", text)
        raise NotSold(f"did you scan this, or is it a line of a larger symbol: {name}")
    return data["product"], price_of(labelled(data), text)


def labelled(data):
    """The product with the price of a scale's label, if it has one."""
    product, label = data["product"], data.get("in_store", {})
    name = product.get("name", data["text"])
    others = (other.get("in_store", {}) for other in data.get("alternatives", []))
    if label.get("value_check_digit") == "invalid" or any("price" in o for o in others):
        raise NotSold(f"type in the price of the label: {name}")
    if label.get("price"):
        currency = label.get("currency", product.get("currency", CURRENCY))
        price = {"price": label["price"], "price_stale": False}
        return product | price | {"currency": currency, "unit": "pcs"}
    if label.get("weight_kg"):
        return product | {"unit": "kg"}
    return product


def error_in(data):
    """The first problem of severity error, in words; None where there is none."""
    errors = (p["message"] for p in data.get("problems", []) if p["severity"] == "error")
    return next(errors, None)


def price_of(product, text):
    """What one piece of a product costs; NotSold where that cannot be said."""
    name = product.get("name", text)
    if "price" not in product:
        raise NotSold(f"no price: {name}")
    price = f"{product['price']} {product['currency']}"
    if product.get("price_stale"):
        raise NotSold(f"its price may have changed: {name}, {price}")
    unit = product.get("unit", "pcs")
    if unit not in PIECES:
        raise NotSold(f"measure it: {name}, {price} per {unit}")
    if product["currency"] != CURRENCY:
        raise NotSold(f"another currency: {name}, {price}")
    if not re.fullmatch(r"[0-9]+\.[0-9][0-9]", product["price"]):
        raise NotSold(f"no price in cents: {name}, {price}")
    return Decimal(product["price"])


def shown(value):
    """The value as text that is safe on a terminal."""
    return "".join("?" if unicodedata.category(c) in UNSAFE else c for c in str(value))


def show(price, text):
    # A cashier waits for this line: it must not sit in a buffer.
    print(f"{price!s:>10}  {shown(text)}", flush=True)


def take_all(lines, receipt):
    """Takes every line, and counts those that are no event."""
    for line in lines:
        try:
            receipt.take(json.loads(line))
        except (ValueError, LookupError, TypeError, AttributeError):
            text = line[:60].decode("utf-8", "replace").rstrip("\n")
            print(f"pos.py: not an event: {shown(text)}", file=sys.stderr)
            receipt.surprises += 1


def on_interrupt(action):
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, action)


def main():
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    on_interrupt(signal.default_int_handler)
    receipt = Receipt()
    try:
        take_all(sys.stdin.buffer, receipt)
        # Ctrl-C also ends what writes the events, so the end of the input may come at the same
        # moment: from here on the total is printed, and nothing stops that.
        on_interrupt(signal.SIG_IGN)
    except KeyboardInterrupt:
        on_interrupt(signal.SIG_IGN)
    receipt.finish()
    return 1 if receipt.surprises else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        # Nobody reads the receipt any more. The interpreter must not complain of it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
