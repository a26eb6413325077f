// The till: adds each scan to the basket, or asks the cashier about it.

import { decimal, minorUnits } from "./money.js";
import { Beep } from "./sound.js";
import { calculation, element, foreign, money, part, question, redaction, rejection, usualPrice } from "./words.js";

const query = new URLSearchParams(location.search);
/** The shop's currency. The cashier converts prices in other currencies. */
const currency = query.get("currency") ?? "EUR";
const daemon = query.get("daemon") ?? "http://127.0.0.1:8691";

/** The basket's lines by code, name, calculation and price: the same product again raises its line's quantity. */
const basket = new Map();
/** The scans that the cashier must still decide about, oldest first. */
const unknown = [];
let isTill = false;
const beep = new Beep();
beep.turn(query.get("sound") === "on");

const worker = new SharedWorker(`scans-worker.js?daemon=${encodeURIComponent(daemon)}`, { type: "module" });
worker.onerror = () => notice("The scans' worker does not start: see the browser's console.");
worker.port.onmessage = ({ data }) => {
  if (data.kind === "state") showState(data);
  if (data.kind === "role") isTill = data.isTill;
  if (data.kind === "role") showState(null);
  if (data.kind === "event") ring(data.event);
};

let state = { isOpen: false, words: "Connecting …" };

function showState(changed) {
  state = changed ?? state;
  part("state").textContent = !state.isOpen || isTill ? state.words : "Another tab rings up; click here to do it in this one";
  document.body.dataset.state = !state.isOpen ? "away" : isTill ? "ready" : "other";
}

function notice(words) {
  part("notice").textContent = words;
}

/** Handles an event: adds a line, asks the cashier, or shows a notice. */
function ring({ type, data }) {
  notice("");
  switch (type) {
    case "keywedge.scan": return ringScan(data);
    case "keywedge.scan.rejected": {
      // The scanner read the same code twice; the first scan counts.
      if (data.reason === "repeated") return;
      beep.play();
      const [action, why] = rejection(data.reason);
      return notice(`${action}. ${why}.`);
    }
    case "keywedge.scan.redacted": return notice(`${redaction(data.content)} was read. It is not shown, and nothing is sold.`);
    case "keywedge.gap":
      if (data.reason === "ahead") return;
      return notice("Scans are missing: keywedge no longer has what came while this till was away.");
  }
}

function ringScan(data) {
  const { text, product, charge } = data;
  const scan = { code: text, name: product?.name ?? "", usual: product ? usualPrice(product) : "" };
  const doubt = question(data);
  if (!charge) return ask({ ...scan, action: "Enter it by hand", why: "No catalog is configured" });
  if (charge.amount === null) {
    return ask({ ...scan, ...doubt, price: likelyPrice(data) });
  }
  const price = minorUnits(charge.amount, currency);
  if (charge.currency !== currency || price === null) {
    const why = `The price is in ${charge.currency}, not in ${currency}: ${charge.amount} ${charge.currency}`;
    return ask({ ...scan, usual: "", action: "Convert the price", why });
  }
  if (doubt) notice(`${doubt.action}. ${doubt.why}`);
  add({ code: text, name: scan.name || text, how: calculation(data), price });
}

/** The price to suggest for a scan that may be a line of a larger symbol; null if the cashier must find it. */
function likelyPrice({ charge, product, gtin, in_store: label, gs1 }) {
  if (charge.reason !== "rapid-lines") return null;
  if (label?.price) return label.currency === currency ? minorUnits(label.price, currency) : null;
  // Codes with a weight or count, and GTINs for a variable measure (first digit 9), have another price.
  const isPiece = !label && !gs1 && !gtin?.startsWith("9") && ["pcs", undefined].includes(product?.unit);
  return isPiece && product?.currency === currency ? minorUnits(product.price, currency) : null;
}

function add({ code, name, how = "", price, quantity = 1n }) {
  const key = JSON.stringify([code, name, how, String(price)]);
  const line = basket.get(key) ?? { code, name, how, price, quantity: 0n };
  line.quantity += quantity;
  if (line.quantity > 0n) basket.set(key, line);
  else basket.delete(key);
  show(line);
}

function ask(scan) {
  beep.play();
  unknown.push(scan);
  if (!part("unknown").open) askNext();
}

function askNext() {
  const [asked] = unknown;
  if (!asked) return;
  const { action, why, code, usual, name, price } = asked;
  part("unknown-action").textContent = action;
  part("unknown-why").replaceChildren(foreign(why, { limit: 300 }));
  part("unknown-code").replaceChildren(foreign(code, { className: "code" }));
  part("unknown-usual").textContent = usual;
  part("unknown-name").value = name;
  part("unknown-price").value = (price ?? null) === null ? "" : decimal(price, currency);
  part("unknown-currency").textContent = currency;
  part("unknown").returnValue = "leave";
  part("unknown").showModal();
  part(name ? "unknown-price" : "unknown-name").focus();
}

function answer() {
  const asked = unknown.shift();
  const price = minorUnits(part("unknown-price").value.trim().replace(",", "."), currency);
  const name = part("unknown-name").value.trim();
  if (part("unknown").returnValue === "sell") {
    if (price !== null && name) add({ code: asked.code, name, price });
    else unknown.unshift({ ...asked, name, why: `That is not a price in ${currency}` });
  }
  askNext();
}

function changer(sign, words, line) {
  const button = element("button", "", sign);
  button.type = "button";
  button.setAttribute("aria-label", `${words}: ${line.name}`);
  button.onclick = () => add({ ...line, quantity: sign === "+" ? 1n : -1n });
  return button;
}

const shown = (units) => money(decimal(units, currency), currency);

function row(line) {
  const { code, name, how, price, quantity } = line;
  return element("tr", "",
    element("td", "name", foreign(name, { isName: true }), how && element("small", "", foreign(how))),
    element("td", "", foreign(code, { className: "code" })),
    element("td", "number each", shown(price)),
    element("td", "quantity", changer("−", "One less", line), ` ${quantity} `, changer("+", "One more", line)),
    element("td", "number sum", shown(price * quantity)));
}

/** Scrolls to the line that changed last. */
function bringIntoView() {
  document.querySelector(".newest")?.scrollIntoView({ block: "nearest" });
}

/** Shows the basket; `changed` is the line that was just added or changed. */
function show(changed = null) {
  const lines = [...basket.values()];
  part("lines").replaceChildren(...lines.map(row));
  part("lines").children[lines.indexOf(changed)]?.classList.add("newest");
  bringIntoView();
  part("empty").hidden = lines.length > 0;
  const total = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0n);
  part("total").textContent = shown(total);
  part("total").dataset.amount = decimal(total, currency);
}

// A notice leaves less room for the lines, so the newest line may move out of view.
new ResizeObserver(bringIntoView).observe(part("lines").closest(".basket"));
part("unknown").addEventListener("close", answer);
part("clear").addEventListener("click", () => {
  basket.clear();
  notice("");
  show();
});
// The tab used last rings up; when it closes, another one takes over.
const mine = () => worker.port.postMessage("mine");
addEventListener("focus", mine);
addEventListener("pointerdown", mine);
addEventListener("pagehide", () => worker.port.postMessage("gone"));
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
if (document.hasFocus()) mine();
show();
