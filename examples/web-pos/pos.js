// Rings up what is scanned.

import { decimal, minorUnits, shown } from "./money.js";

const part = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
/** The shop's currency: a price in another one is for a person to look at. */
const currency = query.get("currency") ?? "EUR";
const daemon = query.get("daemon") ?? "http://127.0.0.1:8691";

/** What is bought: by product and price, so that the same thing twice is one line with quantity 2. */
const basket = new Map();
/** Scans that wait for a person. */
const unknown = [];
let isTill = false;

const worker = new SharedWorker(`scans-worker.js?daemon=${encodeURIComponent(daemon)}`);
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

/** Why a person must decide what to charge, in words. */
const reasons = {
  "not-found": "not in the catalog",
  failed: "the catalog could not be asked",
  "timed-out": "the catalog did not answer",
  ambiguous: "the code can be read in several ways",
  "several-products": "several products have this code",
  "rapid-lines": "it may be a line of a larger symbol",
  coupon: "it is a coupon",
  "logistic-unit": "its contents must be counted",
  "unreadable-label": "the price of the label cannot be read for certain",
  "unknown-currency": "the label does not say its currency",
  "no-price": "it has no price here",
  "old-price": "its price may have changed",
  measure: "it is sold by weight or measure",
  "unknown-unit": "it is not known how it is sold",
  fraction: "its price cannot be paid exactly",
};

/** Turns an event into a line, a question, or a notice that it was no scan. */
function ring({ type, data }) {
  notice("");
  // The scanner read a code again that was rung up already.
  if (data.reason === "repeated") return;
  if (type === "keywedge.scan.rejected") return notice(`Not read (${data.reason}): scan it again.`);
  if (type !== "keywedge.scan") return;
  const { product, charge } = data;
  const wrong = data.problems.find(({ severity }) => severity === "error");
  const name = product?.name ?? "";
  const question = { code: data.text, name };
  if (!charge) return ask({ ...question, why: "no catalog is configured" });
  if (charge.amount === null) {
    const why = charge.reason === "invalid-code" ? wrong?.message : reasons[charge.reason];
    // For a line of a larger symbol the price is right if it is a product at all.
    const price = charge.reason === "rapid-lines" && product?.currency === currency
      ? minorUnits(product.price, currency) ?? undefined : undefined;
    return ask({ ...question, price, why: why ?? charge.reason });
  }
  const price = minorUnits(charge.amount, currency);
  if (charge.currency !== currency || price === null) {
    return ask({ ...question, why: `its price is ${charge.amount} ${charge.currency}` });
  }
  if (wrong) notice(`Look at it: ${wrong.message}`);
  const measured = charge.quantity === "1" ? "" : `, ${charge.quantity} ${charge.unit}`;
  add({ code: data.text, name: (name || data.text) + measured, price });
}

function add({ code, name, price, quantity = 1n }) {
  const key = JSON.stringify([code, name, String(price)]);
  const line = basket.get(key) ?? { code, name, price, quantity: 0n };
  line.quantity += quantity;
  if (line.quantity > 0n) basket.set(key, line);
  else basket.delete(key);
  show();
}

function ask(question) {
  unknown.push(question);
  if (!part("unknown").open) askNext();
}

function askNext() {
  const question = unknown[0];
  if (!question) return;
  part("unknown-code").textContent = question.code;
  part("unknown-why").textContent = `(${question.why})`;
  part("unknown-name").value = question.name;
  part("unknown-price").value = question.price === undefined ? "" : decimal(question.price, currency);
  part("unknown-currency").textContent = currency;
  part("unknown").returnValue = "leave";
  part("unknown").showModal();
  part(question.name ? "unknown-price" : "unknown-name").focus();
}

function answer() {
  const question = unknown.shift();
  const price = minorUnits(part("unknown-price").value.trim().replace(",", "."), currency);
  const name = part("unknown-name").value.trim();
  if (part("unknown").returnValue === "sell") {
    if (price !== null && name) add({ code: question.code, name, price });
    else unknown.unshift({ ...question, name, why: `that is no price in ${currency}` });
  }
  askNext();
}

function cell(text, className = "") {
  const made = document.createElement("td");
  made.className = className;
  // textContent: what was scanned is text, never HTML.
  made.textContent = text;
  return made;
}

function changer(sign, words, line) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = sign;
  button.setAttribute("aria-label", `${words}: ${line.name}`);
  button.onclick = () => add({ ...line, quantity: sign === "+" ? 1n : -1n });
  return button;
}

function show() {
  const lines = [...basket.values()];
  part("lines").replaceChildren(...lines.map((line) => {
    const row = document.createElement("tr");
    const quantity = cell("", "quantity");
    quantity.append(changer("−", "One less", line), ` ${line.quantity} `, changer("+", "One more", line));
    row.append(
      cell(line.name), cell(line.code), cell(shown(line.price, currency), "number"), quantity,
      cell(shown(line.price * line.quantity, currency), "number"));
    return row;
  }));
  part("empty").hidden = lines.length > 0;
  const total = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0n);
  part("total").textContent = shown(total, currency);
  part("total").dataset.amount = decimal(total, currency);
}

part("unknown").addEventListener("close", answer);
part("clear").addEventListener("click", () => {
  basket.clear();
  notice("");
  show();
});
// Who is used rings up; who goes lets another.
const mine = () => worker.port.postMessage("mine");
addEventListener("focus", mine);
addEventListener("pointerdown", mine);
addEventListener("pagehide", () => worker.port.postMessage("gone"));
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
if (document.hasFocus()) mine();
show();
