// One connection to keywedge for all tabs of this till.
//
// A browser keeps six connections to a host at most over HTTP/1.1, and a stream holds one of them for good: the
// seventh tab would get no scan and say nothing. A SharedWorker is there once for all tabs of an origin, so there is
// one stream, one place in it, and one till that rings up what was scanned.

/** Where keywedge listens: ?daemon= of the page, or the register itself. */
const daemon = new URL(self.location.href).searchParams.get("daemon") ?? "http://127.0.0.1:8691";
const types = "keywedge.scan,keywedge.scan.rejected";
const pause = 2000;

const tabs = new Set();
/** What was told already, by source and id: an event that comes again is the same scan, not another. */
const told = new Set();
let last = null;
let state = { kind: "state", isOpen: false, words: "Connecting …" };
/** The one tab that rings up: the one that was used last. */
let till = null;

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
};

function leave(tab) {
  tabs.delete(tab);
  if (till === tab) till = [...tabs].at(-1) ?? null;
}

function tellWhoRingsUp() {
  for (const tab of tabs) tab.postMessage({ kind: "role", isTill: tab === till });
}

function tellState(isOpen, words) {
  state = { kind: "state", isOpen, words };
  for (const tab of tabs) tab.postMessage(state);
}

function listen() {
  const place = last ? `&after=${last}` : "";
  const scans = new EventSource(`${daemon}/v1/events?types=${types}${place}`);
  scans.onopen = () => tellState(true, "Ready");
  scans.onmessage = ({ data, lastEventId }) => {
    if (lastEventId) last = lastEventId;
    take(JSON.parse(data));
  };
  scans.onerror = () => {
    // A page is not told why. Nearly always it is one of these.
    tellState(false, "No scanner: keywedge is away, does not know this page's origin, or the browser keeps this page from it");
    // The browser comes again by itself, but for an answer that is no stream.
    if (scans.readyState === EventSource.CLOSED) setTimeout(listen, pause * (0.75 + Math.random() / 2));
  };
}

function take(event) {
  const key = `${event.source} ${event.id}`;
  if (told.has(key)) return;
  told.add(key);
  if (told.size > 10000) told.delete(told.values().next().value);
  till?.postMessage({ kind: "event", event });
}

listen();
