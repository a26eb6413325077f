#!/usr/bin/env python3
"""A till in Python: adds up a receipt from scan events.

usage: keywedge listen --consumer till | examples/pos/pos.py
       keywedge run --config FILE | examples/pos/pos.py
       keywedge replay RECORDING --catalog FILE --format json | examples/pos/pos.py

Reads one event per line. Prints a line for each scan as it arrives, and the total at the end of the
input or on Ctrl-C. `data.charge` says what to charge, or why a person must decide (docs/charging.md).
pos.sh prints the same. Exits with 1 if a line is not an event.
"""
import json
import os
import signal
import sys
import unicodedata
from decimal import Decimal

CURRENCY = os.environ.get("POS_CURRENCY", "EUR")
# Why a person must decide what to charge, in words for the cashier.
WORDS = {
    "invalid-code": "scan again: {error}",
    "not-found": "not in the catalog: {text}",
    "failed": "no answer from the catalog (failed): {text}",
    "timed-out": "no answer from the catalog (timed-out): {text}",
    "ambiguous": "the code can be read in several ways: {name}",
    "several-products": "several products have this code: {text}",
    "rapid-lines": "did you scan this, or is it a line of a larger symbol: {name}",
    "coupon": "a coupon: {name}",
    "logistic-unit": "count the contents: {name}",
    "unreadable-label": "type in the price of the label: {name}",
    "unknown-currency": "type in the price of the label: {name}",
    "no-price": "no price: {name}",
    "old-price": "its price may have changed: {name}, {price}",
    "measure": "measure it: {name}, {price}{per}",
    "unknown-unit": "how is it sold: {name}, {price}{per}",
    "fraction": "its price cannot be paid exactly: {name}",
}
# Control and format characters, and line and paragraph separators: they could move the terminal's
# cursor, and the text of a barcode cannot be trusted.
UNSAFE = ("Cc", "Cf", "Zl", "Zp")


class NotSold(Exception):
    """A scan adds nothing to the receipt; the message tells the cashier why."""


class Receipt:
    """What has been sold so far."""

    def __init__(self):
        # Decimal, because floating point cannot add decimal fractions exactly.
        self.total = Decimal("0.00")
        self.items = 0
        self.previous = None
        # The events read so far; one that comes again is the same scan.
        self.seen = set()
        # How many lines were not events.
        self.surprises = 0

    def read(self, event):
        """Adds a scan, or prints why not; ignores other types of events, and events that come again."""
        key = (event["source"], event["id"])
        if event["type"] not in ("keywedge.scan", "keywedge.scan.rejected") or key in self.seen:
            return
        self.seen.add(key)
        if event["data"].get("reason") == "repeated":
            # The scanner read the same code twice; the first scan counts.
            return
        try:
            name, charge = sold(event)
        except NotSold as reason:
            self.previous = None
            show("?", reason)
            return
        amount = Decimal(charge["amount"])
        self.total = amount if self.items == 0 else self.total + amount
        self.items += 1
        product = event["data"]["product"]["id"]
        again = " (again)" if product == self.previous else ""
        self.previous = product
        show(amount, name + again)
        if error := error_in(event["data"]):
            show("!", f"look at it: {error}")

    def finish(self):
        print("-" * 10)
        show(self.total, f"{CURRENCY}, {self.items} items")


def sold(event):
    """Returns the name for the receipt and the charge; raises NotSold if a person must decide."""
    data = event["data"]
    if event["type"] == "keywedge.scan.rejected":
        raise NotSold(f"scan again: {data['reason']}, {data['keystrokes']['count']} keys")
    product, charge = data.get("product", {}), data.get("charge")
    if charge is None:
        raise NotSold(f"no catalog is configured: {data['text']}")
    name = product.get("name", data["text"])
    if charge["amount"] is None:
        price = f"{product.get('price')} {product.get('currency')}"
        per = f" per {product['unit']}" if "unit" in product else ""
        words = WORDS.get(charge["reason"], "look at it (" + charge["reason"] + "): {name}")
        raise NotSold(words.format(
            name=name, text=data["text"], price=price, per=per, error=error_in(data)))
    if charge["currency"] != CURRENCY:
        raise NotSold(f"another currency: {name}, {charge['amount']} {charge['currency']}")
    if charge["quantity"] != "1":
        name += f", {charge['quantity']} {charge['unit']}"
    return name, charge


def error_in(data):
    """The message of the first problem with severity error; None if there is none."""
    errors = (p["message"] for p in data.get("problems", []) if p["severity"] == "error")
    return next(errors, None)


def shown(value):
    """The value as text that is safe on a terminal."""
    return "".join("?" if unicodedata.category(c) in UNSAFE else c for c in str(value))


def show(price, text):
    # The cashier waits for this line, so it must not stay in a buffer.
    print(f"{price!s:>10}  {shown(text)}", flush=True)


def read_all(lines, receipt):
    """Reads every line, and counts those that are not events."""
    for line in lines:
        try:
            receipt.read(json.loads(line))
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
        read_all(sys.stdin.buffer, receipt)
        # Ctrl-C also stops the program that writes the events, so the input may end at the same
        # moment. From here on, Ctrl-C must not keep the total from being printed.
        on_interrupt(signal.SIG_IGN)
    except KeyboardInterrupt:
        on_interrupt(signal.SIG_IGN)
    receipt.finish()
    return 1 if receipt.surprises else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        # Nobody reads the receipt any more; keep the interpreter from complaining about that at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
