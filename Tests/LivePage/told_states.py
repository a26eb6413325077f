"""Tests the live page with a simulated daemon, for states that a recording on an idle machine cannot cause.

usage: python3 Tests/LivePage/told_states.py KEYWEDGE [NAME…]

These are: the same scan twice, scans of a while ago, every reason for a rejection or a question, a daemon that is away
or frozen, and sinks, catalogs and sockets in trouble. KEYWEDGE serves the page's files, and the reasons are those of
docs/events.md and docs/charging.md.
"""

import contextlib
import pathlib
import re

from browser import Browser
from register import Register, eventually
from running import run_tests
from stub import NOW, SCAN, SCANNER, SINK, STATUS, Stub, event

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
TROUBLE = {
    **STATUS,
    "listen": [{"place": "/run/s", "trouble": "Another program listens at /run/s."}, *STATUS["listen"]],
    "scanners": [
        {**SCANNER, "name": "counter"},
        {**SCANNER, "name": "back", "layout_suspicion": {
            "count": 2, "last": NOW, "message": "The layout may be another."}},
    ],
    "sources": [{
        **STATUS["sources"][0], "state": "suspended", "trouble": "It answered with status 503.", "retry_after_s": 90}],
    "journal": {**STATUS["journal"], "state": "full"},
    "sinks": [
        {**SINK, "name": "erp", "state": "ok", "dead_letters": 3},
        {**SINK, "name": "fast", "state": "ok", "lag_events": 1, "lag_s": 0.1}],
    "consumers": [{"name": "till", "cursor": None, "lag_events": 4000, "lag_s": 90000}],
}
PRODUCTS = [("1", "A product", "1.00", "EUR", "pcs")]
PRODUCT = {"id": "1", "name": "Cheese", "price": "12.90", "currency": "EUR", "unit": "kg"}
CHARGE = {"amount": "4.35", "currency": "EUR", "quantity": "1", "unit": "pcs", "from": "label-price"}
CHEESE = "keywedge.scan", {**SCAN, "text": "2912345001234", "product": PRODUCT, "charge": CHARGE}
TORN = "keywedge.scan.rejected", {"scanner": {"name": "counter"}, "reason": "torn", "text": "97831", "position": 5}


@contextlib.contextmanager
def page(program, events, status=None):
    """Opens the page with these events; yields the browser and the simulated daemon."""
    with Register(program, PRODUCTS) as register, Browser() as browser:
        with contextlib.closing(Stub(register.url, events, status)) as stub:
            browser.open(stub.url)
            eventually("all is shown", lambda: rows(browser) == len({one["id"] for one in events}))
            eventually("the status is shown", lambda: browser.text("#register") == "till-3")
            yield browser, stub


def rows(browser):
    return browser.run("return document.querySelectorAll('#rows tr').length")


def texts(browser, selector):
    """Returns the visible texts of the selected elements, in the order of the page."""
    return browser.run("return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)", selector)


def at(seconds):
    """Returns the time that is `seconds` after that of the first events."""
    return f"2026-11-23T08:{seconds // 60:02}:{seconds % 60:02}.000000Z"


def reasons_of(document, begin):
    """Returns the reasons in a table of the documentation."""
    text = (DOCS / document).read_text()
    table = text[text.index(begin):].split("\n\n")[0]
    return [name for line in table.splitlines() if line.startswith("| `")
            for name in re.findall(r"`([a-z-]+)`", line.split("|")[1])]


def how_it_is_doing(program):
    """The page has words for each state, and does not report a sink that is behind only for a moment."""
    with page(program, [], TROUBLE) as (browser, _):
        scanners = browser.text("#scanners")
        assert "counter attached\n\n8 scans" in scanners and "The layout may be another." in scanners, scanners
        readers = browser.text("#readers")
        for words in (
                "erp in trouble", "3 dead letters", "fast up to date", "till 4,000 events behind", "waits for 1 d 1 h"):
            assert words in readers, readers
        trouble = browser.text("#trouble-section")
        for words in ("/run/s no client can connect", "Another program", "shop suspended", "status 503", "Asked again in 1 min", "journal full"):
            assert words in trouble, trouble
        assert browser.text("#alarm") == "Trouble: erp, /run/s, shop, journal", browser.text("#alarm")


def the_same_scan_again_is_seen(program):
    """A repeated scan flashes and is counted, also if two arrive at once; another scan or a minute resets the count."""
    with page(program, [event(1, *CHEESE)]) as (browser, daemon):
        assert texts(browser, "#last .times") == []
        browser.run("""
            window.flashes = 0;
            document.addEventListener("animationstart", ({ animationName }) => window.flashes += animationName === "flash");
        """)
        for number, events in ((3, [event(2, *CHEESE), event(3, *CHEESE, at(1))]), (4, [event(4, *CHEESE, at(2))])):
            browser.settle()
            before = browser.run("return window.flashes")
            daemon.send(*events)
            eventually(f"{number} are counted", lambda: texts(browser, "#last .times") == [f"×{number}"])
            eventually("the page flashes", lambda: browser.run("return window.flashes") > before)
        daemon.send(event(5, *TORN, at(3)), event(6, *CHEESE, at(4)))
        eventually("the count is gone", lambda: rows(browser) == 6 and texts(browser, "#last .times") == [])
        daemon.send(event(7, *CHEESE, at(64)))
        eventually("the scan after a minute is shown", lambda: rows(browser) == 7)
        assert texts(browser, "#last .times") == []


def one_scanner_can_be_shown(program):
    """The page can show one scanner's scans, then all in order again; while the list is held, new scans wait."""
    codes = "return [...document.querySelectorAll('#rows tr')].map(({ cells }) => cells[2].textContent)"
    choose = """
        document.getElementById("scanner").value = arguments[0];
        document.getElementById("scanner").dispatchEvent(new Event("change"));"""

    def scan(number, scanner):
        return event(number, "keywedge.scan", {**SCAN, "scanner": {"name": scanner}, "text": f"CODE-{number}"})

    with page(program, [scan(1, "counter"), scan(2, "back"), scan(3, "counter")], TROUBLE) as (browser, daemon):
        browser.run(choose, "back")
        eventually("its scan alone is shown", lambda: browser.run(codes) == ["CODE-2"])
        daemon.send(scan(4, "counter"), scan(5, "back"))
        eventually("its next scan is shown", lambda: browser.run(codes) == ["CODE-5", "CODE-2"])
        browser.run("document.getElementById('hold').click()")
        daemon.send(scan(6, "back"))
        eventually("one scan waits", lambda: browser.text("#hold") == "Go on (1 new)")
        browser.run(choose, "")
        eventually("all are shown", lambda: browser.run(codes) == [f"CODE-{number}" for number in (5, 4, 3, 2, 1)])
        browser.run("document.getElementById('hold').click()")
        eventually("the last is shown, too", lambda: browser.run(codes)[:2] == ["CODE-6", "CODE-5"])


def a_scan_has_an_age(program):
    """The page computes a scan's age with the daemon's clock, which may differ from the browser's."""
    with page(program, [event(1, *CHEESE)]) as (browser, daemon):
        eventually("the scan is new", lambda: browser.text("#last-title").lower() == "just scanned")
        daemon.status["time"] = at(61)
        eventually("the scan has an age", lambda: browser.text("#last-title").lower() == "scanned 1 min ago")
        daemon.send(event(2, *TORN, at(61)))
        eventually("a rejection is new", lambda: browser.text("#last-title").lower() == "not read")
        daemon.status["time"] = "2026-11-23T10:06:01.000000Z"
        eventually("the rejection has an age", lambda: browser.text("#last-title").lower() == "not read 2 h 5 min ago")


def every_rejection_says_what_to_do(program):
    """For each rejection the page shows an action and its reason, even if it does not know the reason."""
    reasons = reasons_of("events.md", "| reason | |")
    assert len(reasons) >= 9, reasons
    kind, data = TORN
    with page(program, []) as (browser, daemon):
        for number, reason in enumerate([*reasons, "brand-new"], 1):
            daemon.send(event(number, kind, {**data, "reason": reason}))
            eventually(f"{reason} is shown", lambda: rows(browser) == number)
            action, [why] = browser.text("#last .name"), texts(browser, "#last .why")
            expected = "It counts once" if reason == "repeated" else "Scan "
            assert action.startswith(expected), (reason, action)
            assert reason not in why or reason == "brand-new", (reason, why)
            [what] = texts(browser, "#rows tr:first-child .what")
            assert action in what and why in what, (reason, what)
        assert "brand-new" in why, why


def every_question_says_what_to_do(program):
    """For each reason why a person must decide, the page shows an action and the reason."""
    reasons = reasons_of("charging.md", "| `reason` |")
    assert len(reasons) >= 15, reasons
    unknown = ["invalid-code", "not-found", "failed", "timed-out"]
    wrong = {"code": "wrong-check-digit", "severity": "error", "message": "The check digit is wrong.", "at": 1}
    with page(program, []) as (browser, daemon):
        for number, reason in enumerate([*reasons, "brand-new"], 1):
            data = {**SCAN, "text": f"CODE-{number}", "charge": {"amount": None, "reason": reason}}
            if reason not in unknown:
                data["product"] = PRODUCT
            if reason == "invalid-code":
                data["problems"] = [wrong]
            daemon.send(event(number, "keywedge.scan", data))
            eventually(f"{reason} is shown", lambda: rows(browser) == number)
            assert browser.run("return document.getElementById('last').dataset.kind") == "ask", reason
            [action] = texts(browser, "#last .name" if reason in unknown else "#last .action")
            [why] = texts(browser, "#last .why")
            assert action and action not in (f"CODE-{number}", PRODUCT["name"]), (reason, action)
            assert why == "The check digit is wrong." if reason == "invalid-code" else why, (reason, why)
            assert f"CODE-{number}" in browser.text("#last .codes"), reason
            if reason == "invalid-code":
                assert action == "Scan it again" and texts(browser, "#last .notes") == [], texts(browser, "#last")
        assert "brand-new" in why, why


def no_price_is_amber(program):
    """The words "No price" have the colour of a question, and not that of a price that a till charges."""
    product = {"id": "1", "name": "Gift card"}
    colour = "return getComputedStyle(document.querySelector('#last .amount')).color"
    with page(program, [event(1, *CHEESE)]) as (browser, daemon):
        price = browser.run(colour)
        daemon.send(event(2, "keywedge.scan", {
            **SCAN, "text": "1", "product": product, "charge": {"amount": None, "reason": "no-price"}}))
        eventually("the page says so", lambda: texts(browser, "#last .amount") == ["No price"])
        assert browser.run(colour) == browser.run("return getComputedStyle(document.querySelector('#last .action')).color")
        assert browser.run(colour) != price
        assert texts(browser, "#rows tr:first-child .price") == ["No price"]


def what_a_scan_can_say(program):
    """The page shows only a card's length; it shows label prices, dates and old prices, and each event once."""
    card = event(1, "keywedge.scan.redacted", {"scanner": {"name": "counter"}, "content": "payment-card", "length": 16})
    weighed = event(2, *CHEESE)
    old = event(3, "keywedge.scan", {
        **SCAN, "text": "01", "product": {**PRODUCT, "price_stale": True},
        "charge": {"amount": None, "reason": "old-price"},
        "gs1": {"elements": [
            {"ai": "01", "title": "GTIN", "value": "0"},
            {"ai": "17", "title": "USE BY", "value": "261231", "date": "2026-12-31"}]}})
    with page(program, [card, weighed, weighed, old]) as (browser, daemon):
        lines = texts(browser, "#rows tr")
        assert "A payment card" in lines[2] and "16 characters" in lines[2], lines
        assert "€4.35" in lines[1] and "kg" not in lines[1], lines
        assert "old: €12.90 / kg" in lines[0] and "old" not in lines[1], lines
        last = browser.text("#last")
        for words in ("old: €12.90 / kg", "USE BY: 2026-12-31", "Check the price", "an earlier one"):
            assert words in last, last
        charge = {"amount": "16.13", "currency": "EUR", "quantity": "1.250", "unit": "kg", "from": "label-measure"}
        daemon.send(event(4, CHEESE[0], {**CHEESE[1], "charge": charge}))
        eventually("the price of a kilogram is shown", lambda: "1.250 kg × €12.90 / kg" in browser.text("#last"))
        assert texts(browser, "#last .amount") == ["€16.13"]


def the_page_dims_while_the_daemon_is_away(program):
    """The whole page turns grey if the daemon is gone or does not answer, and gets its colours back afterwards."""
    colours = """
        return ["body", "header", ".last", ".last .name", ".last .amount", ".side .card", "#rows td"].map((each) => {
            const { color, backgroundColor } = getComputedStyle(document.querySelector(each));
            return [color, backgroundColor].join();
        })"""

    def state(browser):
        return browser.run("return document.getElementById('state').dataset.state")

    with page(program, [event(1, *CHEESE)]) as (browser, daemon):
        before = browser.run(colours)
        daemon.freeze(True)
        eventually("the page notices that the daemon does not answer", lambda: state(browser) == "away")
        dimmed = browser.run(colours)
        assert all(one != other for one, other in zip(before, dimmed)), (before, dimmed)
        assert len({colour.split(")")[0] for colour in dimmed}) == 1, f"several inks: {dimmed}"
        daemon.freeze(False)
        eventually("the page is live", lambda: state(browser) == "live")
        assert browser.run(colours) == before
        daemon.close()
        eventually("the page notices that the daemon is gone", lambda: state(browser) == "away")
        assert browser.run(colours) == dimmed


if __name__ == "__main__":
    run_tests(__doc__, [
        how_it_is_doing, the_same_scan_again_is_seen, one_scanner_can_be_shown, a_scan_has_an_age,
        every_rejection_says_what_to_do, every_question_says_what_to_do, no_price_is_amber, what_a_scan_can_say,
        the_page_dims_while_the_daemon_is_away])
