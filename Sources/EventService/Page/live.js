// The live page: shows the latest scans and the daemon's status.

import {
  calculation, counted, element, foreign, money, part, question, redaction, rejection, span, time, usualPrice,
} from "./words.js";
import { Beep } from "./sound.js";
import { showCards } from "./status.js";
import { ask, Refusal, Stream } from "./stream.js";

const limit = 100;
/** The number of earlier events to request first, so that the list can show the last 100 scans. */
const history = 1500;
const types = "keywedge.scan,keywedge.scan.rejected,keywedge.scan.redacted,"
  + "keywedge.scanner.connected,keywedge.scanner.disconnected,keywedge.journal.full,"
  + "keywedge.journal.replaced,keywedge.started";
/** The interval of status requests, their delay after an event, and their timeout, in milliseconds. */
const [often, soon, patience] = [5000, 500, 10000];
/** How long a scan counts as just made, and an identical scan as its repetition, in milliseconds. */
const fresh = 60000;
/** The maximum age, in milliseconds, of a scan to announce or beep for; the page also loads older scans. */
const audible = 10000;

/** Returns an event in words, as the list shows it; null if the list does not show the event. */
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

/** The headline: the name if there is one, otherwise what to do, otherwise the code. */
function headline({ name, action, text }, limit) {
  return name || action ? foreign(name || action, { isName: true, limit }) : code(text ?? "", limit);
}

/** Shows the newest scan in large type, and how often it was made in a row. */
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

/** Shows how long ago the newest scan was made, or that it was just made. */
function showAge() {
  const { shown } = list;
  if (!shown) return;
  const { title, at } = shown;
  const now = title === "Scanned" ? "Just scanned" : title;
  part("last-title").textContent = age(at) < fresh ? now : `${title} ${span(age(at) / 1000)} ago`;
}

/** Returns the texts that are not empty, separated by dots. */
function listed(texts) {
  return texts.filter(Boolean).flatMap((text, index) => [index ? " · " : "", foreign(text, { isName: true })]);
}

/** A list of a scan's problems and details; 0 if there are none. */
function notes({ details = [], problems, why }) {
  const lines = [
    ...problems.filter(({ message }) => message !== why).map(({ severity, message }) =>
      element("li", severity === "error" ? "error" : "warning", foreign(message, { limit: 300 }))),
    ...details.filter(Boolean).slice(0, 6).map((text) => element("li", "", foreign(text, { limit: 200 }))),
  ];
  return lines.length && element("ul", "notes", ...lines);
}

/** Announces the newest scan to screen readers. */
function say({ title, name, action, why, price, text }, times) {
  const words = [title === "Scanned" ? "" : title, name, action, name || action ? "" : text, price, why,
    times > 1 && `${times} times`];
  part("spoken").replaceChildren(...words.filter(Boolean).flatMap(
    (text, index) => [index ? ", " : "", foreign(text, { isName: true, limit: 120 })]));
}

/** Returns the table row for a scan. */
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

/** The list of the last 100 scans; while the list is held, new scans wait. */
class List {
  /** The scan that is shown in large type. */
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

  /** Rebuilds the list after the choice of scanner has changed. */
  filter() {
    part("rows").replaceChildren();
    this.due();
  }

  /** Updates the page in the next animation frame; in a hidden tab, once the tab is visible again. */
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

/** Whether a scan was just made, is shown in the list, and needs a person's attention. */
const isAlarming = (story) => ["ask", "rejected"].includes(story.kind) && isWanted(story) && age(story.at) < audible;

/** How often the newest scan was made in a row, with less than a minute between repetitions. */
function timesInARow(stories) {
  const same = ({ kind, text, scanner, name, price }) => JSON.stringify([kind, text, scanner, name, price]);
  const isRepeated = (later, index) => index > 0 && same(stories[index - 1]) === same(later)
    && Date.parse(later.at) - Date.parse(stories[index - 1].at) < fresh;
  return stories.length - stories.findLastIndex((story, index) => !isRepeated(story, index));
}

/** How many milliseconds the daemon's clock is ahead of the browser's; the daemon may run on another computer. */
let clockAhead = 0;
const age = (at) => Date.now() + clockAhead - Date.parse(at);

/** Shows the daemon's status, and compares its clock with the browser's. */
function showStatus(status) {
  clockAhead = Date.parse(status.time) - Date.now();
  document.title = `${status.register} – keywedge`;
  part("register").replaceChildren(foreign(status.register, { isName: true, limit: 60 }));
  part("version").textContent = status.version;
  showChoices(status.scanners.map(({ name }) => name));
  showCards(status);
  showAge();
}

/** Updates the menu of scanners; leaves an unchanged menu alone, because it may be open. */
function showChoices(names) {
  const choice = part("scanner");
  if (names.join("\n") === [...choice.options].slice(1).map(({ value }) => value).join("\n")) return;
  const chosen = choice.value;
  const options = names.map((name) => Object.assign(element("option", "", foreign(name).textContent), { value: name }));
  choice.replaceChildren(choice.options[0], ...options);
  choice.value = names.includes(chosen) ? chosen : "";
  list.filter();
}

/** Whether the event stream is open, whether the daemon answers, and the status with which it refused this page. */
const link = { isOpen: null, isAnswering: true, refusal: null };

/** Shows the connection's state in the page's header, and dims the page while the daemon cannot be reached. */
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

/** Requests the daemon's status, and schedules the next request; does nothing while the page is hidden. */
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
