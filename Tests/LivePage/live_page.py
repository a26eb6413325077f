"""Tests the live page in a headless Chromium, with a daemon whose scanner is a FIFO.

usage: python3 Tests/LivePage/live_page.py KEYWEDGE [--pictures FOLDER] [NAME…]

Scans appear, hostile texts stay texts, no scan is lost or repeated when the daemon is restarted or killed, pages of
other origins get nothing, the keyboard reaches every control, and the page's console has no errors, except for requests
that must fail. With --pictures, it writes the pictures of docs/live-page.md instead. NAME is a part of the names of the
tests to run.
"""

import contextlib
import http.server
import pathlib
import statistics
import threading
import time

from browser import COUNT_NOTES, ENTER, SPACE, TAB, Browser
from register import Register, eventually
from running import run_tests

HOSTILE_NAME = '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>'
BIDI_NAME = "Milk \u202e00.1\u202c \u2066x\u2069"
PRODUCTS = [
    ("4006381333931", "Kohlwerk pencil, HB", "0.89", "EUR", "pcs"),
    ("9506000100234", "Lindquell mineral water, still, 500 ml", "0.79", "EUR", "pcs"),
    ("9783161484100", "A Field Guide to Barcodes", "19.90", "EUR", "pcs"),
    ("4011", "Bananas", "1.79", "EUR", "kg"),
    ("YACHT", "A yacht", "987654321098.123456", "EUR", "pcs"),
    ("SCREW", "A screw", "0.00125", "EUR", "pcs"),
    ("HOSTILE", HOSTILE_NAME, "1.00", "EUR", "pcs"),
    ("BIDI", BIDI_NAME, "1.00", "EUR", "pcs"),
    ("LONG", "Long " * 400, "1.00", "EUR", "pcs"),
]
# A sink that accepts no event, because its command ends with 1.
LAGGING = {"exec": {"name": "erp", "command": ["/bin/false"]}}
# The console's messages about requests while the daemon is away.
AWAY = [f"ERR_{reason}" for reason in (
    "CONNECTION_REFUSED", "INCOMPLETE_CHUNKED_ENCODING", "CONNECTION_RESET", "EMPTY_RESPONSE")]


def rows(browser):
    """Returns the rows of the table, each as [what, code, price]."""
    return browser.run("""
        return [...document.querySelectorAll("#rows tr")].map((row) =>
            [1, 2, 4].map((cell) => row.cells[cell].textContent))""")


def codes(browser):
    """Returns the codes in the table, the newest first."""
    return browser.run(
        "return [...document.querySelectorAll('#rows tr')].map((row) => row.cells[2].textContent)")


def is_live(browser):
    return browser.run("return document.getElementById('state').dataset.state") == "live"


def open_page(browser, register, path="/"):
    browser.looks(1280, 800)
    browser.open(register.url + path)
    eventually("the page is live", lambda: is_live(browser))


def scans_appear(program):
    """Products, unknown codes and rejections appear on the page, and so does the state of scanners and sinks."""
    with Register(program, PRODUCTS, sinks=[LAGGING]) as register, Browser() as browser:
        open_page(browser, register)
        took = []
        for number in range(20):
            code = "4006381333931" if number % 2 else f"UNKNOWN-{number}"
            begin = time.monotonic()
            register.scan(code)
            eventually(f"{code} is shown", lambda: len(codes(browser)) == number + 1)
            took.append((time.monotonic() - begin) * 1000)
        print(f"  from key to page: median {statistics.median(took):.0f} ms, at most {max(took):.0f} ms")
        last = browser.text("#last")
        assert "Kohlwerk pencil, HB" in last and "€0.89" in last, last
        assert browser.text("#spoken") == "Kohlwerk pencil, HB, €0.89", browser.text("#spoken")
        register.lose_keys("9783161484100")
        eventually("the rejection is shown", lambda: "Keys were lost" in browser.text("#last"))
        assert browser.text("#last .name") == "Scan it again" and "USB port" in browser.text("#last")
        register.put_down()
        eventually("the failing sink is named", lambda: "it ended with 1" in browser.text("#readers"))
        eventually("the scanners are named", lambda: "stock-room" in browser.text("#scanners"))
        eventually("its scans are counted", lambda: "20 scans" in browser.text("#scanners"))
        browser.expect_quiet()


def texts_are_texts(program):
    """The page shows codes and names as texts, and runs nothing that they contain."""
    script = "<script>window.harmed=1</script>"
    with Register(program, PRODUCTS) as register, Browser() as browser:
        open_page(browser, register)
        register.type('type "A\\x1dB\\x07C\\n"\n')
        for text in [script, "</td><svg onload=harmed=1>", "HOSTILE", "BIDI", "LONG", "X" * 1000]:
            register.scan(text)
        eventually("all are shown", lambda: len(codes(browser)) == 7)
        shown = rows(browser)[::-1]
        assert shown[0][1] == "A\u241dB\u2407C", shown[0]
        assert shown[1][1] == script, shown[1]
        assert shown[3][0].startswith(HOSTILE_NAME), shown[3]
        assert "Milk U+202E00.1U+202C U+2066xU+2069" in shown[4][0], shown[4]
        assert "characters more" in shown[5][0] and len(shown[5][0]) < 300, shown[5]
        assert "characters more" in shown[6][1], shown[6]
        assert browser.run("return window.harmed === undefined")
        assert browser.run("return document.querySelectorAll('main script, main img, main svg').length") == 0
        for width in (1280, 800, 360):
            browser.looks(width, 640)
            wide = browser.run("return document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"at {width} it is {wide} pixels too wide"
        browser.expect_quiet()


def money_is_exact(program):
    """Prices keep all their digits in each language."""
    with Register(program, PRODUCTS) as register:
        for language, yacht, screw in [
            ("en-US", "€987,654,321,098.123456", "€0.00125"),
            ("de-DE", "987.654.321.098,123456 €", "0,00125 €"),
        ]:
            with Browser() as browser:
                browser.tell("Emulation.setLocaleOverride", locale=language)
                open_page(browser, register)
                before = len(codes(browser))
                for code in ("YACHT", "SCREW"):
                    register.scan(code)
                eventually("both are shown", lambda: len(codes(browser)) >= before + 2)
                prices = [price.replace("\xa0", " ") for _, _, price in rows(browser)[:2]]
                assert prices == [screw, yacht], prices
                browser.expect_quiet()


def nothing_is_lost_or_doubled(program):
    """The page resumes after the last scan when the daemon is restarted or killed between scans."""
    with Register(program, PRODUCTS) as register, Browser() as browser:
        open_page(browser, register)
        scanned = []

        def scan(count):
            for _ in range(count):
                scanned.append(f"N-{len(scanned):04}")
                register.scan(scanned[-1])

        scan(5)
        eventually("the first are shown", lambda: len(codes(browser)) == 5)
        for end in (register.stop, register.kill, register.stop):
            # The journal's own tests kill the daemon before a commit.
            eventually("they are on the disk", lambda: register.scans_in_journal() == len(scanned))
            end()
            eventually("the page notices that the daemon is away", lambda: not is_live(browser))
            begin = time.monotonic()
            register.start()
            scan(5)
            eventually("all are shown", lambda: codes(browser) == scanned[::-1])
            print(f"  after {end.__name__}: all are shown {time.monotonic() - begin:.1f} s after the start")
            eventually("the page is live", lambda: is_live(browser))
        scan(120)
        eventually("a hundred are shown", lambda: codes(browser) == scanned[::-1][:100])
        open_page(browser, register)
        eventually("a page that is opened later shows them", lambda: codes(browser) == scanned[::-1][:100])
        browser.expect_quiet(*AWAY)


def a_new_journal_is_told(program):
    """If the journal is replaced, the page says that events are missing, and continues with the new journal."""
    with Register(program, PRODUCTS) as register, Browser() as browser:
        open_page(browser, register)
        register.scan("BEFORE")
        eventually("it is shown", lambda: codes(browser) == ["BEFORE"])
        register.stop()
        for file in register.folder.glob("journal.sqlite*"):
            file.unlink()
        register.start()
        register.scan("BEHIND")
        eventually("the page resumes", lambda: codes(browser)[0] == "BEHIND")
        assert codes(browser) == ["BEHIND", "", "BEFORE"], codes(browser)
        assert "Events are missing here" in rows(browser)[1][0], rows(browser)
        browser.expect_quiet(*AWAY)


def others_get_nothing(program):
    """A page of another origin gets nothing by fetch, or as a script, a stream, a frame or a window."""
    with Register(program, PRODUCTS) as register, Browser() as browser, other_site() as site:
        register.scan("4006381333931")
        for origin in (f"http://127.0.0.1:{site}", f"http://localhost:{site}"):
            for name in ("127.0.0.1", "localhost"):
                browser.open(f"{origin}/")
                got = browser.run(ATTACK, f"http://{name}:{register.port}")
                assert got == [], f"{origin} gets {got} of {name}"
                text, seen = opened_window(browser, f"http://{name}:{register.port}/")
                assert "wrong-origin" in text, f"{origin} opens a window of {name} with {text}"
                assert seen is None, f"{origin} sees {seen} in a window of {name}"
        # Another name of this host, as after DNS rebinding.
        browser.open(f"http://rebound.localhost:{register.port}/")
        assert "wrong-host" in browser.text("body"), browser.text("body")


ATTACK = """
    const [url] = arguments;
    const got = [];
    const tries = [];
    for (const path of ["/", "/live.js", "/v1/status", "/v1/events?after=oldest", "/metrics", "/openapi.json"]) {
        tries.push(fetch(url + path).then(() => got.push(`fetch ${path}`), () => {}));
        tries.push(fetch(url + path, { mode: "no-cors" })
            .then((answer) => answer.type === "opaque" || got.push(`no-cors ${path}`), () => {}));
        tries.push(new Promise((resolve) => {
            const script = document.createElement("script");
            script.onload = () => { got.push(`script ${path}`); resolve(); };
            script.onerror = resolve;
            script.src = url + path;
            document.head.append(script);
        }));
    }
    for (const path of ["/v1/events?after=oldest", "/v1/events"]) {
        tries.push(new Promise((resolve) => {
            const source = new EventSource(url + path);
            source.onopen = source.onmessage = () => { got.push(`stream ${path}`); resolve(); };
            source.onerror = () => { source.close(); resolve(); };
        }));
    }
    tries.push(new Promise((resolve) => {
        const frame = document.createElement("iframe");
        frame.onload = () => {
            try { if (frame.contentDocument.querySelector("#last")) got.push("frame"); } catch {}
            resolve();
        };
        frame.src = url + "/";
        document.body.append(frame);
    }));
    return Promise.all(tries).then(() => got);
"""


def opened_window(browser, url):
    """Opens a window from the current page; returns the window's text, and what the page can read of it."""
    opener = browser.tab
    browser.run("window.opened = window.open(arguments[0])", url)
    [window] = eventually("the window opens", lambda: set(browser.tabs) - {opener})
    browser.turn_to(window)
    eventually("it is loaded", lambda: browser.run(
        "return location.href === arguments[0] && document.readyState === 'complete'", url))
    text = browser.text("body")
    browser.turn_to(opener)
    seen = browser.run("try { return window.opened.document.body.innerText } catch { return null }")
    browser.turn_to(window)
    browser.close_tab()
    browser.turn_to(opener)
    return text, seen


@contextlib.contextmanager
def other_site():
    """Runs a web server with an empty page; yields its port."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Other</title><body>")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


def the_keyboard_is_enough(program):
    """Tab reaches every control in the page's order, the focus is visible, and roles and names are set."""
    with Register(program, PRODUCTS) as register, Browser() as browser:
        open_page(browser, register)
        register.scan("4011")
        eventually("it is shown", lambda: len(codes(browser)) == 1)
        focus = """
            const one = document.activeElement;
            return [one.id || one.textContent, getComputedStyle(one).outlineStyle]"""
        walked = []
        for _ in range(7):
            browser.press(TAB)
            walked.append(browser.run(focus))
        names = [name for name, _ in walked]
        assert names == ["To the last scans", "scanner", "sound", "hold", "status", "metrics", "interface"], names
        assert all(outline != "none" for _, outline in walked), walked
        browser.run("document.getElementById('hold').focus()")
        browser.press(SPACE)
        register.scan("YACHT")
        eventually("one scan waits", lambda: browser.text("#hold") == "Go on (1 new)")
        assert codes(browser) == ["4011"]
        browser.press(SPACE)
        eventually("the list continues", lambda: codes(browser) == ["YACHT", "4011"])
        tree = browser.tell("Accessibility.getFullAXTree")["nodes"]
        roles = {}
        for node in tree:
            name = node.get("name", {}).get("value", "")
            roles.setdefault(node.get("role", {}).get("value"), []).append(name)
        for role in ("banner", "main", "contentinfo", "table", "status", "region"):
            assert roles.get(role), f"no {role} among {sorted(filter(None, roles))}"
        assert {"Time", "What", "Code", "Scanner", "Price"} == set(roles["columnheader"]), roles["columnheader"]
        assert all(roles[role] and all(roles[role]) for role in ("button", "combobox", "link", "region")), roles
        browser.expect_quiet()


def it_sounds_if_it_is_told_to(program):
    """The sound is off until it is turned on; then it plays for rejections and unknown codes, not for products."""
    with Register(program, PRODUCTS) as register, Browser() as browser:
        open_page(browser, register)
        browser.run(COUNT_NOTES)
        register.scan("UNKNOWN-1")
        eventually("it is shown", lambda: len(codes(browser)) == 1)
        browser.run("document.getElementById('sound').focus()")
        browser.press(SPACE)
        assert browser.run("return localStorage.sound") == "on"
        eventually("the page can sound", browser.can_sound)
        for number, (code, notes) in enumerate([("4006381333931", 0), ("UNKNOWN-2", 2), ("4006381333931", 2)]):
            register.scan(code)
            eventually(f"{code} is shown", lambda: len(codes(browser)) == number + 2)
            assert browser.run("return window.notes") == notes, (code, browser.run("return window.notes"))
        register.lose_keys("9783161484100")
        eventually("the rejection sounds", lambda: browser.run("return window.notes") == 4)
        browser.press(SPACE)
        register.scan("UNKNOWN-3")
        eventually("it is shown", lambda: "UNKNOWN-3" in codes(browser))
        assert browser.run("return window.notes") == 4
        browser.expect_quiet()


def a_token_is_asked_for(program):
    """If a token is configured, the page asks for it, refuses a wrong one, and keeps the right one."""
    token = "abcdefghijklmnop1234"
    with Register(program, PRODUCTS, token=token) as register, Browser() as browser:
        browser.open(register.url + "/")
        eventually("the page asks", lambda: browser.run("return document.activeElement.id") == "token")
        browser.press("wrong", ENTER)
        eventually("the token is refused", lambda: "not the token" in browser.text("#token-problem"))
        browser.press(token, ENTER)
        eventually("the page is live", lambda: is_live(browser))
        register.scan("4006381333931")
        eventually("it is shown", lambda: codes(browser) == ["4006381333931"])
        register.stop()
        eventually("the page notices that the daemon is away", lambda: not is_live(browser))
        register.start()
        register.scan("4011")
        eventually("the page resumes", lambda: codes(browser) == ["4011", "4006381333931"])
        browser.open(register.url + "/")
        eventually("the page does not ask again", lambda: codes(browser) == ["4011", "4006381333931"])
        browser.expect_quiet("status of 401", *AWAY)


TESTS = [
    scans_appear, texts_are_texts, money_is_exact, nothing_is_lost_or_doubled, a_new_journal_is_told,
    others_get_nothing, the_keyboard_is_enough, it_sounds_if_it_is_told_to, a_token_is_asked_for,
]


def take_pictures(program, folder):
    """Takes the pictures of docs/live-page.md."""
    folder = pathlib.Path(folder)
    with Register(program, PRODUCTS) as register, Browser() as browser:
        open_page(browser, register)
        for code in ("9506000100234", "4011", "5901234123457", "4006381333931", "4006381333931"):
            register.scan(code)
        eventually("all are shown", lambda: len(codes(browser)) == 5 and "5 scans" in browser.text("#scanners"))
        browser.looks(1280, 800)
        browser.settle()
        browser.picture(folder / "live-page.webp")
        register.lose_keys("9783161484100")
        eventually("the rejection is shown", lambda: len(codes(browser)) == 6)
        browser.looks(800, 480, "dark")
        browser.settle()
        browser.picture(folder / "live-page-7-inch.webp")


if __name__ == "__main__":
    run_tests(__doc__, TESTS, take_pictures)
