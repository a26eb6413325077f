// One connection to keywedge for all tabs of this till.
//
// Over HTTP/1.1 a browser opens at most six connections to a host, and a stream holds one of them all the time: a
// seventh tab would get no scans and report nothing. All tabs of an origin share this SharedWorker, so there is one
// stream, and only one tab rings up each scan.

import { Stream } from "./stream.js";

const tabs = new Set();
let state = { kind: "state", isOpen: false, words: "Connecting …" };
/** The tab that rings up scans, normally the one used last; null if there are no tabs. */
let till = null;
/** Events that no tab has received yet, with their times: the first tab may connect late, or be reloading. */
const waiting = [];
/** How long an event waits for a tab, in milliseconds: an older scan may belong to the previous customer. */
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
  // A browser does not tell a page why a request failed. These are the usual causes.
  onState: (isOpen) => tellState(isOpen, isOpen ? "Ready"
    : "No scanner: keywedge is away, does not know this page's origin, or the browser keeps this page from it"),
  onRefusal: (status) => tellState(false, status === 401
    ? "No scanner: keywedge wants a token, which this page does not have" : `No scanner: keywedge refuses (${status})`),
}, {
  daemon: `${new URL(self.location.href).searchParams.get("daemon")}/`,
  types: "keywedge.scan,keywedge.scan.rejected,keywedge.scan.redacted",
}).start();
