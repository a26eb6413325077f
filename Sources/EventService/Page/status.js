// The status cards: one for each scanner, sink and consumer, and for each trouble.

import { counted, element, foreign, part, span, time } from "./words.js";

/** A sink or consumer is shown as behind only if its oldest event has waited this long. */
const lagSeconds = 2;

/** Shows the cards, and lists the names of those in trouble in the page's header. */
function showCards(status) {
  fill("scanners", status.scanners.map(scannerCard), "None configured, none attached");
  fill("readers", [...status.sinks, ...status.consumers].map(readerCard), "None");
  const troubles = troubleCards(status);
  part("trouble-section").hidden = !troubles.length;
  fill("trouble", troubles, "");
  const names = [...document.querySelectorAll(".card.bad .card-name")].map(({ textContent }) => textContent);
  part("alarm").textContent = `Trouble: ${names.join(", ")}`;
  part("alarm").hidden = !names.length;
}

function fill(id, cards, otherwise) {
  part(id).replaceChildren(...(cards.length ? cards : [element("li", "dim", otherwise)]));
}

/** Returns a card with a name, a word for the state, and below them the lines that are not empty. */
function card(name, state, word, ...lines) {
  return element("li", `card ${state}`,
    element("p", "", foreign(name, { className: "card-name", isName: true, limit: 60 }), " ", element("span", "word", word)),
    ...lines.filter(Boolean).map((line) => element("p", "small-line", foreign(line, { limit: 300 }))));
}

function scannerCard({ name, held_since: since, scans, redacted, last_scan: last, ...data }) {
  const rejected = Object.entries(data.rejections).map(([reason, count]) => `${count} ${reason}`).join(", ");
  const suspicion = data.layout_suspicion;
  return card(name, suspicion.count ? "warning" : since ? "good" : "off", since ? "attached" : "not attached",
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

/** Returns a card for each trouble with listening, with a source of products, or with the journal. */
function troubleCards({ listen, sources, journal }) {
  const cards = [
    ...listen.filter(({ trouble }) => trouble).map(({ place, trouble }) => card(place, "bad", "no client can connect", trouble)),
    ...sources.filter(({ state, trouble }) => state !== "ready" || trouble).map(
      ({ name, state, trouble, retry_after_s: wait }) => card(name, "bad", state, trouble, wait && `Asked again in ${span(wait)}.`)),
  ];
  if (journal.state === "open") return cards;
  return [...cards, card("journal", "bad", journal.state, journal.trouble,
    journal.waiting > 0 && `${counted(journal.waiting, "event")} wait in memory.`)];
}

export { showCards };
