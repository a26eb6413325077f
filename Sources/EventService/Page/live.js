// Shows what was scanned, and how the daemon is doing.

import {
  charges, counted, element, foreign, lookups, money, redactions, rejections, span, time,
} from "./words.js";
import { ask, Refusal, Stream } from "./stream.js";

const limit = 100;
/** How often the daemon is asked how it is doing, and how soon after an event, in milliseconds. */
const [often, soon] = [5000, 500];
/** A sink that is behind for a moment is none that lags. */
const lagSeconds = 2;

const part = (id) => document.getElementById(id);

/** What an event says, in words; null for one that is not shown in the list. */
function story({ type, time: at, data }) {
  const common = { at, scanner: data.scanner?.name, text: data.text, problems: data.problems ?? [] };
  switch (type) {
    case "keywedge.scan": return scanStory(common, data);
    case "keywedge.scan.rejected": {
      const [why, now, often] = rejections[data.reason]
        ?? [`The keys were no scan (${data.reason})`, "Scan it again.", ""];
      const key = data.key ? `The key: ${data.key}` : "";
      return { ...common, kind: "rejected", title: "Not a scan", name: why, advice: now, details: [often, key] };
    }
    case "keywedge.scan.redacted":
      return {
        ...common, kind: "redacted", title: "Not shown", name: redactions[data.content] ?? "Something private",
        advice: `${counted(data.length, "character")}; nothing of it is kept.`,
      };
    case "keywedge.gap":
      if (data.reason === "ahead") return null;
      return {
        ...common, kind: "rejected", title: "Scans are missing", name: "Events are missing here",
        advice: "The journal no longer has what came while this page was away.",
      };
    default: return null;
  }
}

function scanStory(common, { lookup, product, charge, in_store: inStore, ...data }) {
  const isFound = Boolean(product);
  const isCharged = charge && charge.amount !== null;
  const price = isCharged ? [charge.amount, charge.currency]
    : product?.price ? [product.price, product.currency] : null;
  const reason = isCharged ? undefined : charge?.reason;
  const unit = isCharged || ["pcs", "pc", "piece"].includes(product?.unit) ? "" : product?.unit ?? "";
  const why = lookups[lookup?.status];
  const isWrong = common.problems.some(({ severity }) => severity === "error");
  const kind = isWrong || (why && !isFound) ? "unknown" : "found";
  return {
    ...common, kind, title: "Just scanned",
    name: product?.name ?? (isFound ? product.id : null),
    advice: (isFound ? charges[reason] : why) ?? "",
    price, per: unit, isOld: reason === "old-price",
    symbology: data.symbology, gtin: data.gtin,
    details: [
      reason === "old-price" ? "The price is one from before: the catalog could not be asked." : "",
      lookup?.reason ?? "",
      isCharged && charge.from !== "product" && product?.price
        ? `${money(product.price, product.currency)}${product.unit ? ` per ${product.unit}` : ""}` : "",
      inStore?.weight_kg ? `${inStore.weight_kg} kg` : "",
      inStore?.count ? `${inStore.count} pieces` : "",
      ...(data.gs1?.elements ?? []).filter(({ ai }) => ai !== "01")
        .map(({ title, value, date }) => `${title}: ${date ?? value}`),
    ],
  };
}

const priceOf = ({ price, per, isOld }) =>
  price ? `${isOld ? "old: " : ""}${money(...price)}${per ? ` / ${per}` : ""}` : "";

/** The newest, large. */
function showLast(told) {
  const section = part("last");
  section.dataset.kind = told.kind;
  part("last-title").textContent = told.title;
  const code = told.text === undefined ? null : told.text;
  const isNamed = told.name !== null;
  part("last-content").replaceChildren(
    element("p", "name", isNamed
      ? foreign(told.name, { isName: true, limit: 120 }) : foreign(code ?? "", { className: "code", limit: 120 })),
    ...[
      [told.price, () => element("p", "amount", foreign(priceOf(told)))],
      [told.advice, () => element("p", "advice", told.advice)],
      [isNamed && code, () => element("p", "codes",
        told.kind === "rejected" ? "Read before it broke: " : "", foreign(code, { className: "code" }))],
      [true, () => element("p", "about", ...listed([
        told.symbology, told.gtin && told.gtin !== code?.padStart(14, "0") ? `GTIN ${told.gtin}` : "", told.scanner, time(told.at),
      ]))],
      [notes(told).length, () => element("ul", "notes", ...notes(told))],
    ].filter(([isThere]) => isThere).map(([, make]) => make()));
}

/** Texts with dots between them. */
function listed(texts) {
  return texts.filter(Boolean).flatMap((text, index) => [index ? " · " : "", foreign(text, { isName: true })]);
}

/** What else there is to say of a scan. */
function notes({ details = [], problems }) {
  return [
    ...problems.map(({ severity, message }) => element("li", severity === "error" ? "error" : "warning", foreign(message, { limit: 300 }))),
    ...details.filter(Boolean).slice(0, 6).map((text) => element("li", "", foreign(text, { limit: 200 }))),
  ];
}

/** The same for those who hear the page. */
function say(told) {
  const words = [told.kind === "found" ? "" : told.title, told.name ?? told.text, priceOf(told), told.advice];
  part("spoken").replaceChildren(...words.filter(Boolean).flatMap(
    (text, index) => [index ? ", " : "", foreign(text, { isName: true, limit: 120 })]));
}

/** A line of the table. */
function row(told) {
  const small = element("span", "small", ...listed([told.name === null ? "" : told.text, told.scanner]));
  const what = element("td", "what",
    element("span", `kind ${told.kind}`, { found: "", unknown: "?", rejected: "✗", redacted: "–" }[told.kind]),
    told.name === null
      ? foreign(told.text, { className: "code", limit: 80 }) : foreign(told.name, { isName: true, limit: 120 }),
    told.advice ? element("span", "note-line", told.advice) : "", small);
  const made = element("tr", told.kind,
    element("td", "time", time(told.at)), what,
    element("td", "wide", told.text === undefined ? "" : foreign(told.text, { className: "code", limit: 80 })),
    element("td", "wide", foreign(told.scanner ?? "", { isName: true })),
    element("td", "price", foreign(priceOf(told))));
  return made;
}

/** The last hundred: what is shown of them, and what waits while they are held. */
class List {
  #told = [];
  #waiting = [];
  #isDue = false;
  #isHeld = false;

  add(told) {
    this.#waiting.push(told);
    if (this.#waiting.length > limit) this.#waiting.shift();
    this.due();
  }

  hold(isHeld) {
    this.#isHeld = isHeld;
    this.due();
  }

  /** Shows what waits with the next picture; in a tab that nobody sees, when it is seen. */
  due() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#show();
    });
  }

  filter() {
    part("rows").replaceChildren(...this.#told.filter(isWanted).map(row).reverse());
    part("empty").hidden = part("rows").children.length > 0;
  }

  #show() {
    part("hold").textContent = this.#isHeld && this.#waiting.length
      ? `Go on (${this.#waiting.length} new)` : this.#isHeld ? "Go on" : "Hold";
    if (this.#isHeld || !this.#waiting.length) return;
    const fresh = this.#waiting.splice(0);
    this.#told = [...this.#told, ...fresh].slice(-limit);
    const rows = part("rows");
    const wanted = fresh.filter(isWanted);
    rows.prepend(...wanted.map(row).reverse());
    while (rows.children.length > limit) rows.lastElementChild.remove();
    part("empty").hidden = rows.children.length > 0;
    if (wanted.length) showLast(wanted.at(-1));
    if (wanted.length && isRecent(wanted.at(-1))) say(wanted.at(-1));
  }
}

const isWanted = ({ scanner }) => !part("scanner").value || scanner === part("scanner").value;

/** What was scanned long before the page was opened is shown, and not said aloud. */
const isRecent = ({ at }) => Date.now() - Date.parse(at) < 10000;

/** How the daemon is doing. */
function showStatus(status) {
  document.title = `${status.register} – keywedge`;
  part("register").replaceChildren(foreign(status.register, { isName: true, limit: 60 }));
  part("version").textContent = status.version;
  showChoices(status.scanners.map(({ name }) => name));
  fill("scanners", status.scanners.map(scannerCard), "None configured, none attached");
  fill("readers", [...status.sinks, ...status.consumers].map(readerCard), "None");
  const troubles = troubleCards(status);
  part("trouble-section").hidden = !troubles.length;
  fill("trouble", troubles, "");
}

function fill(id, cards, otherwise) {
  part(id).replaceChildren(...(cards.length ? cards : [element("li", "dim", otherwise)]));
}

/** The scanners to choose from, as long as nobody is choosing. */
function showChoices(names) {
  const choice = part("scanner");
  if (names.join("\n") === [...choice.options].slice(1).map(({ value }) => value).join("\n")) return;
  const chosen = choice.value;
  const options = names.map((name) => Object.assign(element("option", "", foreign(name).textContent), { value: name }));
  choice.replaceChildren(choice.options[0], ...options);
  choice.value = names.includes(chosen) ? chosen : "";
  list.filter();
}

/** A thing by its name, with a word for its state and sentences below. */
function card(name, state, word, ...lines) {
  return element("li", `card ${state}`,
    element("p", "", foreign(name, { className: "card-name", isName: true, limit: 60 }), " ", element("span", "word", word)),
    ...lines.filter(Boolean).map((line) => element("p", "small-line", foreign(line, { limit: 300 }))));
}

function scannerCard({ name, held_since: since, scans, redacted, last_scan: last, ...data }) {
  const rejected = Object.entries(data.rejections).map(([reason, count]) => `${count} ${reason}`).join(", ");
  const suspicion = data.layout_suspicion;
  return card(name, suspicion.count ? "warning" : since ? "good" : "away", since ? "attached" : "not attached",
    `${counted(scans + redacted, "scan")}${last ? `, the last at ${time(last)}` : ""}`,
    rejected && `Rejected: ${rejected}`,
    suspicion.count ? suspicion.message : "");
}

function readerCard({ name, state, trouble, lag_events: events, lag_s: seconds, dead_letters: dead }) {
  const isBehind = events > 0 && seconds >= lagSeconds;
  const isWrong = state === "trouble" || dead > 0;
  return card(name, isWrong ? "bad" : isBehind ? "warning" : "good",
    isBehind ? `${counted(events, "event")} behind` : isWrong ? "in trouble" : "up to date",
    isBehind && `The oldest waits for ${span(seconds)}.`,
    trouble && trouble.message,
    dead > 0 && `${counted(dead, "dead letter")}: keywedge journal dead shows them.`);
}

/** What is wrong with the catalog's sources and the journal. */
function troubleCards({ sources, journal }) {
  const cards = sources.filter(({ state, trouble }) => state !== "ready" || trouble).map(
    ({ name, state, trouble, retry_after_s: wait }) => card(name, "bad", state, trouble, wait && `Asked again in ${span(wait)}.`));
  if (journal.state === "open") return cards;
  return [...cards, card("journal", "bad", journal.state, journal.trouble,
    journal.waiting > 0 && `${counted(journal.waiting, "event")} wait in memory.`)];
}

let timer = null;

/** Asks how the daemon is doing, and again after a while; a page that nobody sees asks nothing. */
async function look() {
  clearTimeout(timer);
  timer = null;
  if (document.hidden) return;
  try {
    showStatus(await (await ask("v1/status", { token: stream.token })).json());
    document.body.classList.remove("stale");
  } catch (error) {
    document.body.classList.add("stale");
    if (error instanceof Refusal && error.status === 401) return;
  }
  timer ??= setTimeout(look, often);
}

function lookSoon() {
  if (isLookingSoon) return;
  isLookingSoon = true;
  setTimeout(() => {
    isLookingSoon = false;
    look();
  }, soon);
}

let isLookingSoon = false;
const list = new List();
const stream = new Stream({
  onEvent(event) {
    const told = story(event);
    if (told) list.add(told);
    lookSoon();
  },
  onState(isOpen) {
    const state = part("state");
    const [name, words] = isOpen ? ["live", "Live"] : ["away", "The daemon is away; trying again"];
    if (state.dataset.state === name) return;
    state.dataset.state = name;
    state.textContent = words;
    lookSoon();
  },
  onRefusal(status) {
    part("state").textContent = status === 401 ? "A token is needed" : "The daemon refuses this page";
    if (status !== 401) return;
    part("token-problem").textContent = stream.token ? "This is not the token." : "";
    part("token-form").hidden = false;
    part("token").focus();
  },
}, sessionStorage.getItem("token"));

part("token-form").addEventListener("submit", (submission) => {
  submission.preventDefault();
  stream.token = part("token").value.trim();
  sessionStorage.setItem("token", stream.token);
  part("token").value = "";
  part("token-form").hidden = true;
  stream.start();
});
part("hold").addEventListener("click", () => {
  const isHeld = part("hold").getAttribute("aria-pressed") !== "true";
  part("hold").setAttribute("aria-pressed", isHeld);
  list.hold(isHeld);
});
part("scanner").addEventListener("change", () => list.filter());
document.addEventListener("visibilitychange", look);
stream.start();
look();
