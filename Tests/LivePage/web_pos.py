"""Tests the till of examples/web-pos in a headless Chromium, which loads it from another port than the daemon's.

usage: python3 Tests/LivePage/web_pos.py KEYWEDGE [NAME…]

The basket is right to the cent, and each scan counts once, also after a restart of the daemon; ten tabs have one
stream; a page of an origin that is not allowed gets nothing; a page of the shop's own server, over HTTPS, gets scans
only with Chromium's policy file. NAME is a part of the names of the tests to run.
"""

import contextlib
import functools
import http.server
import json
import os
import pathlib
import shutil
import ssl
import subprocess
import tempfile
import threading

from browser import COUNT_NOTES, TAB, Browser
from register import Register, eventually
from running import Skipped, run_tests
from stub import NOW, SCAN, Stub, event

POS = pathlib.Path(__file__).resolve().parents[2] / "examples" / "web-pos"
TABLE = POS.parent / "pos"
CURRENCIES = POS.parents[1] / "Sources" / "Catalog" / "Products" / "Currency.swift"
POLICY = POS / "keywedge-web-pos.json"
PRODUCTS = [
    ("4006381333931", "Kohlwerk pencil, HB", "0.10", "EUR", "pcs"),
    ("9783161484100", "A Field Guide to Barcodes", "19.90", "EUR", "pcs"),
    ("BIG", "A yacht", "987654321098.12", "EUR", "pcs"),
    ("FINE", "A screw", "0.125", "EUR", "pcs"),
    ("4011", "Bananas", "1.79", "EUR", "kg"),
    ("HOSTILE", '<img src=x onerror="window.harmed=1">', "1.00", "EUR", "pcs"),
]


@contextlib.contextmanager
def till_site(certificate=None):
    """Serves the till on its own port, over TLS if there is a certificate; yields the port."""

    class Files(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Files, directory=POS))
    if certificate:
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(certificate)
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


def address(site, register):
    return f"http://127.0.0.1:{site}/?daemon={register.url}"


@contextlib.contextmanager
def till(program, **browser):
    """Starts a register, and a browser with the till in it; yields both and the till's address."""
    with till_site() as site:
        with Register(program, PRODUCTS, origins=[f"http://127.0.0.1:{site}"]) as register:
            with Browser(**browser) as window:
                window.open(address(site, register))
                eventually("the till is ready", lambda: state(window) == "ready")
                yield register, window, address(site, register)


def state(browser):
    return browser.run("return document.body.dataset.state")


def total(browser):
    return browser.run("return document.getElementById('total').dataset.amount")


def lines(browser):
    """Returns the lines of the basket, each as [code, quantity, sum]."""
    return browser.run("""
        return [...document.querySelectorAll("#lines tr")].map(({ cells }) => [
            cells[1].textContent, Number(cells[3].textContent.replace(/[^0-9]/g, "")), cells[4].textContent])""")


def the_basket_is_exact(program):
    """Sums are exact, and the till asks if it has no price that can be paid exactly."""
    with till(program) as (register, browser, _):
        for code in ["4006381333931", "9783161484100", "4006381333931", "4006381333931", "BIG", "HOSTILE"]:
            register.scan(code)
        eventually("all are in the basket", lambda: total(browser) == "987654321119.32")
        assert lines(browser) == [
            ["4006381333931", 3, "€0.30"], ["9783161484100", 1, "€19.90"],
            ["BIG", 1, "€987,654,321,098.12"], ["HOSTILE", 1, "€1.00"]], lines(browser)
        assert browser.run("return window.harmed === undefined")
        browser.run("document.querySelector(arguments[0]).click()", '[aria-label="One less: A yacht"]')
        assert total(browser) == "21.20", total(browser)
        for code, why in [("UNKNOWN", "Not in the catalog"), ("FINE", "cannot be paid exactly"), ("4011", "by weight")]:
            register.scan(code)
            eventually(f"it is asked what {code} is",
                       lambda: browser.text("#unknown-code") == code and why in browser.text("#unknown-why"))
            browser.run("""
                document.getElementById("unknown-name").value = "Something";
                document.getElementById("unknown-price").value = "0,70";
                document.querySelector("#unknown button[value=sell]").click()""")
            eventually(f"{code} is in the basket", lambda: code in [line[0] for line in lines(browser)])
        assert total(browser) == "23.30", total(browser)
        register.type('wait 50ms\ntype "4006381333931\\n9783161484100\\n"\n')
        eventually("it is asked whether the second line is a product",
                   lambda: browser.text("#unknown-code") == "9783161484100"
                   and "line of a larger symbol" in browser.text("#unknown-why")
                   and browser.run("return document.getElementById('unknown-price').value") == "19.90")
        browser.run("document.querySelector('#unknown button[value=leave]').click()")
        assert total(browser) == "23.40", total(browser)
        register.lose_keys("9783161484100")
        eventually("the rejection is reported", lambda: browser.text("#notice").startswith("Scan it again. Keys were lost"))
        assert total(browser) == "23.40", total(browser)
        browser.expect_quiet()


def it_sounds_if_the_address_says_so(program):
    """With sound=on, a question and a rejection sound, and a sale does not; without it, nothing does."""
    with till(program) as (register, browser, url):
        for sound, expected in (("", 0), ("&sound=on", 4)):
            browser.open(url + sound)
            eventually("the till is ready", lambda: state(browser) == "ready")
            browser.run(COUNT_NOTES)
            browser.press(TAB)
            if expected:
                eventually("the page can sound", browser.can_sound)
            register.scan("4006381333931")
            register.scan("UNKNOWN")
            eventually("it is asked", lambda: browser.text("#unknown-code") == "UNKNOWN")
            browser.run("document.querySelector('#unknown button[value=leave]').click()")
            register.lose_keys("9783161484100")
            eventually("the rejection is reported", lambda: browser.text("#notice").startswith("Scan it again"))
            assert browser.run("return window.notes") == expected, browser.run("return window.notes")
        browser.expect_quiet("AudioContext was not allowed")


def a_currency_has_the_decimals_of_its_events(program):
    """The till uses the decimals of ISO 4217 for charges and typed prices, even if the browser uses others."""
    prices = {"EUR": "0.10", "HUF": "499.38", "IQD": "1.250", "JPY": "349"}
    products = [(currency, "A pencil", price, currency, "pcs") for currency, price in prices.items()]
    with till_site() as site, Register(program, products, origins=[f"http://127.0.0.1:{site}"]) as register:
        with Browser() as browser:
            for currency, price in prices.items():
                browser.open(f"{address(site, register)}&currency={currency}")
                eventually("the till is ready", lambda: state(browser) == "ready")
                register.scan(currency)
                eventually(f"{price} {currency} is rung up", lambda: total(browser) == price)
                shown = lines(browser)[0][2]
                assert shown.endswith(price), (currency, shown)
                register.scan("UNKNOWN")
                eventually("it is asked", lambda: browser.text("#unknown-code") == "UNKNOWN")
                browser.run("""
                    document.getElementById("unknown-name").value = "Something";
                    document.getElementById("unknown-price").value = arguments[0];
                    document.querySelector("#unknown button[value=sell]").click()""", price)
                eventually("it is rung up", lambda: lines(browser)[1:] == [["UNKNOWN", 1, shown]])
            browser.expect_quiet()
            zeros = browser.run("""
                const [codes] = arguments;
                return import("/money.js").then(({ decimal }) => codes.map((code) => decimal(0n, code)))""",
                [currency for currency, _ in currencies()])
            wrong = [currency for (currency, digits), zero in zip(currencies(), zeros)
                     if len(zero.partition(".")[2]) != digits]
            assert not wrong, f"keywedge has other decimals for {wrong}"


def currencies():
    """Returns every currency that keywedge knows, with its number of decimals."""
    table = CURRENCIES.read_text().split('list = """')[1].split('"""')[0]
    digits, found = 0, []
    for word in table.split():
        if word.isdigit():
            digits = int(word)
        else:
            found.append((word, digits))
    return found


def each_scan_counts_once(program):
    """Each scan counts once, also if the daemon is restarted or killed between scans."""
    with till(program) as (register, browser, _):
        count = 0
        for end in (register.stop, register.kill, register.stop):
            for _ in range(10):
                register.scan("4006381333931")
                count += 1
            eventually("they are rung up", lambda: total(browser) == f"{count // 10}.00")
            eventually("they are on the disk", lambda: register.scans_in_journal() == count)
            end()
            eventually("the till says that no scans come", lambda: state(browser) == "away")
            register.start()
            eventually("the till is ready", lambda: state(browser) == "ready")
        assert lines(browser) == [["4006381333931", 30, "€3.00"]], lines(browser)


def it_charges_as_the_other_tills_do(program):
    """For all kinds of charges, the till has the same total as pos.py and pos.sh, and asks about each other scan."""
    events = [json.loads(line) for line in (TABLE / "charges.events.jsonl").read_text().splitlines()]
    receipt = (TABLE / "charges.expected.txt").read_text().splitlines()
    asked = [each["data"]["text"] for each in events if each["data"]["charge"].get("currency") != "EUR"]
    with till_site() as site, Browser() as browser:
        with contextlib.closing(Stub("", events)) as daemon:
            browser.open(f"http://127.0.0.1:{site}/?daemon={daemon.url[:-1]}")
            eventually("all are rung up", lambda: total(browser) == receipt[-1].split()[0])
            for code in asked:
                eventually(f"it is asked about {code}", lambda: browser.text("#unknown-code") == code)
                browser.run("document.querySelector('#unknown button[value=leave]').click()")
            eventually("nothing else is asked",
                       lambda: browser.run("return !document.getElementById('unknown').open"))
            assert len(lines(browser)) == len(events) - len(asked), lines(browser)
            assert total(browser) == receipt[-1].split()[0], total(browser)


def it_says_what_is_sold_and_what_is_not(program):
    """The till shows prices per kilogram, and reports prices in another currency, cards and missing events."""
    bananas = {"id": "1", "name": "Bananas", "price": "1.79", "currency": "EUR", "unit": "kg"}
    weighed = {"amount": "2.24", "currency": "EUR", "quantity": "1.250", "unit": "kg", "from": "label-measure"}
    yen = {"amount": "349", "currency": "JPY", "quantity": "1", "unit": "pcs", "from": "product"}
    with till_site() as site, Browser() as browser, contextlib.closing(Stub("")) as daemon:
        browser.open(f"http://127.0.0.1:{site}/?daemon={daemon.url[:-1]}")
        eventually("the till is ready", lambda: state(browser) == "ready")
        daemon.send(event(1, "keywedge.scan", {**SCAN, "text": "2840117012507", "product": bananas, "charge": weighed}))
        eventually("it is sold", lambda: total(browser) == "2.24")
        assert "1.250 kg × €1.79 / kg" in browser.text("#lines"), browser.text("#lines")
        daemon.send(event(2, "keywedge.scan.redacted", {
            "scanner": {"name": "counter"}, "content": "payment-card", "length": 16}))
        eventually("a card is named", lambda: browser.text("#notice").startswith("A payment card was read"))
        daemon.send(event(3, "keywedge.gap", {"reason": "retention"}))
        eventually("a gap is reported", lambda: "Scans are missing" in browser.text("#notice"))
        daemon.send(event(4, "keywedge.scan", {
            **SCAN, "text": "4011", "product": bananas, "charge": {"amount": None, "reason": "measure"}}))
        eventually("it is to be weighed", lambda: browser.text("#unknown-action") == "Weigh or measure it")
        assert browser.text("#unknown-usual") == "€1.79 / kg"
        browser.run("document.querySelector('#unknown button[value=leave]').click()")
        daemon.send(event(5, "keywedge.scan", {
            **SCAN, "text": "TEA", "product": {"id": "2", "name": "Tea"}, "charge": yen}))
        eventually("the currency is named", lambda: "in JPY, not in EUR: 349 JPY" in browser.text("#unknown-why"))
        assert browser.text("#unknown-currency") == "EUR" and total(browser) == "2.24", total(browser)
        browser.run("document.querySelector('#unknown button[value=leave]').click()")
        pencil = {"id": "3", "name": "Pencil", "price": "0.89", "currency": "EUR"}
        for number, (product, facts, likely) in enumerate([
                (pencil, {}, "0.89"), (bananas, {}, ""), (bananas, {"in_store": {"weight": "1.250"}}, ""),
                (pencil, {"in_store": {"price": "146.85", "currency": "EUR"}}, "146.85"),
                (pencil, {"gtin": "99506000134355"}, ""), (pencil, {"gs1": {"elements": []}}, "")], 6):
            daemon.send(event(number, "keywedge.scan", {
                **SCAN, **facts, "text": f"LINE {number}", "product": product,
                "charge": {"amount": None, "reason": "rapid-lines"}}))
            eventually("it is asked", lambda: browser.text("#unknown-code") == f"LINE {number}")
            price = browser.run("return document.getElementById('unknown-price').value")
            assert price == likely, (number, price)
            browser.run("document.querySelector('#unknown button[value=leave]').click()")
        browser.expect_quiet()


def narrow_lines_are_stacked(program):
    """Below 640 pixels the quantity is below the name and the price of one not right of it; the sum always is."""
    boxes = """
        return ["name", "sum", "quantity", "each"].map((name) => {
            const { left, top, right, bottom } = document.querySelector(`#lines .${name}`).getBoundingClientRect();
            return { left, top, right, bottom };
        })"""
    charge = {"amount": "0.89", "currency": "EUR", "quantity": "1", "unit": "pcs", "from": "product"}
    scan = {**SCAN, "text": "4006381333931", "product": {"id": "1", "name": "Pencil"}, "charge": charge}
    with till_site() as site, Browser() as browser:
        with contextlib.closing(Stub("", [event(1, "keywedge.scan", scan)])) as daemon:
            browser.open(f"http://127.0.0.1:{site}/?daemon={daemon.url[:-1]}")
            eventually("it is rung up", lambda: total(browser) == "0.89")
            for width, is_stacked in ((639, True), (641, False)):
                browser.looks(width, 800)
                name, amount, quantity, each = browser.run(boxes)
                assert (quantity["top"] >= name["bottom"]) == is_stacked, (width, name, quantity)
                assert (each["left"] < name["right"]) == is_stacked, (width, name, each)
                assert amount["left"] >= name["right"] and amount["top"] < name["bottom"], (width, name, amount)


def what_comes_again_is_no_sale(program):
    """The till sells each event once, even if the daemon repeats it; two scans of one product are two sales."""
    charge = {"amount": "0.89", "currency": "EUR", "quantity": "1", "unit": "pcs", "from": "product"}
    sold = {**SCAN, "product": {"id": "1", "name": "Pencil"}, "charge": charge}
    events = [event(number, "keywedge.scan", {**sold, "text": "4006381333931"}) for number in (1, 2)]
    with till_site() as site, Browser() as browser:
        with contextlib.closing(Stub("", events, ends=True)) as daemon:
            browser.open(f"http://127.0.0.1:{site}/?daemon={daemon.url[:-1]}")
            eventually("the events were sent several times", lambda: len(daemon.asked) > 3)
            assert total(browser) == "1.78", total(browser)


def it_always_resumes_after_the_last_event(program):
    """The till continues after the last event that it read, even if a stream was empty, so it misses no scan."""
    with till_site() as site, Browser() as browser:
        with contextlib.closing(Stub("", ends=True)) as daemon:
            browser.open(f"http://127.0.0.1:{site}/?daemon={daemon.url[:-1]}")
            eventually("the till asks for events", lambda: daemon.asked)
            daemon.status["journal"]["newest"] = {"sequence": "7", "time": NOW}
            eventually("the till asks again", lambda: len(daemon.asked) > 2)
            places = [query["after"] for query in daemon.asked]
            assert places == len(places) * [["k3v9q0c2m7xd-0"]], places
            daemon.send(event(1, "keywedge.gap", {"reason": "replaced"}))
            eventually("the gap is reported", lambda: browser.text("#notice").startswith("Scans are missing"))
        with contextlib.closing(Stub("", [event(1, "keywedge.scan", SCAN)], ends=True, resumes=True)) as daemon:
            browser.open(f"http://127.0.0.1:{site}/?daemon={daemon.url[:-1]}")
            eventually("the till asks several times", lambda: len(daemon.asked) > 4)
            places = [query["after"] for query in daemon.asked]
            assert places == [["k3v9q0c2m7xd-0"]] + (len(places) - 1) * [["k3v9q0c2m7xd-1"]], places


def ten_tabs_have_one_stream(program):
    """Ten tabs share one stream, because a browser opens fewer connections to a host; only the tab in use rings up."""
    with till(program) as (register, browser, url):
        tabs = [browser.tab]
        for _ in range(9):
            tabs.append(browser.new_tab())
            browser.open(url)
            # A headless browser gives no tab the focus.
            browser.run("window.dispatchEvent(new Event('focus'))")
            eventually("the new one rings up", lambda: state(browser) == "ready")
        register.scan("9783161484100")
        eventually("the last tab has it", lambda: total(browser) == "19.90")
        streams = json.load(register.ask("/v1/status"))["streams"]
        assert streams == 1, f"{streams} streams"
        for tab in tabs[:-1]:
            browser.turn_to(tab)
            assert total(browser) == "0.00", total(browser)
        browser.run("window.dispatchEvent(new Event('focus'))")
        eventually("it rings up", lambda: state(browser) == "ready")
        register.scan("4006381333931")
        eventually("it has the scan", lambda: total(browser) == "0.10")


def a_scan_waits_for_the_first_tab(program):
    """A scan waits for the first tab, but not for long. To control the order, the test runs the worker in a page."""
    with till_site() as site, Register(program, PRODUCTS, origins=[f"http://127.0.0.1:{site}"]) as register:
        with Browser() as browser:
            browser.open(address(site, register).replace("/?", "/style.css?"))
            browser.run("""
                window.read = window.now = 0;
                Date.now = () => window.now;
                const parse = JSON.parse;
                JSON.parse = (text) => { window.read += 1; return parse(text); };
                return import("/scans-worker.js").then(() => true);""")
            eventually("the stream is open", lambda: json.load(register.ask("/v1/status"))["streams"] == 1)
            register.scan("4006381333931")
            eventually("the worker has it", lambda: browser.run("return window.read") == 1)
            connect = """
                window.codes = [];
                const { port1, port2 } = new MessageChannel();
                port1.onmessage = ({ data }) => data.event && window.codes.push(data.event.data.text);
                window.onconnect({ ports: [port2] });
                window.tab = port1;"""
            browser.run(connect)
            register.scan("9783161484100")
            eventually("the tab has both", lambda: browser.run("return window.codes")
                       == ["4006381333931", "9783161484100"])
            # A scan from long before the tab connects is not for its customer.
            browser.run("window.tab.postMessage('gone')")
            register.scan("4006381333931")
            eventually("the worker has it", lambda: browser.run("return window.read") == 3)
            browser.run("window.now = 6000;" + connect)
            register.scan("9783161484100")
            eventually("the tab has a scan", lambda: browser.run("return window.codes"))
            assert browser.run("return window.codes") == ["9783161484100"]


def another_origin_gets_nothing(program):
    """The same till gets nothing if it is loaded from an origin that is not in listen.origins."""
    with till_site() as allowed, till_site() as other:
        with Register(program, PRODUCTS, origins=[f"http://127.0.0.1:{allowed}"]) as register:
            with Browser() as browser:
                for site in (f"http://127.0.0.1:{other}", f"http://localhost:{allowed}"):
                    browser.open(f"{site}/?daemon={register.url}")
                    eventually("the till says so", lambda: "does not know this page" in browser.text("#state"))
                    register.scan("9783161484100")
                browser.open(address(allowed, register))
                eventually("the allowed one is ready", lambda: state(browser) == "ready")
                register.scan("4006381333931")
                eventually("it has its scan alone", lambda: total(browser) == "0.10")


def a_page_of_the_shops_server_needs_the_policy(program):
    """Chromium keeps another server's page away from this box, also over HTTPS; the policy file admits the page."""
    page = "https://pos.example"
    with tempfile.TemporaryDirectory() as folder, till_site(certificate(folder)) as site:
        elsewhere = [
            f"--ip-address-space-overrides=127.0.0.1:{site}=public", "--ignore-certificate-errors",
            f"--host-resolver-rules=MAP pos.example:443 127.0.0.1:{site}"]
        with Register(program, PRODUCTS, origins=[page]) as register:
            for policy in (None, POLICY):
                with managed(policy) as inside, Browser(switches=elsewhere, inside=inside) as browser:
                    browser.open(f"{page}/?daemon={register.url}")
                    if policy is None:
                        eventually("the page is kept away", lambda: "keeps this page from it" in browser.text("#state"))
                        assert json.load(register.ask("/v1/status"))["streams"] == 0
                        continue
                    eventually("the page is admitted", lambda: state(browser) == "ready")
                    register.scan("9783161484100")
                    eventually("it has the scan", lambda: total(browser) == "19.90")


def certificate(folder):
    """Creates a certificate for the shop's server; returns its file, which also has the key."""
    file = pathlib.Path(folder) / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-subj", "/CN=pos.example", "-days", "2", "-keyout", file, "-out", f"{file}.public"],
        check=True, stderr=subprocess.DEVNULL)
    file.write_text(file.read_text() + pathlib.Path(f"{file}.public").read_text())
    return file


@contextlib.contextmanager
def managed(policy):
    """Yields a command that runs another one with a policy file where Debian's Chromium looks for it."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder) / "policies" / "managed"
        place.mkdir(parents=True)
        if policy:
            shutil.copy(policy, place)
        user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        inside = ["unshare", *user, "--mount", "sh", "-c",
                  f"mount --bind {folder} /etc/chromium && exec \"$@\"", "sh"]
        probe = subprocess.run([*inside, "true"], stderr=subprocess.PIPE, text=True)
        if probe.returncode:
            raise Skipped(f"no policy can be put in place here: {probe.stderr.strip()}")
        yield inside


if __name__ == "__main__":
    run_tests(__doc__, [
        the_basket_is_exact, a_currency_has_the_decimals_of_its_events, it_sounds_if_the_address_says_so,
        each_scan_counts_once, it_charges_as_the_other_tills_do,
        it_says_what_is_sold_and_what_is_not, narrow_lines_are_stacked, what_comes_again_is_no_sale,
        it_always_resumes_after_the_last_event,
        ten_tabs_have_one_stream, a_scan_waits_for_the_first_tab, another_origin_gets_nothing,
        a_page_of_the_shops_server_needs_the_policy,
    ])
