// One connection to keywedge for all tabs of this till.
//
// A browser keeps six connections to a host at most over HTTP/1.1, and a stream holds one of them for good: the
// seventh tab would get no scan and say nothing. All tabs of an origin share a SharedWorker, so there is one stream,
// one place in it, and one till that rings up what was scanned.

import { Stream } from "./stream.js";

const tabs = new Set();
let state = { kind: "state", isOpen: false, words: "Connecting …" };
/** The one tab that rings up: the one that was used last. */
let till = null;
/** Events that came while no tab was there, and when: a tab may connect after the stream, or be reloaded. */
const waiting = [];
/** How long they wait, in milliseconds: what was scanned earlier is not for the next customer. */
const patience = 5000;

self.onconnect = ({ ports: [tab] }) => {
  tabs.add(tab);
  till ??= tab;
  tab.onmessage = ({ data }) => {
    if (data === "mine") till = tab;
    if (data === "gone") leave(tab);
    tellWhoRingsUp();
  };
  tab.postMessage(state);
  tellWhoRingsUp();
  ring();
};

function leave(tab) {
  tabs.delete(tab);
  if (till === tab) till = [...tabs].at(-1) ?? null;
}

function ring() {
  if (!till) return;
  for (const { event, at } of waiting.splice(0)) {
    if (Date.now() - at < patience) till.postMessage({ kind: "event", event });
  }
}

function tellWhoRingsUp() {
  for (const tab of tabs) tab.postMessage({ kind: "role", isTill: tab === till });
}

function tellState(isOpen, words) {
  state = { kind: "state", isOpen, words };
  for (const tab of tabs) tab.postMessage(state);
}

new Stream({
  onEvent: (event) => {
    waiting.push({ event, at: Date.now() });
    ring();
  },
  // A page is not told why it gets no answer. Nearly always it is one of these.
  onState: (isOpen) => tellState(isOpen, isOpen ? "Ready"
    : "No scanner: keywedge is away, does not know this page's origin, or the browser keeps this page from it"),
  onRefusal: (status) => tellState(false, status === 401
    ? "No scanner: keywedge wants a token, which this page does not have" : `No scanner: keywedge refuses (${status})`),
}, {
  daemon: `${new URL(self.location.href).searchParams.get("daemon")}/`,
  types: "keywedge.scan,keywedge.scan.rejected,keywedge.scan.redacted",
}).start();
