// Shows what was scanned, and how the daemon is doing.

import {
  calculation, counted, element, foreign, money, part, question, redaction, rejection, span, time, usualPrice,
} from "./words.js";
import { Beep } from "./sound.js";
import { showCards } from "./status.js";
import { ask, Refusal, Stream } from "./stream.js";

const limit = 100;
/** How many events before the newest the page begins: the last hundred scans are among them. */
const history = 1500;
const types = "keywedge.scan,keywedge.scan.rejected,keywedge.scan.redacted,"
  + "keywedge.scanner.connected,keywedge.scanner.disconnected,keywedge.journal.full,"
  + "keywedge.journal.replaced,keywedge.started";
/** How often the page asks for the status, how soon after an event, and how long it waits, in milliseconds. */
const [often, soon, patience] = [5000, 500, 10000];
/** How long a scan counts as just made, and the same one after it as a repetition, in milliseconds. */
const fresh = 60000;
/** An older scan is not said aloud and does not sound: it was made before the page was opened. In milliseconds. */
const audible = 10000;

/** What an event says, in words; null for one that the list does not show. */
function story({ type, time: at, data }) {
  const common = { at, scanner: data.scanner?.name, text: data.text, problems: data.problems ?? [] };
  switch (type) {
    case "keywedge.scan": return { ...common, ...scanStory(data) };
    case "keywedge.scan.rejected": {
      const [action, why, often] = rejection(data.reason);
      const kind = data.reason === "repeated" ? "ignored" : "rejected";
      const key = data.key ? `The key: ${data.key}` : "";
      return { ...common, kind, title: "Not read", action, why, details: [often, key] };
    }
    case "keywedge.scan.redacted":
      return {
        ...common, kind: "ignored", title: "Not shown", name: redaction(data.content),
        why: `${counted(data.length, "character")}; nothing of it is kept.`,
      };
    case "keywedge.gap":
      if (data.reason === "ahead") return null;
      return {
        ...common, kind: "rejected", title: "Not shown", name: "Events are missing here",
        why: "The journal no longer has what came while this page was away.",
      };
    default: return null;
  }
}

function scanStory({ symbology, gtin, in_store: inStore, gs1, ...data }) {
  const { lookup, product, charge } = data;
  const isCharged = (charge?.amount ?? null) !== null;
  const usual = product ? usualPrice(product) || "No price" : "";
  const doubt = question(data);
  return {
    kind: doubt ? "ask" : "found", title: "Scanned", name: product?.name ?? product?.id, ...doubt,
    price: isCharged ? money(charge.amount, charge.currency) : charge?.reason === "old-price" ? `old: ${usual}` : usual,
    symbology, gtin,
    details: [
      lookup?.reason, calculation(data), (lookup?.candidates ?? []).join(", "),
      !isCharged && inStore?.weight_kg ? `${inStore.weight_kg} kg` : "",
      !isCharged && inStore?.count ? counted(inStore.count, "piece") : "",
      ...(gs1?.elements ?? []).filter(({ ai }) => ai !== "01").map(({ title, value, date }) => `${title}: ${date ?? value}`),
    ],
  };
}

const code = (text, limit) => foreign(text, { className: "code", limit });

/** What stands first: the product, or else what to do, or else the code. */
function headline({ name, action, text }, limit) {
  return name || action ? foreign(name || action, { isName: true, limit }) : code(text ?? "", limit);
}

/** The newest, large, and how often it was scanned in a row. */
function showLast(shown, times) {
  const { kind, name, action, why, price, text, symbology, gtin, scanner, at } = shown;
  part("last").dataset.kind = kind;
  part("last-content").replaceChildren(...[
    element("div", "flash"),
    element("p", name || !action ? "name" : "name what-to-do", headline(shown, 120)),
    (price || times > 1) && element("p", "figures",
      price && element("span", "amount", foreign(price)), times > 1 && element("span", "times", `×${times}`)),
    name && action && element("p", "action", action),
    why && element("p", "why", foreign(why, { limit: 300 })),
    text && (name || action) && element("p", "codes", kind === "rejected" ? "Read before it broke: " : "", code(text)),
    element("p", "about", ...listed([
      symbology, gtin && gtin !== text?.padStart(14, "0") ? `GTIN ${gtin}` : "", scanner, time(at),
    ])),
    notes(shown),
  ].filter(Boolean));
  showAge();
}

/** Whether the newest was scanned just now, or else how long ago. */
function showAge() {
  const { shown } = list;
  if (!shown) return;
  const { title, at } = shown;
  const now = title === "Scanned" ? "Just scanned" : title;
  part("last-title").textContent = age(at) < fresh ? now : `${title} ${span(age(at) / 1000)} ago`;
}

/** Texts with dots between them. */
function listed(texts) {
  return texts.filter(Boolean).flatMap((text, index) => [index ? " · " : "", foreign(text, { isName: true })]);
}

/** What else there is to say of a scan. */
function notes({ details = [], problems, why }) {
  const lines = [
    ...problems.filter(({ message }) => message !== why).map(({ severity, message }) =>
      element("li", severity === "error" ? "error" : "warning", foreign(message, { limit: 300 }))),
    ...details.filter(Boolean).slice(0, 6).map((text) => element("li", "", foreign(text, { limit: 200 }))),
  ];
  return lines.length && element("ul", "notes", ...lines);
}

/** The same for those who hear the page. */
function say({ title, name, action, why, price, text }, times) {
  const words = [title === "Scanned" ? "" : title, name, action, name || action ? "" : text, price, why,
    times > 1 && `${times} times`];
  part("spoken").replaceChildren(...words.filter(Boolean).flatMap(
    (text, index) => [index ? ", " : "", foreign(text, { isName: true, limit: 120 })]));
}

/** A line of the table. */
function row(shown) {
  const { kind, name, action, why, price, text = "", scanner = "", at } = shown;
  const hasText = text && (name || action);
  const note = [name && action, why].filter(Boolean).join(" – ");
  return element("tr", kind,
    element("td", "time", time(at)),
    element("td", "what",
      element("span", "kind", { found: "", ask: "?", rejected: "✗", ignored: "–" }[kind]),
      headline(shown, 80), note && element("span", "note-line", foreign(note)),
      element("span", "small", hasText && code(text, 80), hasText && scanner && " · ", foreign(scanner, { isName: true }))),
    element("td", "wide", code(text, 80)),
    element("td", "wide", foreign(scanner, { isName: true })),
    element("td", "price", foreign(price ?? "")));
}

/** The last hundred: what is shown of them, and what waits while they are held. */
class List {
  /** What is shown large. */
  shown = null;
  #all = [];
  #waiting = [];
  #isDue = false;
  #isHeld = false;

  add(story) {
    this.#waiting = [...this.#waiting, story].slice(-limit);
    this.due();
  }

  hold(isHeld) {
    this.#isHeld = isHeld;
    this.due();
  }

  /** Shows other scans than before. */
  filter() {
    part("rows").replaceChildren();
    this.due();
  }

  /** Shows the list with the next frame; in a hidden tab, when somebody looks at it. */
  due() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#show();
    });
  }

  #show() {
    part("hold").textContent = this.#isHeld && this.#waiting.length
      ? `Go on (${this.#waiting.length} new)` : this.#isHeld ? "Go on" : "Hold";
    if (!this.#isHeld) this.#all = [...this.#all, ...this.#waiting.splice(0)].slice(-limit);
    const wanted = this.#all.filter(isWanted);
    // Keep existing rows, because a slow computer needs a tenth of a second to build a hundred.
    const rows = wanted.map((shown) => shown.row ??= row(shown)).reverse();
    part("rows").prepend(...rows.filter(({ isConnected }) => !isConnected));
    while (part("rows").children.length > rows.length) part("rows").lastElementChild.remove();
    part("empty").hidden = wanted.length > 0;
    const newest = wanted.at(-1);
    if (!newest || newest === this.shown) return;
    this.shown = newest;
    const times = timesInARow(wanted);
    showLast(newest, times);
    if (age(newest.at) < audible) say(newest, times);
  }
}

const isWanted = ({ scanner }) => !part("scanner").value || scanner === part("scanner").value;

/** Whether somebody must do something about a scan that was just made. */
const isAlarming = (story) => ["ask", "rejected"].includes(story.kind) && isWanted(story) && age(story.at) < audible;

/** How often the newest of some scans was made in a row, each soon after the one before. */
function timesInARow(stories) {
  const same = ({ kind, text, scanner, name, price }) => JSON.stringify([kind, text, scanner, name, price]);
  const isRepeated = (later, index) => index > 0 && same(stories[index - 1]) === same(later)
    && Date.parse(later.at) - Date.parse(stories[index - 1].at) < fresh;
  return stories.length - stories.findLastIndex((story, index) => !isRepeated(story, index));
}

/** How far the daemon's clock is ahead of this one, which may be on another box. */
let clockAhead = 0;
const age = (at) => Date.now() + clockAhead - Date.parse(at);

/** How the daemon is doing. */
function showStatus(status) {
  clockAhead = Date.parse(status.time) - Date.now();
  document.title = `${status.register} – keywedge`;
  part("register").replaceChildren(foreign(status.register, { isName: true, limit: 60 }));
  part("version").textContent = status.version;
  showChoices(status.scanners.map(({ name }) => name));
  showCards(status);
  showAge();
}

/** The scanners to choose from; somebody who is choosing is not disturbed. */
function showChoices(names) {
  const choice = part("scanner");
  if (names.join("\n") === [...choice.options].slice(1).map(({ value }) => value).join("\n")) return;
  const chosen = choice.value;
  const options = names.map((name) => Object.assign(element("option", "", foreign(name).textContent), { value: name }));
  choice.replaceChildren(choice.options[0], ...options);
  choice.value = names.includes(chosen) ? chosen : "";
  list.filter();
}

/** Whether events come, whether the daemon answers, and with which status it refused this page. */
const link = { isOpen: null, isAnswering: true, refusal: null };

/** Says in the head of the page how the daemon is reached, and dims the page while it is away. */
function showLink(change) {
  const before = { ...link };
  Object.assign(link, change);
  const { isOpen, isAnswering, refusal } = link;
  const isAway = !refusal && (isOpen === false || !isAnswering);
  const [name, words] = refusal ? ["refused", refusal === 401 ? "A token is needed" : "The daemon refuses this page"]
    : isAway ? ["away", "The daemon is away; trying again"] : isOpen ? ["live", "Live"] : ["waiting", "Connecting …"];
  document.body.classList.toggle("away", isAway);
  if (part("state").dataset.state !== name) part("state").textContent = words;
  part("state").dataset.state = name;
  if (before.isOpen !== isOpen) lookSoon();
}

let lookTimer = null;
let isLookingSoon = false;

/** Asks how the daemon is doing, and again after a while; a hidden page asks nothing. */
async function look() {
  clearTimeout(lookTimer);
  lookTimer = null;
  if (document.hidden) return;
  try {
    const answer = await ask("v1/status", { token: stream.token, signal: AbortSignal.timeout(patience) });
    showStatus(await answer.json());
    showLink({ isAnswering: true });
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return;
    showLink({ isAnswering: false });
  }
  lookTimer ??= setTimeout(look, often);
}

function lookSoon() {
  if (isLookingSoon) return;
  isLookingSoon = true;
  setTimeout(() => {
    isLookingSoon = false;
    look();
  }, soon);
}

const list = new List();
const beep = new Beep();
const stream = new Stream({
  onEvent(event) {
    const shown = story(event);
    if (shown) list.add(shown);
    if (shown && isAlarming(shown)) beep.play();
    lookSoon();
  },
  onState: (isOpen) => showLink({ isOpen, refusal: null }),
  onRefusal(status) {
    showLink({ refusal: status });
    if (status !== 401) return;
    part("token-problem").textContent = stream.token ? "This is not the token." : "";
    part("token-form").hidden = false;
    part("token").focus();
  },
}, { types, history, token: sessionStorage.getItem("token") });

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
part("sound").checked = localStorage.getItem("sound") === "on";
beep.turn(part("sound").checked);
part("sound").addEventListener("change", ({ target }) => {
  localStorage.setItem("sound", target.checked ? "on" : "off");
  beep.turn(target.checked);
});
document.addEventListener("visibilitychange", look);
setInterval(showAge, often);
stream.start();
look();
