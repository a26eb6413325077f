"""The live page beside a daemon that is made up, for what cannot be had from a recording on an idle machine.

usage: python3 Tests/LivePage/told_states.py KEYWEDGE [NAME…]

A scanner that is attached, one on a wrong layout, dead letters, a catalog that does not answer, a full journal, a
payment card, a price in the code, and every reason for a rejection. KEYWEDGE gives the page's files, and the reasons
are those of docs/events.md.
"""

import contextlib
import http.server
import json
import pathlib
import re
import threading
import urllib.request

from browser import Browser
from register import Register, eventually
from running import run_tests

EVENTS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "events.md"
NOW = "2026-11-23T08:00:00.000000Z"
SCANNER = {
    "vendor": "0c2e", "product": "0b61", "held_since": NOW, "scans": 7, "redacted": 1, "last_scan": NOW,
    "rejections": {}, "last_rejection": None, "lost_keys": {"count": 0, "last": None},
    "layout_suspicion": {"count": 0, "last": None, "message": None},
}
STATUS = {
    "register": "till-3", "version": "0", "started": NOW, "time": NOW, "streams": 1, "lookups": {},
    "scanners": [
        {**SCANNER, "name": "counter"},
        {**SCANNER, "name": "back", "layout_suspicion": {
            "count": 2, "last": NOW, "message": "The layout may be another."}},
    ],
    "sources": [{
        "name": "shop", "kind": "http", "state": "suspended", "trouble": "It answered with status 503.",
        "retry_after_s": 90, "failures": {}, "last_failure": None}],
    "journal": {
        "file": "j", "state": "full", "trouble": None, "waiting": 0, "epoch": "k3v9q0c2m7xd", "events": 0,
        "size_bytes": 0, "oldest": None, "newest": None},
    "sinks": [
        {"name": "erp", "state": "ok", "trouble": None, "last_error": None, "cursor": None, "lag_events": 0,
         "lag_s": 0, "dead_letters": 3},
        {"name": "fast", "state": "ok", "trouble": None, "last_error": None, "cursor": None, "lag_events": 1,
         "lag_s": 0.1, "dead_letters": 0}],
    "consumers": [{"name": "till", "cursor": None, "lag_events": 4000, "lag_s": 90000}],
}
SCAN = {
    "scanner": {"name": "counter"}, "symbology": "ean-13", "gtin": None, "problems": [],
    "lookup": {"status": "found"}}
PRODUCTS = [("1", "A product", "1.00", "EUR", "pcs")]


class Stub:
    """Serves the page's files of a real daemon, and what it is told for the rest.

    Whoever comes again, after `retry` milliseconds, gets the same events once more, whatever it had already.
    """

    def __init__(self, real, events, retry=1000000):
        self.streams = 0
        stub = self
        text = "".join(
            f"id: k3v9q0c2m7xd-{number}\ndata: {json.dumps(event)}\n\n"
            for number, event in enumerate(events, 1)).encode()

        class Answers(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                path = self.path.partition("?")[0]
                if path == "/v1/status":
                    return self.say("application/json", json.dumps(STATUS).encode())
                if path == "/v1/events":
                    stub.streams += 1
                    return self.say("text/event-stream", f"retry: {retry}\n\n".encode() + text)
                with urllib.request.urlopen(real + path) as file:
                    self.say(file.headers["Content-Type"], file.read(), file.headers["Content-Security-Policy"])

            def say(self, kind, content, policy=""):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Access-Control-Allow-Origin", "*")
                if policy:
                    self.send_header("Content-Security-Policy", policy)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


def event(number, kind, data):
    return {"id": f"e{number}", "source": "/keywedge/till-3/scanners/counter", "type": kind, "time": NOW, "data": data}


@contextlib.contextmanager
def page(program, events):
    """The page with these events in it."""
    with Register(program, PRODUCTS) as register, Browser() as browser:
        with contextlib.closing(Stub(register.url, events)) as stub:
            browser.open(stub.url)
            eventually("all is shown", lambda: browser.run(
                "return document.querySelectorAll('#rows tr').length") == len({one["id"] for one in events}))
            yield browser


def how_it_is_doing(program):
    """Each state is told in words, and a sink that is behind for a moment is none that lags."""
    with page(program, []) as browser:
        eventually("the status is shown", lambda: browser.text("#register") == "till-3")
        scanners = browser.text("#scanners")
        assert "counter attached\n\n8 scans" in scanners and "The layout may be another." in scanners, scanners
        readers = browser.text("#readers")
        for words in (
                "erp in trouble", "3 dead letters", "fast up to date", "till 4,000 events behind", "waits for 1 d 1 h"):
            assert words in readers, readers
        trouble = browser.text("#trouble-section")
        for words in ("shop suspended", "status 503", "Asked again in 1 min", "journal full"):
            assert words in trouble, trouble


def every_reason_has_words(program):
    """And says what to do; a reason that is new is told by its name."""
    text = EVENTS.read_text()
    table = text[text.index("| reason | |"):text.index("Whatever broke it")]
    reasons = [name for line in table.splitlines() if line.startswith("| `")
               for name in re.findall(r"`([a-z-]+)`", line.split("|")[1])]
    assert len(reasons) >= 9, reasons
    rejected = {"scanner": {"name": "counter"}, "text": "97831", "position": 5}
    events = [event(n, "keywedge.scan.rejected", {**rejected, "reason": reason})
              for n, reason in enumerate([*reasons, "brand-new"])]
    with page(program, events) as browser:
        told = browser.run(
            "return [...document.querySelectorAll('#rows tr .what')].map((cell) => cell.textContent)")[::-1]
        for reason, words in zip(reasons, told):
            assert reason not in words.partition("97831")[0], (reason, words)
            advice = ["It counts once."] if reason == "repeated" else ["Scan it again.", "Scan the right"]
            assert any(sentence in words for sentence in advice), (reason, words)
        assert "brand-new" in told[-1] and "Scan it again." in told[-1], told[-1]


def what_a_scan_can_say(program):
    """Nothing of a card, the price in a code, a lot, an old price; and one event twice is one."""
    product = {"id": "1", "name": "Cheese", "price": "12.90", "currency": "EUR", "unit": "kg"}
    weighed = event(2, "keywedge.scan", {
        **SCAN, "text": "2912345001234", "product": product,
        "in_store": {"scope": "region", "item": "12345", "price": "4.35", "currency": "EUR"},
        "charge": {"amount": "4.35", "currency": "EUR", "quantity": "1", "unit": "pcs", "from": "label-price"}})
    events = [
        event(1, "keywedge.scan.redacted", {"scanner": {"name": "counter"}, "content": "payment-card", "length": 16}),
        weighed, weighed,
        event(3, "keywedge.scan", {
            **SCAN, "text": "01", "product": {**product, "price_stale": True},
            "charge": {"amount": None, "reason": "old-price"},
            "gs1": {"elements": [
                {"ai": "01", "title": "GTIN", "value": "0"},
                {"ai": "17", "title": "USE BY", "value": "261231", "date": "2026-12-31"}]}}),
    ]
    with page(program, events) as browser:
        rows = browser.run("return [...document.querySelectorAll('#rows tr')].map((row) => row.innerText)")
        assert "A payment card" in rows[2] and "16 characters" in rows[2], rows
        assert "€4.35" in rows[1] and "kg" not in rows[1], rows
        assert "old: €12.90" in rows[0] and "old" not in rows[1], rows
        last = browser.text("#last")
        for words in ("€12.90 / kg", "USE BY: 2026-12-31", "one from before"):
            assert words in last, last


if __name__ == "__main__":
    run_tests(__doc__, [how_it_is_doing, every_reason_has_words, what_a_scan_can_say])
