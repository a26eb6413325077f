"""Checks how the live page and the till of examples/web-pos look in every state, on three displays, light and dark.

usage: python3 Tests/LivePage/looks.py KEYWEDGE [NAME…]

Writes a picture of each into .build/pages. In each, every text has a contrast of 4.5 or more (WCAG 2.2, section 1.4.3),
every code is on one line, nothing is wider than the display, and what a cashier must know is in view without scrolling.
On the display of 7 inches, the headline of the live page can be read from two metres.
"""

import contextlib
import math
import pathlib

from browser import Browser
from register import Register, eventually
from running import run_tests
from stub import NOW, SCAN, SCANNER, SINK, STATUS, Stub, event
from web_pos import till_site

PICTURES = pathlib.Path(__file__).resolve().parents[2] / ".build" / "pages"
DISPLAYS = [(1280, 800), (800, 480), (390, 844)]
SEVEN_INCHES = (800, 480)
# The diagonal of 7 inches has 933 pixels, so a pixel has 0.19 mm.
PIXEL_MM = 7 * 25.4 / math.hypot(*SEVEN_INCHES)
DISTANCE_MM = 2000
# The least height of a capital letter without an accent, according to ISO 9241-303.
LEAST_MINUTES = 16

PRODUCTS = [("1", "A product", "1.00", "EUR", "pcs")]
PENCIL = {"id": "PENCIL", "name": "Kohlwerk pencil, HB", "price": "0.89", "currency": "EUR", "unit": "pcs"}
BANANAS = {"id": "BANANAS", "name": "Bananas", "price": "1.79", "currency": "EUR", "unit": "kg"}
LONG_CODE = "01095060001343521726123110LOT-7\u001d21SER~9\u001d3103000350"


def charged(product, text="4006381333931", charge=None, **data):
    """A scan that a till can charge."""
    charge = charge or {
        "amount": product["price"], "currency": product["currency"], "quantity": "1", "unit": "pcs", "from": "product"}
    return "keywedge.scan", {**SCAN, "text": text, "product": product, "charge": charge, **data}


def undecided(reason, product=None, text="4006381333931", status="found", **data):
    """A scan that a person must decide."""
    data = {**SCAN, "text": text, "lookup": {"status": status}, "charge": {"amount": None, "reason": reason}, **data}
    return "keywedge.scan", {**data, "product": product} if product else data


def rejected(reason, text="97831"):
    return "keywedge.scan.rejected", {"scanner": {"name": "counter"}, "reason": reason, "text": text, "position": 5}


WEIGHED = charged(BANANAS, "2840117012507", {
    "amount": "2.24", "currency": "EUR", "quantity": "1.250", "unit": "kg", "from": "label-measure"})
WRONG = {
    "code": "wrong-check-digit", "severity": "error", "at": 12,
    "message": '"9506000100624" has a wrong check digit: expected 3, got 4.'}
REDACTED = "keywedge.scan.redacted", {"scanner": {"name": "counter"}, "content": "payment-card", "length": 16}
# The scans of each state, the newest last.
SCANS = {
    "empty": [],
    "found": [charged(PENCIL)],
    "repeated": [charged(PENCIL), charged(PENCIL)],
    "unknown": [undecided("not-found", text="9506000100631", status="not-found")],
    "wrong-check-digit": [undecided(
        "invalid-code", text="9506000100624", status="not-found", symbology=None, problems=[WRONG])],
    "rejected": [charged(PENCIL), rejected("torn")],
    "ignored": [charged(PENCIL), rejected("repeated", "4006381333931")],
    "redacted": [REDACTED],
    "no-price": [undecided("no-price", {"id": "GIFT", "name": "Gift card", "unit": "pcs"})],
    "weighed": [WEIGHED],
    "by-weight": [undecided("measure", BANANAS, "4011")],
    "old-price": [undecided("old-price", {**BANANAS, "price_stale": True}, "4011")],
    "several": [undecided("several-products", {**PENCIL, "name": "Blue mug"}, "SHARED", lookup={
        "status": "found", "candidates": ["BLUE", "RED"]})],
    "long-name": [charged({
        **PENCIL, "name": "Lindquell natural mineral water with little carbonic acid, from the deep springs of the "
        "Kohlwald, case of twelve bottles of 750 ml"})],
    "long-code": [charged(PENCIL, LONG_CODE)],
    "no-catalog": [("keywedge.scan", {**SCAN, "text": LONG_CODE, "lookup": {"status": "skipped"}})],
    "right-to-left": [charged({**PENCIL, "name": "حليب كامل الدسم 1 لتر", "price": "4.50", "currency": "AED"})],
    "four-digits": [charged({**PENCIL, "name": "Espresso machine, two groups", "price": "12345.67"})],
    "hostile": [charged({**PENCIL, "name": "Milk \u202e00.1\u202c <b>x</b>"}, "A\u001dB\u0007C")],
    "trouble": [charged(PENCIL)],
    "held": [charged(PENCIL)],
    "token": [],
    "away": [charged(PENCIL), rejected("torn"), undecided("not-found", status="not-found")],
}
TROUBLE = {
    **STATUS,
    "scanners": [
        {**SCANNER, "name": "counter", "rejections": {"torn": 3}},
        {**SCANNER, "name": "stock-room", "held_since": None, "layout_suspicion": {
            "count": 2, "last": NOW, "message": "The layout may be another."}}],
    "sources": [{
        **STATUS["sources"][0], "state": "suspended", "trouble": "It answered with status 503.", "retry_after_s": 90}],
    "journal": {**STATUS["journal"], "state": "full"},
    "sinks": [
        {**SINK, "name": "erp", "state": "trouble", "dead_letters": 3,
         "trouble": {"message": "It ended with status 1."}}],
    "consumers": [{"name": "till", "cursor": None, "lag_events": 4000, "lag_s": 90000}],
}

# Finds texts with a contrast below 4.5, computed as in WCAG 2.2 from the colours that Chromium shows, with the grounds
# and opacities of all ancestors. Also finds codes on several lines, and a page that is too wide or empty.
FAULTS = """
    const canvas = document.createElement("canvas");
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    const parse = (colour) => {
        pen.clearRect(0, 0, 1, 1);
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
        return { rgb: [r, g, b], alpha: a / 255 };
    };
    const mix = (over, under, alpha) => over.map((part, index) => part * alpha + under[index] * (1 - alpha));
    const on = (colour, under) => { const { rgb, alpha } = parse(colour); return mix(rgb, under, alpha); };
    const colours = ([one, ...rest], under) => {
        const style = getComputedStyle(one);
        const ground = on(style.backgroundColor, under);
        const inner = rest.length ? colours(rest, ground) : { ground, ink: on(style.color, ground) };
        const opacity = Number(style.opacity);
        return { ground: mix(inner.ground, under, opacity), ink: mix(inner.ink, under, opacity) };
    };
    const light = (rgb) => rgb.map((part) => part / 255)
        .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
    const contrast = (one) => {
        const path = [];
        for (let each = one; each; each = each.parentElement) path.unshift(each);
        const { ground, ink } = colours(path, paper);
        const [low, high] = [light(ground), light(ink)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.backgroundColor = "Canvas";
    const paper = parse(getComputedStyle(probe).backgroundColor).rgb;
    probe.remove();
    const isSeen = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen, thead")
        && (one.matches("input, select") || [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
    const name = (one) => `${one.tagName} ${one.id || one.className} ${one.textContent.slice(0, 30)}`;
    const texts = [...document.querySelectorAll("body *")].filter(isSeen);
    const poor = texts.map((one) => [contrast(one), name(one)]).filter(([ratio]) => ratio < 4.5)
        .map(([ratio, words]) => `contrast ${ratio.toFixed(2)}: ${words}`);
    const broken = [...document.querySelectorAll(".code")].filter((one) => one.checkVisibility() && one.textContent)
        .filter((one) => {
            const range = document.createRange();
            range.selectNodeContents(one);
            const { height } = range.getBoundingClientRect();
            return height > 1.9 * parseFloat(getComputedStyle(one).fontSize);
        }).map((one) => `several lines: ${name(one)}`);
    const wide = document.documentElement.scrollWidth - innerWidth;
    return [...poor, ...broken, ...(wide > 0 ? [`${wide} pixels too wide`] : []),
        ...(texts.length < 3 ? ["nothing to be seen"] : [])];
"""
# Measures the height of an element's capital letters in pixels.
CAPITAL = """
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(document.querySelector(arguments[0]));
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    return pen.measureText("H").actualBoundingBoxAscent;
"""
OUT_OF_VIEW = """
    const isIn = (one) => {
        const { top, bottom, left, right } = one.getBoundingClientRect();
        for (let each = one.parentElement; each; each = each.parentElement) {
            const box = each.getBoundingClientRect();
            if (getComputedStyle(each).overflowY !== "visible" && (top < box.top - 1 || bottom > box.bottom + 1)) return false;
        }
        return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
    };
    return [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility() && one.textContent)
        .filter((one) => !isIn(one)).map((one) => `out of view: ${one.id || one.className}`);
"""


def minutes_of_arc(pixels):
    """Returns the visual angle of a height on the display of 7 inches, seen from two metres."""
    return math.degrees(2 * math.atan(pixels * PIXEL_MM / 2 / DISTANCE_MM)) * 60


def look(browser, name, in_view):
    """Takes a picture of the page on each display, and returns the faults.

    `in_view` selects the elements that must be in view without scrolling.
    """
    PICTURES.mkdir(parents=True, exist_ok=True)
    faults = []
    for width, height in DISPLAYS:
        for scheme in ("light", "dark"):
            browser.looks(width, height, scheme)
            browser.settle()
            picture = f"{name}-{width}x{height}-{scheme}"
            browser.picture(PICTURES / f"{picture}.png")
            found = [*browser.run(FAULTS), *browser.run(OUT_OF_VIEW, in_view)]
            faults += [f"{picture}: {fault}" for fault in found]
    return faults


@contextlib.contextmanager
def live(browser, real, state):
    """Opens the live page in a state."""
    scans = [event(number, *scan) for number, scan in enumerate(SCANS[state])]
    status = TROUBLE if state == "trouble" else None
    with contextlib.closing(Stub(real, scans, status, wants_token=state == "token")) as stub:
        browser.open(stub.url)
        if state == "token":
            eventually("the page asks", lambda: browser.run("return document.activeElement.id") == "token")
        else:
            eventually("the scans are shown", lambda: browser.run(
                "return document.querySelectorAll('#rows tr').length") == len(scans))
            eventually("the status is shown", lambda: browser.text("#register") == "till-3")
        if state == "held":
            browser.run("document.getElementById('hold').click()")
            stub.send(event(len(scans), *SCANS[state][0]))
            eventually("one scan waits", lambda: browser.text("#hold") == "Go on (1 new)")
        if state == "away":
            stub.close()
            eventually("the daemon is away", lambda: browser.run(
                "return document.getElementById('state').dataset.state") == "away")
        yield


def the_live_page(program):
    """Checks the live page in every state."""
    faults = []
    with Register(program, PRODUCTS) as register, Browser() as browser:
        for state in SCANS:
            with live(browser, register.url, state):
                faults += look(browser, f"live-{state}", "#state, #last .name, .amount, .times, .action")
                browser.looks(*SEVEN_INCHES)
                minutes = minutes_of_arc(browser.run(CAPITAL, "#last .name"))
                if minutes < LEAST_MINUTES:
                    faults.append(f"{state}: capitals of {minutes:.1f} minutes of arc")
        print(f"  capitals of the name: {minutes:.1f} minutes of arc; pictures: {PICTURES}")
    assert not faults, "\n".join(faults)


def faults_are_found(program):
    """Proves that the checks find a low contrast, a code on several lines, a wide footer, and a name out of view."""
    with Register(program, PRODUCTS) as register, Browser() as browser, live(browser, register.url, "found"):
        browser.looks(*SEVEN_INCHES)
        assert browser.run(FAULTS) == []
        browser.run("""
            document.querySelector("#rows").style.opacity = .5;
            Object.assign(document.querySelector("#last .code").style, {
                display: "block", whiteSpace: "normal", width: "3ch", overflowWrap: "anywhere" });
            document.querySelector("footer").style.width = "900px";
            document.querySelector("#last .name").style.marginTop = "400px";""")
        found = [*browser.run(FAULTS), *browser.run(OUT_OF_VIEW, "#state, #last .name")]
        for words in ("contrast 3.", "several lines: BDI code 4006381333931", "pixels too wide", "out of view: name"):
            assert any(words in fault for fault in found), (words, found)


TILL = {
    "empty": [],
    "sold": [
        charged(PENCIL), charged(PENCIL), WEIGHED, charged({**PENCIL, "name": "Tea"}, LONG_CODE),
        charged({**PENCIL, "name": "Espresso machine", "price": "12345.67"}, "ESPRESSO")],
    "many-lines": [charged({**PENCIL, "name": f"Article {number}"}, f"ARTICLE-{number}") for number in range(40)]
    + [rejected("torn")],
    "long-name": SCANS["long-name"],
    "right-to-left": [charged({**PENCIL, "name": "حليب كامل الدسم 1 لتر"})],
    "rejected": [charged(PENCIL), rejected("torn")],
    "redacted": [charged(PENCIL), REDACTED],
    "unknown": SCANS["unknown"],
    "by-weight": SCANS["by-weight"],
    "no-price": SCANS["no-price"],
    "other-currency": [charged({**PENCIL, "name": "Green tea", "price": "349", "currency": "JPY"}, "TEA")],
    "away": [charged(PENCIL), WEIGHED],
}


def the_till(program):
    """Checks the till in every state; its notice, its total and the newest line are always in view."""
    faults = []
    with till_site() as site, Browser() as browser:
        for state, scans in TILL.items():
            asked = sum(1 for _, data in scans if data.get("charge", {}).get("currency") != "EUR" and "charge" in data)
            events = [event(number, *scan) for number, scan in enumerate(scans)]
            with contextlib.closing(Stub("", events)) as stub:
                browser.looks(*SEVEN_INCHES)
                browser.open(f"http://127.0.0.1:{site}/?daemon={stub.url[:-1]}")
                if asked:
                    eventually("the till asks", lambda: browser.run("return document.getElementById('unknown').open"))
                elif scans and scans[-1][0] != "keywedge.scan":
                    eventually("the till shows a notice", lambda: browser.text("#notice"))
                else:
                    eventually("the scans are rung up", lambda: browser.run(
                        "return document.querySelectorAll('#lines tr').length") == len({str(scan) for scan in scans}))
                if state == "away":
                    stub.close()
                    eventually("the daemon is away", lambda: browser.run("return document.body.dataset.state") == "away")
                faults += look(browser, f"till-{state}", "#state, #notice, .newest, #total, #clear")
    print(f"  pictures: {PICTURES}")
    assert not faults, "\n".join(faults)


if __name__ == "__main__":
    run_tests(__doc__, [the_live_page, faults_are_found, the_till])
